"""`mvarena data`: which data sets are at hand, fetch them, and where their files are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from mvarena.cli.options import json_option

_MOST_VIEWS = 8


@click.group()
def data() -> None:
    """See which data sets are at hand, fetch, check and import their files, and look into files of your own.

    \b
    Examples:
      mvarena data list
      mvarena data fetch 3sources
      mvarena data path digits
      mvarena data verify
      mvarena data import flower17 ~/Downloads/flowers
      mvarena data inspect my/data.mat
      mvarena data convert my/data.mat clean.npz
    """


@data.command("list")
@json_option
def list_data(as_json: bool) -> None:
    """Show each data set: ready, downloadable or in need of a manual step, its size and terms."""
    entries = _holdings()
    if as_json:
        click.echo(json.dumps(entries, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "state", "size", "samples", "clusters", "views", "terms"):
        right = column in ("size", "samples", "clusters")
        wraps = column == "views"
        table.add_column(column, justify="right" if right else "left", no_wrap=not wraps, overflow="ellipsis")
    for entry in entries:
        short = entry | {"terms": entry["terms"].partition(". ")[0].partition(" (")[0]}
        if len(entry["views"]) > _MOST_VIEWS:
            short["views"] = f"{len(entry['views'])} views"
        table.add_row(*(_cell(short[str(column.header)]) for column in table.columns))
    Console().print(table)


def _cell(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _holdings() -> list[dict[str, Any]]:
    """Every data set: those with files by what is at hand, those drawn at random as ready."""
    from mvarena.loaders.files import holding
    from mvarena.registry.catalog import installed_catalog

    entries: list[dict[str, Any]] = []
    catalog = installed_catalog()
    for name in catalog.names("dataset"):
        spec = catalog.dataset(name)
        if not spec.card:
            size, terms, state = "", "", "drawn at random" if spec.generated else "ready"
            entry: dict[str, Any] = {"samples": "", "clusters": "", "views": list(spec.views), "missing": []}
        else:
            held = holding(spec.card)
            size, terms, state = _size(held.bytes), held.card.terms, held.state
            entry = {"samples": held.card.samples, "clusters": held.card.clusters, "missing": list(held.missing)}
            entry["views"] = [view.name for view in held.card.views]
        entries.append({"name": name, "state": state, "size": size, "terms": terms, **entry})
    return entries


def _size(n_bytes: int) -> str:
    if not n_bytes:
        return "?"
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"


@data.command()
@click.argument("name")
def fetch(name: str) -> None:
    """Download the files of the data set NAME into the user's cache and check them."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from mvarena.loaders import files

    card = _card_of(name)
    if card is None:
        click.echo(f"{name} needs no files: it is drawn at random.")
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, transient=True) as bar:
        tasks: dict[str, Any] = {}

        def advance(file: str, so_far: int, total: int | None) -> None:
            if file not in tasks:
                tasks[file] = bar.add_task(file, total=total)
            bar.update(tasks[file], completed=so_far)

        found = files.fetch(card, progress=advance)
    for path in found:
        click.echo(path)


@data.command()
@click.argument("name")
def path(name: str) -> None:
    """Print where the files of the data set NAME are, checked against their checksums."""
    from mvarena.loaders import files

    card = _card_of(name)
    if card is None:
        click.echo(f"{name} needs no files: it is drawn at random.")
        return
    for found in files.path(card):
        click.echo(found)


@data.command()
@click.argument("names", nargs=-1)
def verify(names: tuple[str, ...]) -> None:
    """Check the files of the data sets NAMES (by default of all that are at hand) against their checksums."""
    from mvarena.loaders import files
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    cards = [card for name in names or catalog.names("dataset") if (card := _card_of(name))]
    wrong = 0
    for card in dict.fromkeys(cards):
        for check in files.verify(card):
            if check.path is None and not names:
                continue
            wrong += check.problem is not None
            click.echo(f"{card}: {check.file.name}: {check.problem or 'ok'}")
    if wrong:
        sys.exit(1)


@data.command("import")
@click.argument("name")
@click.argument("source", type=click.Path(path_type=Path))
def import_data(name: str, source: Path) -> None:
    """Put hand-downloaded files of the data set NAME in place: SOURCE is a folder, a file or an archive of them."""
    from mvarena.errors import InvalidSetting
    from mvarena.loaders.importing import import_files

    card = _card_of(name)
    if card is None:
        raise InvalidSetting(f"{name} needs no files: it is drawn at random.")
    for path in import_files(card, source):
        click.echo(path)


_orientation = click.option(
    "--orientation", type=click.Choice(["rows", "columns"]), help="What the samples are, where the file does not tell."
)
_labels = click.option(
    "--labels", type=click.Path(path_type=Path), metavar="FILE", help="A .csv file with the labels, for .csv views."
)


@data.command()
@click.argument("file")
@_orientation
@_labels
def inspect(file: str, orientation: str | None, labels: Path | None) -> None:
    """Say what is understood of FILE (.npz, .mat, or .csv files with commas between), why, and what is not used."""
    from mvarena.loaders.userfile.understanding import understand

    found = understand([Path(part) for part in file.split(",")], orientation=orientation, labels=labels)
    click.echo(repr(found.data))
    for sentence in found.understood:
        click.echo(f"  {sentence}")
    for sentence in found.not_used:
        click.echo(f"  not used: {sentence}")


@data.command()
@click.argument("file")
@click.argument("out", type=click.Path(path_type=Path))
@_orientation
@_labels
def convert(file: str, out: Path, orientation: str | None, labels: Path | None) -> None:
    """Write what is understood of FILE in mvarena's own form to OUT, an .npz file."""
    from mvarena.errors import InvalidSetting
    from mvarena.loaders.userfile.npzform import write_npz
    from mvarena.loaders.userfile.understanding import understand

    if out.suffix != ".npz":
        raise InvalidSetting(f"{out} must end in .npz, the form that is written.")
    found = understand([Path(part) for part in file.split(",")], orientation=orientation, labels=labels)
    write_npz(found.data, out)
    click.echo(f"Wrote {out}: {found.data!r}")


def _card_of(name: str) -> str | None:
    """The card of the data set of that name, picked views or not; None where it needs no files."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.sources import source_named

    return source_named(name, installed_catalog()).card
