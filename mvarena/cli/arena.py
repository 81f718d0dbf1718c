"""`mvarena arena`: releases of the arena, a method of one's own on their boards, and their pages."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.arena.suites import METRICS, SUITES
from mvarena.cli.lazy import SummaryGroup
from mvarena.cli.main import INTERRUPTED_EXIT
from mvarena.cli.options import ManyValues, as_typed
from mvarena.cli.output import echo_json, json_option, say, table_console
from mvarena.cli.study_options import study_option
from mvarena.study.keys import key_of_field
from mvarena.text import without_passwords

if TYPE_CHECKING:
    import pandas as pd

    from mvarena.arena.board import SuiteBoard
    from mvarena.running import Preview


_EXAMPLES = """\b
Examples:
  mvarena arena run my_method.py:MyMethod --lite
  mvarena arena board --lite
  mvarena arena release reports/arena-lite --db lite.db --suite arena-lite --name arena-lite-2027.5
  mvarena arena page reports/arena --check
  mvarena arena changes older/arena reports/arena
"""


@click.group(cls=SummaryGroup, epilog=_EXAMPLES)
def arena() -> None:
    """Releases of the arena: enter a method of your own, see the board, make a release and its page.

    A release is a folder with the results of a suite (mvarena show arena --kind study, or arena-lite), a card and a
    page; those of mvarena's repository are in its folder reports.
    """


# `mvarena arena run`: a newcomer under the exact conditions of a release, and where it stands.

_RUN_EXAMPLES = """\b
Examples:
  mvarena arena run my_method.py:MyMethod --lite
  mvarena arena run my_method.py:MyMethod --lite --param my-method.beta=0.1 --jobs 2
  mvarena arena run my_method.py:MyMethod --lite --grid lam=0.1,1,10
  mvarena arena run my-plugin-method --release reports/arena --db mine.db
"""


_lite = click.option("--lite", is_flag=True, help="The suite arena-lite in place of arena: minutes for most methods.")
_release = click.option(
    "--release",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The folder of a release; by default that of the suite in the folder reports here, or of the checkout.",
)


@arena.command("run", cls=ManyValues, many=("--param", "--grid"), epilog=_RUN_EXAMPLES)
@click.argument("method", metavar="METHOD")
@click.option("--grid", multiple=True, metavar="PARAMETER=VALUE,...", help="Tune a parameter over these values, too: "
              "defaults, a choice without classes, and the best by classes are compared.")  # fmt: skip
@_lite
@_release
@study_option("param")
@study_option("jobs")
@study_option("db")
@json_option
def enter(method: str, grid: tuple[str, ...], lite: bool, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Run METHOD alone under the conditions of a stored release, and show where it stands among all methods.

    METHOD is a class in a file (my_method.py:MyMethod), a program (algorithm.toml) or an installed algorithm. It runs
    under the release's conditions: data, masks, preparation, seeds and limits. Unfinished trials rank last. An
    interrupted run continues where it stopped. The last step checks whether its labels follow classes that it is not
    given. Exit code 1 if they do, or if a trial failed.
    """
    from mvarena.arena.newcomer import (
        check_same_data,
        columns_beside,
        entry_of,
        newer_steps,
        peeking_of_newcomer,
        placed,
        stored_board,
        told,
    )
    from mvarena.arena.release import release_of
    from mvarena.cli.progress import QUIET, USUAL, RunProgress
    from mvarena.contracts.outcome import Status
    from mvarena.running import run_blocks
    from mvarena.study.building import run_options
    from mvarena.system.sklearn_import import import_sklearn

    import_sklearn()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    suite = SUITES[lite]
    release = release_of(suite, folder)
    named = os.environ.get("MVARENA_DB")
    typed = {key_of_field(field): value for field, value in options.items() if value not in (None, ())}
    entry = entry_of(release, method, typed, {"db": named} if named else {}, _values(grid))
    how = run_options(entry.said)
    with RunProgress(QUIET if as_json else USUAL) as progress:

        def planned(ahead: Preview) -> None:
            check_same_data(release, ahead.plan)
            progress.planned(ahead, without_passwords(how.db))

        result = run_blocks(
            [*entry.blocks, *entry.tuned],
            how,
            asked=as_typed(suite),
            on_plan=planned,
            on_progress=progress.advanced,
            on_scoring=progress.scoring,
            shown=METRICS,
        )
    if result.tally.interrupted:
        say("Interrupted; run the same command again to go on.", err=True)
        sys.exit(INTERRUPTED_EXIT)
    of_grid = {trial.key for trial in result.plan.trials if dict(trial.params) != dict(result.plan.trials[0].params)}
    found = placed(release, result.scores[~result.scores["key"].isin(of_grid if grid else ())], how.db)
    if as_json:
        echo_json(found.table, digits=6)
    else:
        print_board(found, f"{release.name}, of {release.card.get('date', 'no date')}, with {found.against}")
        sentences = told(found, suite, entry.absent, entry.later)
        for sentence in filter(None, (*sentences, newer_steps(stored_board(release), result.scores))):
            say(sentence)
        if grid:
            print_columns(columns_beside(release, how.db, entry), str(found.against))
    if sentence := peeking_of_newcomer(result.plan, result.scores):
        say(f"{found.against} reads classes. {sentence}", err=True)
    if sentence or set(result.scores["status"]) - {Status.DONE, Status.SKIPPED}:
        sys.exit(1)


