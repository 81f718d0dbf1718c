"""`mvarena data`: which data sets are at hand, fetch them, and where their files are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mvarena.cli.lazy import SummaryGroup
from mvarena.cli.options import ManyValues
from mvarena.cli.output import UNFOLDED, echo_json, json_option, say, say_path, table_console
from mvarena.cli.study_options import study_option, typed
from mvarena.errors import InvalidSetting, MvarenaError
from mvarena.text import visible

if TYPE_CHECKING:
    from mvarena.contracts.data_source import DataSource, SourceCard
    from mvarena.contracts.reader import Understanding
    from mvarena.contracts.source import OutcomeFile


_INSPECT_EXAMPLES = """\b
Examples:
  mvarena data inspect my/data.mat
  mvarena data inspect rna.csv,protein.csv --outcomes clinic.csv --time days --event death
"""
Function = TypeVar("Function", bound=Callable[..., Any])


@click.group(cls=SummaryGroup)
def data() -> None:
    """List data sets, download, check and import their files, and inspect files of your own.

    \b
    Examples:
      mvarena data list
      mvarena data fetch 3sources
      mvarena data fetch arena-lite
      mvarena data path digits
      mvarena data verify
      mvarena data import flower17 ~/Downloads/flowers
      mvarena data inspect my/data.mat
      mvarena data convert my/data.mat clean.npz
    """


@data.command("list", epilog="Example: mvarena data list")
@json_option
def list_data(as_json: bool) -> None:
    """List the data sets: whether they are available, size, samples, clusters, views and terms."""
    entries = _entries()
    if as_json:
        echo_json(entries)
        return

    print_datasets(entries)


def _entries() -> list[dict[str, Any]]:
    """Description of each data set; for one that cannot be imported or described, the reason."""
    from mvarena.registry.catalog import installed_catalog

    entries = []
    for name in installed_catalog().names("dataset"):
        try:
            entries.append(_entry(_data_source(name).describe()))
        except MvarenaError as error:
            say(f"{name}: {error}", err=True)
    return entries


def _entry(card: SourceCard) -> dict[str, Any]:
    return {
        "name": card.name,
        "state": card.state if card.files else "drawn at random" if card.generated else "ready",
        "size": _size(card.bytes) if card.files else "",
        "terms": card.terms,
        "samples": card.samples,
        "clusters": card.clusters,
        "acc_of_one_cluster": card.acc_of_one_cluster,
        "missing": list(card.missing),
        "views": [view.name for view in card.views],
    }


def _size(n_bytes: int) -> str:
    if not n_bytes:
        return "?"
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"


_FETCH_EXAMPLES = """\b
Examples:
  mvarena data fetch 3sources
  mvarena data fetch arena-lite
"""


@data.command(epilog=_FETCH_EXAMPLES)
@click.argument("name")
def fetch(name: str) -> None:
    """Download the files of a data set, or of all data sets of a study such as arena-lite, and check them.

    Of a study, what cannot be downloaded is listed with where its files come from (exit code 1).
    """
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.file import shipped_studies, study_at

    if name not in shipped_studies() or name in installed_catalog().names("dataset"):
        with _downloads() as advance:
            result = _data_source(name).fetch(advance)
        _show_paths(name, result)
        return
    named = [text for said in study_at(name).said() for text in said.settings["data"]]
    datasets, unavailable = list(dict.fromkeys(text.partition("[")[0] for text in named)), []
    with _downloads() as advance:
        for dataset in datasets:
            try:
                _data_source(dataset).fetch(advance)
            except MvarenaError as error:
                unavailable.append(str(error))
    for reason in unavailable:
        say(reason)
    say(f"{len(datasets) - len(unavailable)} of {len(datasets)} data sets of {name} are available.")
    if len(unavailable) < len(datasets):
        say(f"To run it on these: mvarena run {name}")
    if unavailable:
        sys.exit(1)


@contextmanager
def _downloads() -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar for each file that is downloaded; yields the function that `DataSource.fetch` reports to."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, transient=True, console=Console(stderr=True)) as bar:
        tasks: dict[str, Any] = {}

        def advance(file: str, so_far: int, total: int | None) -> None:
            if file not in tasks:
                tasks[file] = bar.add_task(file, total=total)
            bar.update(tasks[file], completed=so_far)

        yield advance


@data.command(epilog="Example: mvarena data path digits")
@click.argument("name")
def path(name: str) -> None:
    """Print the folder of a data set's files."""
    _show_paths(name, _data_source(name).files())


def _show_paths(name: str, found: tuple[Path, ...]) -> None:
    for path in found:
        say_path(path)
    if not found:
        say(f"{name} needs no files.")


@data.command(epilog="Example: mvarena data verify digits")
@click.argument("names", nargs=-1)
def verify(names: tuple[str, ...]) -> None:
    """Check files against their checksums, by default those of all available data sets."""
    from mvarena.registry.catalog import installed_catalog

    wrong = 0
    for name in names or installed_catalog().names("dataset"):
        for check in _data_source(name).verify():
            if check.path is None and not names:
                continue
            wrong += check.problem is not None
            say(f"{name}: {check.name}: {check.problem or 'ok'}")
    if wrong:
        sys.exit(1)


