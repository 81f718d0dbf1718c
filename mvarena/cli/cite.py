"""`mvarena cite`: BibTeX for what a study used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import SEVERAL_FILTERS, ManyValues, database_option, filter_from, filter_options
from mvarena.cli.output import say
from mvarena.errors import InvalidSetting

if TYPE_CHECKING:
    from mvarena.registry.catalog import Catalog
    from mvarena.store.filters import Filter

_EXAMPLES = """\b
Examples:
  mvarena cite --db results.db > study.bib
  mvarena cite --data digits --algo "mkkm-*" --out study.bib
  mvarena cite apmc digits scikit-learn
"""


@click.command(cls=ManyValues, many=SEVERAL_FILTERS, epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@database_option("Without names: the results database whose methods, data and tools are cited.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write; by default the terminal.")
@filter_options
def cite(names: tuple[str, ...], database: str, out: Path | None, **options: Any) -> None:
    """Print BibTeX for the methods, data and tools NAME..., or for all that the stored results used."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.registry.citations import cite as citations
    from mvarena.report.files import write_file

    catalog, only = installed_catalog(), filter_from(options)
    if names and only:
        raise InvalidSetting("give either names to cite or filters of stored results, not both.")
    versions: dict[str, str] = {}
    if not names:
        names, versions, unknown = _used(database, only, catalog)
        for sentence in unknown:
            say(sentence, err=True)
    else:
        for name in names:
            if not citations([name], {}, catalog).entries:
                say(f"{name} is defined by mvarena: cite mvarena for it.", err=True)
    text = citations(names, versions, catalog).bibtex()
    if out is None:
        click.echo(text, nl=False)
        return
    write_file(out, text)
    say(f"Wrote {text.count('% ')} entries to {click.format_filename(out)}.", err=True)


def _used(database: str, only: Filter, catalog: Catalog) -> tuple[tuple[str, ...], dict[str, str], list[str]]:
    """Methods and data that the results used, the versions of the tools, and sentences on missing references."""
    from mvarena.registry.citations import TOOLS
    from mvarena.store.filters import chosen
    from mvarena.store.overview import environments_of, trials_frame
    from mvarena.store.readonly import open_to_read

    with open_to_read(database) as db:
        where = chosen(db, only)
        frame = trials_frame(db, where)
        tools = [json.loads(text) for text in environments_of(db, where)]
    known = {kind: set(catalog.names(kind)) for kind in ("algorithm", "dataset", "corruption")}
    used = {"algorithm": sorted(set(frame["algorithm"]))}
    used["dataset"] = sorted({name.partition("[")[0] for name in frame["dataset"]})
    chains = {part.partition("[")[0].partition(":")[0] for text in frame["corruption"] for part in text.split("+")}
    used["corruption"] = sorted(chains & known["corruption"])
    gone = [f"{kind} {name}" for kind, names in used.items() for name in names if name not in known[kind]]
    sentences = [f"No source is known for {item}: it is your own, or it is not installed here." for item in gone]
    names = [name for kind, item in used.items() for name in item if name in known[kind]]
    versions = {name: ", ".join(sorted({tool[name] for tool in tools if name in tool})) for name in TOOLS}
    return (*names, *TOOLS), versions, sentences
