"""Tables as records, one per cell and unrounded: CSV and parquet, for whoever wants to compute on."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

import pandas as pd

from mvarena.report.exports import parquet_bytes
from mvarena.report.tables.model import Table
from mvarena.text import csv_cell

_COUNTS = ("n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")
_TYPES = {
    **dict.fromkeys(("dataset", "corruption", "metric", "contestant", "column", "shown", "status", "choice"), "string"),
    **dict.fromkeys(("rate", "mean", "std"), "float64"),
    **dict.fromkeys((*_COUNTS, "rank"), "Int64"),
    **dict.fromkeys(("label_picked", "below_control"), "boolean"),
}
RECORD_COLUMNS = (
    "dataset", "corruption", "rate", "metric", "contestant", "mean", "std", *_COUNTS, "status", "label_picked",
    "choice", "column", "shown", "rank", "below_control",
)  # fmt: skip


def csv_table(table: Table) -> str:
    """`table` as CSV with a head line; mean and std in the metric's own unit (not in percent), empty where none.

    column, shown : the column's head and the cell as all other forms of the table have them. rank : 1 for the best of
    its column, 2 for the second. below_control : whether it is marked as not above
    the better control.
    A name that a spreadsheet would run as a formula begins with an apostrophe.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(RECORD_COLUMNS)
    for record in _records(table):
        writer.writerow([_plain(record[name]) for name in RECORD_COLUMNS])
    return buffer.getvalue()


def parquet_table(table: Table) -> bytes:
    """The same records with types; names as they are. Raises InvalidSetting where pyarrow is not installed."""
    frame = pd.DataFrame(_records(table), columns=list(RECORD_COLUMNS))
    return parquet_bytes(frame.astype({name: _TYPES[name] for name in RECORD_COLUMNS}))


def points_csv(points: pd.DataFrame) -> str:
    """Data of a figure as CSV: every column and row, numbers unrounded."""
    words = points.select_dtypes(exclude="number")
    safe = {name: words[name].map(lambda one: csv_cell(one) if isinstance(one, str) else one) for name in words}
    return points.assign(**safe).to_csv(index=False, lineterminator="\n")


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


def _plain(value: object) -> str:
    """A number as Python writes it, which reads back exactly; true and false; a name that nobody runs."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return csv_cell(value) if isinstance(value, str) else repr(value)
