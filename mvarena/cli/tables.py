"""Prints scores: as the papers' tables in a terminal, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import click
import pandas as pd
from rich.console import Console

from mvarena.analysis.aggregates import summarize
from mvarena.registry.catalog import installed_catalog
from mvarena.report.context import context_of
from mvarena.report.tables import build_tables
from mvarena.report.terminal import terminal_tables


def print_summary(scores: pd.DataFrame, metrics: Sequence[str]) -> None:
    """One table per data set, corruption and metric; wide ones are folded to the terminal's width."""
    context = context_of(installed_catalog(), scores["dataset"])
    summary = summarize(scores, metrics, directions=context.directions)
    tables = build_tables(
        summary,
        directions=context.directions,
        rate_meanings=context.rate_meanings,
        dataset_notes=context.dataset_notes,
    )
    console = Console()
    width = console.width if console.is_terminal else 120
    console = Console(width=width)
    console.print(terminal_tables(tables, width=width))


def print_json(scores: pd.DataFrame) -> None:
    """A JSON list with one object per trial, restart and metric."""
    click.echo(scores.to_json(orient="records", indent=2, double_precision=15))
