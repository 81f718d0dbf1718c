"""Costs of the methods: seconds per trial by data set, and the peak of memory."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.report.formatting import NOT_RUN
from mvarena.report.tables.model import Cell, Column, Row, Table, number_cell, ranked_rows

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "seconds per trial, methods by data sets, and the peak of memory"
NEEDS = "a finished trial"
_MEMORY = "peak MiB"


def shown_seconds(value: float) -> str:
    """Three significant digits, and whole numbers beyond."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def tables(results: ReportData) -> list[Table]:
    """Methods by data sets: mean and deviation over all conditions and repeats of what finished trials took."""
    context, kept = results.context, results.reported.kept
    trials = kept[~kept["algorithm"].isin(context.controls)]
    trials = trials if len(trials) else kept
    if not (trials["status"] == "DONE").any():
        return []
    labels = context.contestants(trials["contestant"].unique())
    datasets = sorted(trials["dataset"].unique(), key=natural_order)
    columns = tuple(Column(context.dataset(name), "wall_s", math.nan, name) for name in datasets)
    parts = dict(list(trials.groupby(["contestant", "dataset"])))
    rows = []
    for name in sorted(labels, key=lambda name: natural_order(labels[name])):
        cells = tuple(_seconds(parts.get((name, dataset))) for dataset in datasets)
        own = trials[(trials["contestant"] == name) & (trials["status"] == "DONE")]
        peak = float(own["peak_rss_mb"].max()) if len(own) else math.nan
        rows.append(Row(name, labels[name], False, (*cells, number_cell(f"{peak:.0f}", peak))))
    columns += (Column(_MEMORY, "peak_rss_mb", math.nan),)
    table_rows = ranked_rows(rows, columns, {"wall_s": False, "peak_rss_mb": False})
    partial = any(cell.share for row in table_rows for cell in row.cells)
    return [
        Table(
            kind="costs",
            title="Seconds per trial and peak memory, all conditions",
            heading="data set",
            columns=columns,
            rows=table_rows,
            measured="Wall-clock seconds of a trial: preparation, fit, assignment of all restarts, scoring; and the "
            "largest resident memory of its process (MiB), interpreter and data included",
            setting="Means over all conditions and repeats; ± is one standard deviation (n − 1).",
            notes=("(a/b): a of b trials finished.",) if partial else (),
        )
    ]


def _seconds(part: pd.DataFrame | None) -> Cell:
    if part is None:
        return Cell(text=NOT_RUN)
    own = part.loc[part["status"] == "DONE", "wall_s"].to_numpy(float)
    counts = {"n_trials": len(own), "n_stored": len(part)}
    if not own.size:
        return Cell(text=NOT_RUN, counts=counts)
    mean, std = float(np.mean(own)), float(np.std(own, ddof=1)) if own.size > 1 else math.nan
    return Cell(
        text=shown_seconds(mean),
        deviation="" if math.isnan(std) else shown_seconds(std),
        share=f"{len(own)}/{len(part)}" if len(own) < len(part) else "",
        mean=mean,
        std=std,
        status="DONE",
        counts=counts,
    )