def _values(grid: Sequence[str]) -> dict[str, list[str]]:
    """'lam=0.1,1' as {'lam': ['0.1', '1']}. Raises UsageError for what is none."""
    found = {}
    for text in grid:
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise click.UsageError(f"--grid takes PARAMETER=VALUE,..., such as lam=0.1,1,10, not '{text}'.")
        found[name] = values.split(",")
    return found


def print_columns(table: pd.DataFrame, newcomer: str) -> None:
    """Print the columns of tuning; the newcomer's row is the first."""
    from rich.table import Table

    if newcomer.partition(" ")[0] not in set(table["method"]):
        say("No setting of the grid finished where the defaults did, so nothing can be chosen.")
        return
    grid = Table(
        title="Mean NMI of tuning, complete and half incomplete", title_justify="left", box=None, pad_edge=False
    )
    heads = (
        "default", "chosen without classes", "consensus", "best by classes *", "gain of the choice", "points", "corpora"
    )  # fmt: skip
    for name in ("method", *heads):
        grid.add_column(name, justify="left" if name == "method" else "right")
    for row in table.itertuples():
        numbers = (f"{value:.1f}" for value in (row.default, row.chosen, row.consensus, row.best))
        grid.add_row(row.method, *numbers, f"{row.gain:+z.1f}", f"{row.points:.0f}", f"{row.corpora:.0f}")
    table_console(120).print(grid)
    say("* needs the classes, and is not ranked. The choice without classes is by stability.")


def print_board(board: SuiteBoard, title: str) -> None:
    """Print the board; the newcomer's row is marked."""
    from rich.table import Table

    from mvarena.arena.board import NUMBERS

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in ("", "place", "method", *NUMBERS):
        table.add_column(name, justify="left" if name in ("", "method") else "right", no_wrap=name == "method")
    for name, cells in zip(board.table["contestant"], board.lines(), strict=True):
        own = name == board.against
        table.add_row(">" if own else "", *cells, style="bold" if own else None)
    table_console(120).print(table)
    say(
        "NMI and ACC are means over all conditions, empty for a method that did not finish under each. 'Behind the "
        "first' is in points of NMI over what both finished; below 0: ahead there. A rating of 1000 is the mean. "
        "'Place there' is that under the conditions which the method finished."
    )


# `mvarena arena release`, `page`, `board` and `changes`: releases made, checked, shown and compared.

_FOLDER = click.Path(path_type=Path, file_okay=False)


