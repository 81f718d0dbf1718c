"""Tables as CSV: one line per cell, unrounded, for whoever wants to compute on."""

from __future__ import annotations

import csv
import io
import math

import pandas as pd

from mvarena.report.tables import Table
from mvarena.visible import csv_cell

_HEAD = (
    "dataset", "corruption", "rate", "metric", "contestant", "mean", "std", "n_runs", "n_trials", "n_stored", "n_nan",
    "unscored", "failed", "skipped", "status", "label_picked", "choice",
)  # fmt: skip
_COUNTS = ("n_runs", "n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")


def csv_table(table: Table) -> str:
    """`table` as CSV with a head line; mean and std in the metric's own unit (not in percent), empty where none.

    A name that a spreadsheet would run as a formula begins with an apostrophe.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_HEAD)
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            dataset, corruption = column.dataset or table.dataset, column.corruption or table.corruption
            rate = "" if math.isnan(column.rate) else repr(column.rate)
            place = [dataset, corruption, rate, column.metric, row.name]
            numbers = [_plain(cell.mean), _plain(cell.std), *(cell.counts.get(name, "") for name in _COUNTS)]
            line = [*place, *numbers, cell.status, str(cell.label_picked).lower(), cell.choice]
            writer.writerow([csv_cell(one) if isinstance(one, str) else one for one in line])
    return buffer.getvalue()


def points_csv(points: pd.DataFrame) -> str:
    """What a figure shows, as CSV: every column and row, numbers unrounded."""
    return points.map(lambda one: csv_cell(one) if isinstance(one, str) else one).to_csv(
        index=False, lineterminator="\n"
    )


def _plain(value: float) -> str:
    return "" if math.isnan(value) else repr(value)
