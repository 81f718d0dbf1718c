"""Tables as CSV: one line per cell, unrounded, for whoever wants to compute on."""

from __future__ import annotations

import csv
import io
import math

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
            dataset, corruption, name = map(csv_cell, (table.dataset, table.corruption, row.name))
            place = [dataset, corruption, repr(column.rate), csv_cell(column.metric), name]
            numbers = [_plain(cell.mean), _plain(cell.std), *(cell.counts[name] for name in _COUNTS)]
            writer.writerow([*place, *numbers, cell.status, str(cell.label_picked).lower(), csv_cell(cell.choice)])
    return buffer.getvalue()


def _plain(value: float) -> str:
    return "" if math.isnan(value) else repr(value)
