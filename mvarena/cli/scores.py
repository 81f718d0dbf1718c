"""Prints scores: as the papers' tables in a terminal, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from rich.console import Console

from mvarena.cli.output import echo_json
from mvarena.report.data import ReportData
from mvarena.report.formats.terminal import terminal_tables
from mvarena.report.tables.model import Table


def print_summary(results: ReportData, tables: Sequence[Table] | None = None) -> None:
    """`tables`, by default one per data set, corruption and metric; wide ones are folded to the terminal's width."""
    console = Console()
    width = console.width if console.is_terminal else 120
    console = Console(width=width)
    console.print(terminal_tables(results.tables if tables is None else tables, width=width))


def print_json(scores: pd.DataFrame) -> None:
    """A JSON list with one object per trial, restart and metric."""
    echo_json(scores.to_json(orient="records", indent=2, double_precision=15))
