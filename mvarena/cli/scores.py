"""Prints scores: as the papers' tables in a terminal, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from rich.console import Console

from mvarena.analysis.default_metrics import default_metrics as default_metrics
from mvarena.cli.output import echo_json
from mvarena.registry.catalog import installed_catalog
from mvarena.report.context import context_of
from mvarena.report.data import Results
from mvarena.report.formats.terminal import terminal_tables
from mvarena.report.tables.model import Table


def results_of(
    scores: pd.DataFrame,
    metrics: Sequence[str],
    *,
    every_variant: bool = False,
    fits: pd.DataFrame | None = None,
    picks: pd.DataFrame | None = None,
    highlight: Sequence[str] = (),
    **on_request: Any,
) -> Results:
    """Scores with what the installed components say of themselves. Raises MvarenaError if there are none.

    on_request : what figures show that are drawn on request only (`Results`).
    """
    more = {name: frame for name, frame in (("fits", fits), ("picks", picks)) if frame is not None}
    context = context_of(installed_catalog(), scores["dataset"])
    return Results(
        scores=scores,
        context=context,
        metrics=metrics,
        every_variant=every_variant,
        highlight=highlight,
        **more,
        **on_request,
    )


def print_summary(results: Results, tables: Sequence[Table] | None = None) -> None:
    """`tables`, by default one per data set, corruption and metric; wide ones are folded to the terminal's width."""
    console = Console()
    width = console.width if console.is_terminal else 120
    console = Console(width=width)
    console.print(terminal_tables(results.tables if tables is None else tables, width=width))


def print_json(scores: pd.DataFrame) -> None:
    """A JSON list with one object per trial, restart and metric."""
    echo_json(scores.to_json(orient="records", indent=2, double_precision=15))
