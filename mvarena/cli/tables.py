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


def default_metrics(scores: pd.DataFrame, nmi: str = "nmi") -> list[str]:
    """What is shown unless the user names metrics: ACC and NMI, or what needs no classes where there are none."""
    there = set(scores["metric"].dropna())
    unlabelled = [metric for metric in ("silhouette", "stability") if metric in there]
    return ["acc", nmi] if "acc" in there or not unlabelled else unlabelled


def print_summary(scores: pd.DataFrame, metrics: Sequence[str], *, every_variant: bool = False) -> None:
    """One table per data set, corruption and metric; wide ones are folded to the terminal's width."""
    context = context_of(installed_catalog(), scores["dataset"])
    summary = summarize(scores, metrics, directions=context.directions, every_variant=every_variant)
    tables = build_tables(
        summary,
        directions=context.directions,
        rate_meanings=context.rate_meanings,
        dataset_notes=context.dataset_notes,
        percent=context.percent,
    )
    console = Console()
    width = console.width if console.is_terminal else 120
    console = Console(width=width)
    console.print(terminal_tables(tables, width=width))


def print_json(scores: pd.DataFrame) -> None:
    """A JSON list with one object per trial, restart and metric."""
    click.echo(scores.to_json(orient="records", indent=2, double_precision=15))
