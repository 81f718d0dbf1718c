"""`mvarena reproduce`: tables of papers run again, beside the published numbers, and the pages that show them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mvarena.cli.main import INTERRUPTED_EXIT
from mvarena.cli.options import as_typed
from mvarena.cli.output import say, table_console
from mvarena.cli.study_options import study_option, typed
from mvarena.errors import InvalidSetting, StoreError

if TYPE_CHECKING:
    from pandas import DataFrame

    from mvarena.papers.model import AnyItem
    from mvarena.papers.page import Book
    from mvarena.papers.render import Rendered
    from mvarena.papers.reproduce import Again, Planned
    from mvarena.study.settings import Layer

_EXAMPLES = """\b
Examples:
  mvarena reproduce --list
  mvarena reproduce apmc-table-1
  mvarena reproduce mic --jobs 2
  mvarena reproduce --all --stored
  mvarena reproduce --all --check
  mvarena reproduce --quick
"""
_QUICK_S = 50.0  # seconds of stored trials that `--quick` runs again
_WITHIN = 1.0  # points: the largest difference that it accepts


@click.command(epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--list", "as_list", is_flag=True, help="Show what can be reproduced, and run nothing.")
@click.option("--all", "everything", is_flag=True, help="Every table and figure of every paper.")
@click.option("--quick", is_flag=True, help="Run a few stored trials again (a minute or two in all) and compare them "
                                            "with the stored results: exit code 1 if one differs.")  # fmt: skip
@click.option(
    "--check", is_flag=True, help="Run nothing; exit code 1 if a page differs from what the stored results give."
)
@click.option("--stored", is_flag=True, help="Run nothing; write the pages from the stored results.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Folder of the pages, with a folder for each paper; by default reports. --quick and --check use "
                   "the pages that mvarena was installed from if there is no such folder.")  # fmt: skip
@study_option("jobs")
@click.option(
    "--timeout", "timeout_s", metavar="TIME",
    help="Wall-clock limit of a trial, such as 90s or 10m; by default that of the study.",
)  # fmt: skip
def reproduce(
    names: tuple[str, ...],
    as_list: bool,
    everything: bool,
    quick: bool,
    check: bool,
    stored: bool,
    out: Path | None,
    jobs: str | None,
    timeout_s: str | None,
) -> None:
    """Reproduce tables and figures of papers: NAME is one of them (apmc-table-1) or a paper (apmc).

    What is not stored yet is run; the paper's numbers are shown beside ours, and its page and .csv files are written.
    Data and methods that are missing are reported.
    """
    from mvarena.papers.catalog import asked
    from mvarena.papers.page import Book

    if as_list:
        _print_list(names)
        return
    if not (names or everything or quick or check):
        raise InvalidSetting(
            "name a table or figure, such as apmc-table-1, or a paper, or give --all; --list shows them."
        )
    if names and everything:
        raise InvalidSetting("give either names or --all, not both.")
    out = out or _folder(checking=quick or check)
    text = typed({"jobs": jobs, "timeout_s": timeout_s})
    good = []
    for paper, items in list(asked(names)):
        book = Book(paper, out / paper.name)
        if check:
            good.append(_check(book))
        elif quick:
            good.append(_again(book, items, text))
        else:
            good.append(_reproduce(book, items, stored, text))
    sys.exit(0 if all(good) else 1)


def _folder(checking: bool) -> Path:
    """The folder of the pages where none is named: to be checked, also that of the checkout that runs."""
    here, installed_from = Path("reports"), Path(__file__).parents[2] / "reports"
    return installed_from if checking and not here.is_dir() and installed_from.is_dir() else here


def _print_list(names: Sequence[str]) -> None:
    from rich.table import Table as Grid

    from mvarena.papers.catalog import asked
    from mvarena.papers.model import gaps

    grid = Grid("name", "what", "study", box=None, pad_edge=False)
    for paper, items in asked(names):
        grid.add_row(paper.name, paper.source, "", style="bold")
        for item in items:
            grid.add_row(f"  {item.name}", "\n".join([item.title, *gaps(item)]), item.study)
    table_console(160).print(grid)


def _reproduce(book: Book, items: Sequence[AnyItem], stored: bool, said: Layer) -> bool:
    """Run what is missing unless `stored`, then print and write; whether every trial ended well."""
    good = True
    if not stored:
        good = _run_missing(book, items, said)
        if not book.db.exists():
            say(f"{book.paper.name} cannot be run here, and no results of it are stored.", err=True)
            return False
    rendered = _stored(book)
    for item in items:
        say(f"\n{rendered.item(item)}")
    written = book.write(rendered)
    say(f"\nWrote {book.page} and {len(written) - 1} files beside it, from {book.db}.")
    return good


def _run_missing(book: Book, items: Sequence[AnyItem], said: Layer) -> bool:
    from mvarena.cli.progress import RunProgress
    from mvarena.contracts.outcome import Status
    from mvarena.papers.page import metrics_of
    from mvarena.running import preview_of_plan, run_plan
    from mvarena.store.database import open_database
    from mvarena.store.maintenance import thin

    good = True
    for study, planned in _plans(items, said):
        if not planned.plan.trials or _all_stored(book, planned):
            continue
        book.folder.mkdir(parents=True, exist_ok=True)
        book.db.parent.mkdir(parents=True, exist_ok=True)
        say(f"{book.paper.name}, study {study}:", err=True)
        with open_database(book.db) as db, RunProgress() as bar:
            ahead = preview_of_plan(db, planned.plan, planned.how)
            bar.planned(ahead)
            tally = run_plan(db, ahead, planned.how, asked=as_typed(study), on_progress=bar.advanced)
            if tally.interrupted:
                say(f"Interrupted; run the same command again to continue with {book.db}.", err=True)
                sys.exit(INTERRUPTED_EXIT)
            good &= not set(tally.ran) - {Status.DONE, Status.SKIPPED}
            thin(db, metrics_of(book.paper))
    return good


def _plans(items: Sequence[AnyItem], said: Layer) -> Iterator[tuple[str, Planned]]:
    """Study by study, with what cannot be had said. said : how to run them, besides what each study says."""
    from mvarena.papers.reproduce import planned

    for study in dict.fromkeys(item.study for item in items):
        result = planned(study, [item for item in items if item.study == study], said)
        for sentence in result.gone:
            say(f"Not available: {sentence}", err=True)
        yield study, result


def _all_stored(book: Book, planned: Planned) -> bool:
    """True if nothing is to be run, so that the database need not be touched."""
    from mvarena.store.readonly import open_to_read
    from mvarena.store.trials import finished

    if not book.db.exists():
        return False
    keys = {trial.key for trial in planned.plan.trials}
    with open_to_read(str(book.db)) as db:
        return finished(db, keys) == keys


def _check(book: Book) -> bool:
    outdated = book.outdated(_stored(book))
    for path in outdated:
        say(
            f"{path} differs from what {book.db} gives; write it again with 'mvarena reproduce "
            f"{book.paper.name} --stored'."
        )
    if not outdated:
        say(f"{book.page} and the files beside it agree with {book.db}.")
    return not outdated


def _again(book: Book, items: Sequence[AnyItem], said: Layer) -> bool:
    """Run a few stored trials again; whether each agrees, or depends on rounding that this processor does otherwise."""
    from mvarena.cli.progress import RunProgress
    from mvarena.papers.catalog import papers
    from mvarena.papers.page import metrics_of
    from mvarena.papers.reproduce import STORED_WITH, depending_on_rounding, means, run_again, sample
    from mvarena.study.building import run_options
    from mvarena.study.plan import Plan
    from mvarena.study.settings import laid_over
    from mvarena.system.openblas import can_use, processes_use

    value = _stored(book).found
    plans = [planned.plan for _, planned in _plans(items, said)]
    chosen = sample([trial for plan in plans for trial in plan.trials], value, _QUICK_S / len(papers()))
    if not chosen:
        say(f"{book.paper.name}: no stored trial can be run again here.")
        return True
    contents = {content: facts for plan in plans for content, facts in plan.contents.items()}
    how, metrics = run_options(laid_over([said])), metrics_of(book.paper)

    def rerun(plan: Plan, expected: DataFrame) -> tuple[list[Again], DataFrame]:
        with RunProgress() as bar:
            return run_again(plan, expected, metrics, how=how, on_plan=bar.planned, on_progress=bar.advanced)

    rounds_alike = can_use(STORED_WITH)
    with processes_use(STORED_WITH if rounds_alike else ""):
        results, here = rerun(Plan(chosen, (), contents=contents), means(value))
    wrong = [result for result in results if not result.agrees(_WITHIN)]
    ended = tuple(result.trial for result in wrong if result.difference is not None)
    excused: set[str] = set()
    if ended and not rounds_alike:
        say(f"Looking whether {len(ended)} trials depend on rounding.", err=True)
        excused = depending_on_rounding(Plan(ended, (), contents=contents), here, rerun)
    for item in wrong:
        why = item.reason if item.difference is None else f"it differs by {item.difference:.2f} points"
        note = ", and depends on rounding" if item.trial.key in excused else ""
        say(f"{item.trial.algorithm} on {item.trial.dataset}, {item.trial.key[:12]}: {why}{note}")
    if excused:
        say(
            f"Not counted: {len(excused)} of these {len(wrong)}. Other rounding changes them on this processor, too, "
            f"which lacks the routines of OpenBLAS that made the stored results ({STORED_WITH})."
        )
    largest = max((result.difference for result in results if result.difference is not None), default=float("nan"))
    say(
        f"{book.paper.name}: {len(results) - len(wrong)} of {len(results)} trials came out as stored, within "
        f"{_WITHIN:g} points; the largest difference is {largest:.2f}."
    )
    return len(wrong) == len(excused)


def _stored(book: Book) -> Rendered:
    """Page of a paper from its stored results; the database is closed again."""
    from mvarena.store.readonly import open_to_read

    if not book.db.exists():
        name = book.paper.name
        raise StoreError(
            f"no results of {name} are stored in {book.folder}; 'mvarena reproduce {name}' runs it. To use stored "
            "results, name the folder 'reports' of a checkout of mvarena with --out."
        )
    with open_to_read(str(book.db)) as db:
        return book.rendered(db)
