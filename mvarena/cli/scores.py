"""Prints scores: as the papers' tables in a terminal, or as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pandas as pd
from rich.console import Console

from mvarena.cli.output import echo_json
from mvarena.report.data import ReportData
from mvarena.report.formats.terminal import terminal_tables
from mvarena.report.tables.model import Table

MOST_TABLES = 4  # that are printed one below the other
_UNBOUNDED = 10_000


def print_summary(results: ReportData, tables: Sequence[Table] | None = None, *, verbose: bool = False) -> None:
    """`tables`, by default one per data set, corruption and metric, or the overview in place of more than MOST_TABLES.

    Wide ones are folded to the terminal's width; a pipe gets the width that COLUMNS says, else whole lines.
    verbose : with all definitions and notes.
    """
    if tables is None:
        tables = results.tables if len(results.tables) <= MOST_TABLES else [results.overview]
    width = table_width()
    console = Console(width=width)
    console.print(terminal_tables(tables, width=width, verbose=verbose))
    if sentence := results.context.left_out:
        console.print(sentence, style="dim", markup=False, highlight=False)


def table_width() -> int:
    """Width of tables: the terminal's, else what COLUMNS says, else as much as they need."""
    console = Console()
    return console.width if console.is_terminal or os.environ.get("COLUMNS", "").isdigit() else _UNBOUNDED


def print_json(scores: pd.DataFrame) -> None:
    """A JSON list with one object per trial, restart and metric."""
    echo_json(scores.to_json(orient="records", indent=2, double_precision=15))
