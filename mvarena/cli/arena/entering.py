"""`mvarena arena run`: a newcomer under the exact conditions of a release, and where it stands."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mvarena.cli.options import ManyValues
from mvarena.cli.output import echo_json, json_option, say, table_console
from mvarena.cli.request import as_typed
from mvarena.cli.study_options import study_option

if TYPE_CHECKING:
    from mvarena.arena.board import Board
    from mvarena.running import Preview

_EXAMPLES = """\b
Examples:
  mvarena arena run my_method.py:MyMethod --lite
  mvarena arena run my_method.py:MyMethod --lite --param my-method.beta=0.1 --jobs 2
  mvarena arena run my-plugin-method --release reports/arena --db mine.db
"""


def lite_option(command: Any) -> Any:
    """--lite: the suite arena-lite in place of arena."""
    return click.option(
        "--lite", is_flag=True, help="The suite arena-lite in place of arena: minutes for most methods."
    )(command)


def release_option(command: Any) -> Any:
    """--release: the folder of a release."""
    text = "The folder of a release; by default that of the suite in the folder reports here, or of the checkout."
    kind = click.Path(path_type=Path)
    return click.option("--release", "folder", type=kind, metavar="FOLDER", help=text)(command)


@click.command("run", cls=ManyValues, many=("--param",), epilog=_EXAMPLES)
@click.argument("method", metavar="METHOD")
@lite_option
@release_option
@study_option("param")
@study_option("jobs")
@study_option("db")
@json_option
def enter(method: str, lite: bool, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Run METHOD alone under the conditions of a stored release, and show where it stands among all methods.

    METHOD is a class in a file (my_method.py:MyMethod), a program (algorithm.toml) or an installed algorithm. It gets
    the data, masks, preparation, seeds and limits that every method of the release got. What it does not finish ranks
    last. Interrupted runs go on where they stopped.
    """
    from mvarena.arena.entering import check_same_data, entry_of, placed, told
    from mvarena.arena.release import release_of
    from mvarena.arena.suites import METRICS, SUITES
    from mvarena.cli.main import INTERRUPTED_EXIT
    from mvarena.cli.progress import QUIET, USUAL, RunProgress
    from mvarena.engine.sklearn_import import import_sklearn
    from mvarena.running import run_blocks
    from mvarena.study.options import run_options

    import_sklearn()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    suite = SUITES[lite]
    release = release_of(suite, folder)
    named = os.environ.get("MVARENA_DB")
    entry = entry_of(suite, method, _typed(options), {"db": named} if named else {})
    with RunProgress(QUIET if as_json else USUAL) as progress:

        def planned(ahead: Preview) -> None:
            check_same_data(release, ahead.plan)
            progress.planned(ahead)

        result = run_blocks(
            entry.blocks,
            run_options(entry.said),
            asked=as_typed(suite),
            on_plan=planned,
            on_progress=progress.advanced,
            on_trouble=progress.trouble,
            shown=METRICS,
        )
    if result.tally.interrupted:
        click.echo("Interrupted; run the same command again to go on.", err=True)
        sys.exit(INTERRUPTED_EXIT)
    found = placed(release, result.scores)
    if as_json:
        echo_json(found.table.to_json(orient="records", indent=2, double_precision=6))
        return
    print_board(found, f"{release.name}, of {release.card.get('date', 'no date')}, with {found.against}")
    for sentence in told(found, entry.absent):
        say(sentence)


def _typed(options: dict[str, Any]) -> dict[str, Any]:
    names = {"params": "param", "jobs": "jobs", "db": "db"}
    return {names[field]: value for field, value in options.items() if value not in (None, ())}


def print_board(board: Board, title: str) -> None:
    """Print the board; the newcomer's row is marked."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in ("", "place", "method", "rating", "95 %", "mean rank", "NMI", "ACC", "CPU s", "unfinished"):
        table.add_column(name, justify="left" if name in ("", "method") else "right", no_wrap=name == "method")
    for row in board.table.itertuples():
        own = row.contestant == board.against
        span = "" if row.low != row.low else f"{row.low:.0f} to {row.high:.0f}"
        seconds = "" if row.seconds != row.seconds else f"{row.seconds:.2g}"
        table.add_row(
            ">" if own else "", str(row.place), board.labels[row.contestant], f"{row.rating:.0f}", span,
            f"{row.mean_rank:.1f}", _percent(row.nmi), _percent(row.acc), seconds,
            f"{row.unfinished} of {row.conditions}",
            style="bold" if own else None,
        )  # fmt: skip
    table_console(120).print(table)


def _percent(value: float) -> str:
    """Nothing where a method finished nothing."""
    return "" if value != value else f"{value:.1f}"