@data.command("import", epilog="Example: mvarena data import flower17 ~/Downloads/flowers")
@click.argument("name")
@click.argument("found", metavar="SOURCE", type=click.Path(path_type=Path))
def import_data(name: str, found: Path) -> None:
    """Put files that were downloaded by hand in place.

    SOURCE is a folder, a file or an archive of them.
    """
    for path in _data_source(name).put_in_place(found):
        say_path(path)


def _data_source(name: str) -> DataSource:
    """Source that the text names: a data set, with or without picked views, or files."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.sources import data_source, source_from_text

    return data_source(source_from_text(name), installed_catalog())


def _reading(command: Function) -> Function:
    """FILE, and how to read it: the options of these names that a study has."""
    for name in ("labels", "drop", "impute", "decimal", "header", "orientation"):
        command = study_option(name)(command)
    return click.argument("file")(command)


@data.command(cls=ManyValues, many=("--drop",), epilog=_INSPECT_EXAMPLES)
@_reading
@study_option("outcomes")
@study_option("time")
@study_option("event")
def inspect(file: str, **how: Any) -> None:
    """Show how a file of your own is read, and why.

    FILE is an .npz or .mat file, or .csv files with commas between them. With --outcomes, it may be the name of a data
    set.
    """
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.building import outcome_file
    from mvarena.study.preparation import scaling_decisions
    from mvarena.study.settings import laid_over

    outcomes = outcome_file(laid_over([typed({name: how.pop(name) for name in ("outcomes", "time", "event")})]))
    result = _understood(file, named=outcomes is not None, **how)
    say(repr(result.data))
    for sentence in result.understood:
        say(f"  {sentence}")
    if scaled := scaling_decisions(result.data, installed_catalog()):
        say(f"  scaling (auto), with the kind of each view: {scaled}")
    for sentence in result.not_used:
        say(f"  not used: {sentence}")
    if outcomes is not None:
        say(f"  {_outcomes_note(file, outcomes, **how)}")


def _outcomes_note(file: str, outcomes: OutcomeFile, **how: Any) -> str:
    """A sentence on the outcomes of the samples by a file of them. Raises InvalidData where the two do not fit."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.outcomes import outcomes_note, outcomes_of
    from mvarena.study.sources import data_source, load_source, source_from_text

    catalog = installed_catalog()
    source = replace(source_from_text(file, **how), outcomes=outcomes)
    content = data_source(source, catalog).content(load_source(source, catalog))
    table = outcomes_of(source, content, catalog)
    assert table is not None  # there is a file of them
    return outcomes_note(source, table).removeprefix(f"{source.name}: ")


@data.command(cls=ManyValues, many=("--drop",), epilog="Example: mvarena data convert my/data.mat clean.npz")
@_reading
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
def convert(file: str, out: Path, force: bool, **how: Any) -> None:
    """Convert a file of your own to an .npz file in mvarena's form."""
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.file_source import write_data

    _check_target(file, out, force)
    result = _understood(file, **how)
    write_data(result.data, out, installed_catalog())
    say(f"Wrote {out}: {result.data!r}")


def _check_target(file: str, out: Path, force: bool) -> None:
    if out.is_dir():
        raise InvalidSetting(f"{out} is a folder; name a file in it, such as {out / 'clean.npz'}.", field="out")
    if not out.exists():
        return
    if Path(file).exists() and out.samefile(file):
        raise InvalidSetting(f"{out} is the input file, which may hold more than the output; name another file.")
    if not force:
        raise InvalidSetting(f"{out} exists already; name another file, or add --force to replace it.")


def _understood(file: str, *, named: bool = False, **how: Any) -> Understanding:
    """Content of files, and the reasons for its interpretation; named : a data set's name is accepted, too."""
    from mvarena.contracts.reader import Understanding
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.sources import load_source, source_from_text, understand_source

    source, catalog = source_from_text(file, **how), installed_catalog()
    if named and not source.paths:
        return Understanding(load_source(source, catalog))
    return understand_source(source, catalog)


# The table of `mvarena data list`: whole in a pipe, and in a terminal as much of the terms as there is room for.

_NUMBERS = ("size", "n", "K", "V", "ACC1")
_HEADS = ("name", "state", *_NUMBERS, "terms")
_LEAST_WIDTH = 80


def print_datasets(entries: Sequence[Mapping[str, Any]]) -> None:
    """Print one line per data set, as `mvarena data list --json` gives them; only the end of its terms may be cut."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in _HEADS:
        table.add_column(head, justify="right" if head in _NUMBERS else "left", no_wrap=head != "terms")
    for entry in entries:
        table.add_row(*(Text(cell, no_wrap=True, overflow="ellipsis") for cell in _cells(entry)))
    console = table_console(UNFOLDED)
    console.width = max(console.width, _LEAST_WIDTH)
    console.print(table)
    say("\nn samples, K clusters, V views. ACC1: the ACC in percent of all samples in one cluster.\n"
        "Details of one: mvarena show NAME.", err=True)  # fmt: skip


def _cells(entry: Mapping[str, Any]) -> tuple[str, ...]:
    name, state, size, terms = (visible(str(entry[key])) for key in ("name", "state", "size", "terms"))
    n, k = ("" if entry[key] is None else str(entry[key]) for key in ("samples", "clusters"))
    acc = entry["acc_of_one_cluster"]
    n_views = str(len(entry["views"]) or "")
    return name, state, size, n, k, n_views, "-" if acc is None else f"{100 * acc:.1f}", terms
