"""Frames as tables in the terminal; whole lines where the output is read by a program."""

from __future__ import annotations

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from mvarena.cli.output import table_console
from mvarena.text import visible

_UNFOLDED = 10_000  # columns: no line of ours is as long


def print_frame(frame: pd.DataFrame) -> None:
    """Print one line per row; long cells are folded in a terminal, and whole in a pipe."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False, pad_edge=False)
    for name in frame.columns:
        numbers = pd.api.types.is_numeric_dtype(frame[name])
        table.add_column(Text(str(name)), justify="right" if numbers else "left", overflow="fold")
    for row in frame.itertuples(index=False):
        # a name may hold what rich takes for a style, and what a terminal obeys
        table.add_row(*(Text(visible(str(value))) for value in row))
    table_console(_UNFOLDED).print(table)
