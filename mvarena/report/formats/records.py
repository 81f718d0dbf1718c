"""Tables as records, one per cell and unrounded, for whoever wants to compute on."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from mvarena.report.exports import csv_text
from mvarena.report.tables.model import Table

_COUNTS = ("n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")
RECORD_COLUMNS = (
    "dataset", "corruption", "rate", "metric", "contestant", "mean", "std", *_COUNTS, "status", "label_picked",
    "choice", "column", "shown", "rank", "below_control",
)  # fmt: skip


def csv_table(table: Table) -> str:
    """`table` as CSV with a head line; mean and std in the metric's own unit (not in percent), empty where none.

    column, shown : the column's head and the cell as all other forms of the table have them. rank : 1 for the best of
    its column, 2 for the second. below_control : whether it is marked as not above the better control.
    """
    records = ({name: _plain(value) for name, value in record.items()} for record in _records(table))
    return csv_text(pd.DataFrame(records, columns=list(RECORD_COLUMNS), dtype=object))


def _records(table: Table) -> Iterator[dict[str, object]]:
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            yield {
                "dataset": column.dataset or table.dataset,
                "corruption": column.corruption or table.corruption,
                "rate": column.rate,
                "metric": column.metric,
                "contestant": row.name,
                "mean": cell.mean,
                "std": cell.std,
                **{name: cell.counts.get(name) for name in _COUNTS},
                "status": cell.status,
                "label_picked": cell.label_picked,
                "choice": cell.choice,
                "column": column.full_head,
                "shown": cell.shown(cell.text),
                "rank": cell.rank or None,
                "below_control": cell.below,
            }


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