@arena.command(epilog="Example: mvarena arena release reports/arena --db run.db --suite arena --name arena-2027.1")
@click.argument("folder", type=_FOLDER, metavar="FOLDER")
@click.option("--db", "database", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="PATH",
              help="The database of the run, which stays as it is.")  # fmt: skip
@click.option("--suite", type=click.Choice(SUITES), required=True, help="The suite that was run.")
@click.option("--name", required=True, help="The release's name, such as arena-2027.1.")
@click.option("--since", type=_FOLDER, metavar="FOLDER", help="An earlier release that the page tells the changes "
              "from; it may be the one that is replaced.")  # fmt: skip
def release(folder: Path, database: Path, suite: str, name: str, since: Path | None) -> None:
    """Make a release in FOLDER of a run's database: a database without labels, a card (release.toml) and a page.

    The whole database, NAME.db, goes beside that of the run; the card names it with its size and sha256.
    """
    from mvarena.arena.publish import publish

    made = publish(database, folder, name, suite, since)
    say(f"Wrote {made.name} into {folder}: {made.db.stat().st_size / 1e6:.1f} MB of results, its card and its page; "
        f"with labels, {database.parent / made.name}.db.")  # fmt: skip


@arena.command(epilog="Example: mvarena arena page reports/arena --check")
@click.argument("folder", type=_FOLDER, metavar="FOLDER", default="reports/arena")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file is not what the database gives.")
@click.option("--whole", type=click.Path(path_type=Path, exists=True), metavar="PATH", help="The whole database, with "
              "labels, or its folder; without it, files that need it stay as they are.")  # fmt: skip
def page(folder: Path, check: bool, whole: Path | None) -> None:
    """Make the card, the page and the .csv files of the release in FOLDER again from its database."""
    from mvarena.arena.page import CHOICES, DEEP_BOARD, TUNING
    from mvarena.arena.publish import outdated, write_page
    from mvarena.arena.release import read_release

    made = read_release(folder)
    if not check:
        changed = write_page(made, whole)
        say(f"Wrote {', '.join(changed)} in {folder}." if changed else f"All files in {folder} are up to date.")
        return
    if wrong := outdated(made, whole):
        say(f"{', '.join(wrong)} in {folder}: not what the database gives; 'mvarena arena page {folder}' makes them.")
        sys.exit(1)
    checked = "" if whole else f"; {CHOICES}, {TUNING} and {DEEP_BOARD} were not made again (--whole)"
    say(f"The files in {folder} are what its database gives{checked}.")


@arena.command(epilog="Example: mvarena arena board --lite")
@_lite
@_release
@json_option
def board(lite: bool, folder: Path | None, as_json: bool) -> None:
    """Show the board of a release: every method with its rating, interval and scores, and what may be claimed."""
    from mvarena.arena.newcomer import stored_board
    from mvarena.arena.release import release_of

    made = release_of(SUITES[lite], folder)
    found = stored_board(made)
    if as_json:
        echo_json(found.table, digits=6)
        return
    print_board(found, f"{made.name}, of {made.card.get('date', 'no date')}")
    say(found.claim)


@arena.command(epilog="Example: mvarena arena changes older/arena reports/arena")
@click.argument("before", type=_FOLDER, metavar="BEFORE")
@click.argument("after", type=_FOLDER, metavar="AFTER", default="reports/arena")
@json_option
def changes(before: Path, after: Path, as_json: bool) -> None:
    """Show what changed from one release to another: new and gone methods, places, and scores of the same repeats."""
    from mvarena.arena.changes import changes as compared
    from mvarena.arena.changes import changes_part
    from mvarena.arena.newcomer import stored_board
    from mvarena.arena.release import read_release

    older, newer = read_release(before), read_release(after)
    boards = stored_board(older), stored_board(newer)
    if as_json:
        echo_json(compared(*boards), digits=6)
    else:
        say(changes_part(compared(*boards), older.name))
