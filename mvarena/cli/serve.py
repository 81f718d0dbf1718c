"""`mvarena serve`: the site of a results database, kept up to date while runs write into it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import DEFAULT_DATABASE, SEVERAL_FILTERS, ManyValues, filter_from, filter_options, names_option
from mvarena.errors import InvalidSetting

if TYPE_CHECKING:
    from mvarena.store.database import Database
    from mvarena.store.filters import Filter

_EXAMPLES = """\b
Examples:
  mvarena serve results.db
  mvarena serve --port 0 --open
  mvarena serve results.db --algo "mkkm-*" --metric acc nmi
  mvarena serve results.db --datasette
"""


@click.command(cls=ManyValues, many=("--metric", *SEVERAL_FILTERS), epilog=_EXAMPLES)
@click.argument("database", default=DEFAULT_DATABASE, metavar="[PATH|URL]", envvar="MVARENA_DB")
@click.option("--port", type=click.IntRange(0, 65535), default=8423, show_default=True, help="0 chooses a free port.")
@click.option("--open", "browse", is_flag=True, help="Open the first page in a browser.")
@click.option("--datasette", is_flag=True, help="Serve the database with Datasette instead, for SQL queries.")
@names_option("--metric", "metrics", "Metrics, one or more; by default all that are stored.")
@filter_options
def serve(database: str, port: int, browse: bool, datasette: bool, metrics: tuple[str, ...], **options: Any) -> None:
    """Serve the site of a results database to this machine until Ctrl-C.

    The database is only read: runs may continue meanwhile, and open pages are redrawn when there are newer results.
    Only this machine can connect.
    """
    from mvarena.registry.catalog import installed_catalog
    from mvarena.site.server import HOST, Pages, make_server, port_of
    from mvarena.store.readonly import open_to_read

    only = filter_from(options)
    if datasette:
        if only or metrics:
            given = "filters" if only else "metrics"
            text = f"Datasette shows all that is stored; {given} have no effect, and its own pages filter."
            raise InvalidSetting(text, field="datasette")
        _datasette(database, port, browse)
        return
    catalog = installed_catalog()
    named = tuple(catalog.metric(name).name for name in metrics)
    with open_to_read(database) as db:
        if only:
            _wanted(db, only, named)  # a filter that matches nothing is said before anything is served
        pages = Pages(db, catalog, Path(db.where).name, lambda: _wanted(db, only, named))
        with make_server(pages, port) as server:
            address = f"http://{HOST}:{port_of(server)}/"
            click.echo(f"{db.where} is served at {address} (Ctrl-C ends it)")
            if browse:
                click.launch(address)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                click.echo("Ended.")


def _wanted(db: Database, only: Filter, metrics: tuple[str, ...]) -> Any:
    from mvarena.site.data import Wanted
    from mvarena.store.filters import chosen

    return Wanted(where=chosen(db, only), metrics=metrics)


def _datasette(database: str, port: int, browse: bool) -> None:
    """Run Datasette on the file, to be read alone. Raises InvalidSetting if it is not installed, or for no file."""
    import subprocess

    from mvarena.site.server import HOST
    from mvarena.store.readonly import open_to_read

    try:
        import_module("datasette")
    except ImportError:
        text = "Datasette is not installed; run: pip install datasette."
        raise InvalidSetting(text, field="datasette") from None
    with open_to_read(database) as db:  # what is no results database is said
        where = db.where
    if not Path(where).is_file():
        raise InvalidSetting(
            f"Datasette serves SQLite files, and {where} is not one; name a file.", field="datasette", value=where
        )
    command = [sys.executable, "-P", "-m", "datasette", "serve", "--host", HOST, "--port", str(port), where]
    try:
        raise SystemExit(subprocess.run([*command, *(["--open"] if browse else [])], check=False).returncode)
    except KeyboardInterrupt:  # which ends Datasette, too
        click.echo("Ended.")
