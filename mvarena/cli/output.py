"""Output of commands: text from plugins and files made safe, JSON documents, tables, durations."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from mvarena.text import visible, visible_lines

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from mvarena.report.data import ReportData
    from mvarena.report.tables.model import Table


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print prose with whatever a terminal would obey written out, and in a terminal broken between words."""
    text = visible_lines(text)
    width = prose_width(sys.stderr if err else sys.stdout)
    click.echo(text if width is None else wrapped(text, width), err=err, nl=nl)


def prose_width(stream: TextIO) -> int | None:
    """Columns of a terminal, or what COLUMNS says; None for a pipe or a file, whose lines stay whole."""
    if os.environ.get("COLUMNS", "").isdigit() or stream.isatty():
        return max(shutil.get_terminal_size().columns, _NARROWEST)
    return None


def wrapped(text: str, width: int, indent: int | None = None) -> str:
    """Lines of prose broken between words at `width`; a longer word stays whole.

    indent : blanks before the second and the following lines of each; None: as many as before the first.
    """

    def broken(line: str) -> str:
        blanks = len(line) - len(line.lstrip()) if indent is None else indent
        filling = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
        filling.subsequent_indent = " " * blanks
        return filling.fill(line)

    return "\n".join(broken(line) if len(line) > width else line for line in text.split("\n"))


def say_pairs(pairs: Iterable[tuple[str, str]], *, indent: int = 0, width: int = 0) -> None:
    """Print names with texts beside them in a column, which a terminal breaks between words.

    indent : blanks before the names. width : of the names; 0: that of the longest.
    """
    pairs = [(visible(name), visible(text)) for name, text in pairs]
    width = width or max((len(name) for name, _ in pairs), default=0)
    columns = prose_width(sys.stdout)
    for name, text in pairs:
        line = f"{' ' * indent}{name:<{width}}  {text}".rstrip()
        click.echo(line if columns is None else wrapped(line, columns, indent + width + 2))


_NARROWEST = 40


def say_path(path: Path) -> None:
    """Print a path: as it is for the next program of a pipe, which may need its every byte, else as `say` does."""
    if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):  # a stream that takes texts alone
        say(str(path))
    else:
        click.echo(os.fsencode(path))


def table_console(columns: int) -> Console:
    """Standard output for tables: as wide as the terminal, or `columns` where there is none.

    Texts are no markup: names of data sets hold brackets.
    """
    from rich.console import Console

    console = Console(markup=False)
    return console if console.is_terminal else Console(width=columns, markup=False)


UNFOLDED = 10_000  # columns: no line of ours is as long


def print_frame(frame: pd.DataFrame) -> None:
    """Print one line per row; long cells are folded in a terminal, and whole in a pipe."""
    import pandas as pd
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid
    from rich.text import Text

    table = Grid(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, pad_edge=False)
    for name in frame.columns:
        numbers = pd.api.types.is_numeric_dtype(frame[name])
        table.add_column(Text(str(name)), justify="right" if numbers else "left", overflow="fold")
    for row in frame.itertuples(index=False):
        # a name may hold what rich takes for a style, and what a terminal obeys
        table.add_row(*(Text(visible(str(value))) for value in row))
    table_console(UNFOLDED).print(table)


# `--json`: standard output holds one JSON document and nothing else, whatever plugins and methods print.

_STDOUT, _STDERR = 1, 2
_documents: list[TextIO] = []  # where the command that runs prints its document, innermost last


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """--json, given to the command as `as_json`; with it, what anybody prints but by `echo_json` goes to stderr."""

    @wraps(command)
    def alone_on_stdout(*args: Any, as_json: bool, **options: Any) -> Any:
        with ExitStack() as stack:
            if as_json:
                stack.enter_context(_kept_for_json())
            return command(*args, as_json=as_json, **options)

    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")(alone_on_stdout)


def echo_json(value: Any, *, digits: int = 15) -> None:
    """Print `value` as the command's document; of a frame a list of its rows, numbers with so many decimals."""
    if hasattr(value, "to_json"):
        text = value.to_json(orient="records", indent=2, double_precision=digits, date_format="iso")
    else:
        text = json.dumps(_without_nan(value), indent=2, allow_nan=False)
    click.echo(text, file=_documents[-1] if _documents else sys.stdout)


def _without_nan(value: Any) -> Any:
    """The same with None for NaN and infinity, which JSON has not."""
    if isinstance(value, Mapping):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextmanager
def _kept_for_json() -> Iterator[None]:
    """Turn standard output to standard error, for Python, for C and for child processes, but for `echo_json`."""
    with ExitStack() as stack:
        _documents.append(stack.enter_context(_document_stream()))
        stack.callback(_documents.pop)
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


@contextmanager
def _document_stream() -> Iterator[TextIO]:
    """Standard output for one document; its usual descriptor leads to standard error meanwhile."""
    before = sys.stdout
    if not _is_descriptor(before, _STDOUT):  # a stream of somebody who calls the command from Python
        yield before
        return
    before.flush()
    kept = os.dup(_STDOUT)
    try:
        with suppress(OSError):  # standard error is closed: nothing can be turned to it
            os.dup2(_STDERR, _STDOUT)
        with os.fdopen(os.dup(kept), "w", encoding=before.encoding, errors=before.errors) as stream:
            yield stream
    finally:
        os.dup2(kept, _STDOUT)
        os.close(kept)


def _is_descriptor(stream: TextIO, number: int) -> bool:
    try:
        return stream.fileno() == number
    except (OSError, ValueError, AttributeError):
        return False


# Scores as the tables of a report, or as JSON.


def print_summary(results: ReportData, tables: Sequence[Table] | None = None, *, verbose: bool = False) -> None:
    """`tables`, by default the places and, where these are few, the results (`mvarena.report.index.printed_tables`).

    verbose : with all definitions and notes.
    """
    from mvarena.report.index import printed_tables

    shown = printed_tables(results) if tables is None else tables
    print_tables(shown, verbose=verbose, below=results.context.left_out)


def print_tables(tables: Sequence[Table], *, verbose: bool = False, below: str = "") -> None:
    """Tables of a report, and a sentence below them.

    Wide ones are folded to the terminal's width; a pipe gets the width that COLUMNS says, else whole lines.
    """
    from rich.console import Console

    from mvarena.report.formats.terminal import terminal_tables

    width = table_width()
    console = Console(width=width)
    console.print(terminal_tables(tables, width=width, verbose=verbose))
    if below:
        console.print(below, style="dim", markup=False, highlight=False)


def table_width() -> int:
    """Width of tables: the terminal's, else what COLUMNS says, else as much as they need."""
    from rich.console import Console

    console = Console()
    return console.width if console.is_terminal or os.environ.get("COLUMNS", "").isdigit() else UNFOLDED


# Seconds and memory in words.


def shown_duration(seconds: float) -> str:
    """'12 s', '3 min 20 s', '2 h 5 min', '3 d 4 h': two parts at most; below 10 s with one digit after the point."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    full = round(seconds)
    for unit, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if full >= size:
            rest = (full % size) // part
            return f"{full // size} {unit}" + (f" {rest} {smaller}" if rest else "")
    return f"{full} s"


def shown_memory(megabytes: float) -> str:
    """'300 MiB' or '1.5 GiB'."""
    return f"{megabytes:.0f} MiB" if megabytes < 1000 else f"{megabytes / 1024:.1f} GiB"
