"""Tables as data: which number stands where, which is best, what is said below. Renderers only set type."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from mvarena.analysis.contestants import by_name
from mvarena.report.captions import measured, notes, setting
from mvarena.report.wording import (
    NOT_RUN,
    PICKED_MARK,
    STATUS_WORDS,
    fraction_metrics,
    metric_label,
    rate_axis,
    shown_number,
)

_CHECKED = ("n_runs", "n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One point of one contestant.

    text : the mean as shown ('74.21'), or the word for what became of it ('timeout'). deviation : the standard
    deviation as shown, '' for a single value. share : '3/5' where only 3 of 5 trials gave a value.
    rank : 1 best of its column, 2 second, 0 otherwise. mean, std : unrounded, in the metric's own unit.
    counts : n_runs, n_trials, n_stored, n_nan, unscored, failed, skipped. status : as in the summary, or 'NOT_RUN'.
    """

    text: str
    deviation: str = ""
    share: str = ""
    rank: int = 0
    mean: float = math.nan
    std: float = math.nan
    status: str = "NOT_RUN"
    label_picked: bool = False
    choice: str = ""
    counts: Mapping[str, int]

    def shown(self, mean: str, plus_minus: str = " ± ") -> str:
        """The cell with its mean set as `mean` (bold, underlined, or as it is)."""
        return (
            f"{mean}{plus_minus + self.deviation if self.deviation else ''}{f' ({self.share})' if self.share else ''}"
        )


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a rate of a metric."""

    head: str
    metric: str
    rate: float


@dataclass(frozen=True, slots=True)
class Row:
    """One contestant; `label` is its name with a mark if ground truth picked its numbers."""

    name: str
    label_picked: bool
    cells: tuple[Cell, ...]

    @property
    def label(self) -> str:
        return f"{self.name} {PICKED_MARK}" if self.label_picked else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: contestants down, and across the rates of one metric, or all metrics where there is one rate.

    metric : None where the columns are metrics. heading : what the columns are, in words.
    measured, setting : the sentences under it, on its numbers and on how they came about; caption is both.
    notes : what must be known of single cells.
    """

    dataset: str
    corruption: str
    metric: str | None
    title: str
    heading: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    measured: str
    setting: str
    notes: tuple[str, ...]

    @property
    def caption(self) -> str:
        return f"{self.measured}. {self.setting}"


def build_tables(
    summary: pd.DataFrame,
    *,
    directions: Mapping[str, bool],
    rate_meanings: Mapping[str, str],
    dataset_notes: Mapping[str, str],
    percent: frozenset[str] | None = None,
    rank_label_picked: bool = False,
) -> list[Table]:
    """The tables of a summary: per data set and corruption one for each metric, or a single one at a single rate.

    Parameters
    ----------
    summary : what `mvarena.analysis.aggregates.summarize` returns.
    directions : metric -> True where higher is better.
    rate_meanings, dataset_notes : words for the captions (see `captions.setting`).
    percent : metrics shown in percent; None: those whose means all lie within [-1, 1].
    rank_label_picked : lets numbers that ground truth picked be best or second, too.

    Best and second are decided on the numbers as shown, so that equal prints are equally best. A table of one
    contestant has no best. Contestants stand in the order of their names.
    """
    shown = fraction_metrics(summary) if percent is None else percent
    tables = []
    for (dataset, corruption), rows in summary.groupby(["dataset", "corruption"], sort=False):
        named = by_name(rows)
        for metric, columns in _layouts(rows):
            part = named if metric is None else named[named["metric"] == metric]
            lines = _rows(part, columns, shown)
            tables.append(
                Table(
                    dataset=dataset,
                    corruption=corruption,
                    metric=metric,
                    title=_title(dataset, corruption, metric, columns),
                    heading="metric" if metric is None else rate_axis(corruption),
                    columns=columns,
                    rows=_ranked(lines, columns, directions, rank_label_picked),
                    measured=measured(part, shown),
                    setting=setting(part, rate_meanings=rate_meanings, dataset_notes=dataset_notes),
                    notes=tuple(notes(part)),
                )
            )
    return tables


def _layouts(rows: pd.DataFrame) -> Iterator[tuple[str | None, tuple[Column, ...]]]:
    rates = sorted(float(rate) for rate in rows["rate"].unique())
    metrics = list(dict.fromkeys(rows["metric"]))
    if len(rates) == 1:
        yield None, tuple(Column(metric_label(metric), metric, rates[0]) for metric in metrics)
        return
    for metric in metrics:
        yield metric, tuple(Column(f"{rate:g}", metric, rate) for rate in rates)


def _title(dataset: str, corruption: str, metric: str | None, columns: tuple[Column, ...]) -> str:
    if metric is not None:
        return f"{metric_label(metric)} on {dataset} by {rate_axis(corruption)}"
    return f"{dataset}, {corruption} at rate {columns[0].rate:g}" if corruption != "none" else dataset


def _rows(part: pd.DataFrame, columns: tuple[Column, ...], percent: frozenset[str]) -> list[Row]:
    found = {(row["contestant"], row["metric"], row["rate"]): row for row in part.to_dict("records")}
    lines = []
    for name in dict.fromkeys(part["contestant"]):
        cells = tuple(_cell(found.get((name, column.metric, column.rate)), percent) for column in columns)
        lines.append(Row(name, any(cell.label_picked for cell in cells), cells))
    return lines


def _cell(row: dict[str, Any] | None, percent: frozenset[str]) -> Cell:
    if row is None:
        return Cell(text=NOT_RUN, counts=dict.fromkeys(_CHECKED, 0))
    in_percent = row["metric"] in percent
    counts = {name: int(row[name]) for name in _CHECKED}
    if row["status"] != "DONE":
        word = STATUS_WORDS.get(row["status"], str(row["status"]).lower())
        return Cell(text=word, status=row["status"], counts=counts)
    return Cell(
        text=shown_number(row["mean"], percent=in_percent),
        deviation="" if math.isnan(row["std"]) else shown_number(row["std"], percent=in_percent),
        share=f"{counts['n_trials']}/{counts['n_stored']}" if counts["n_trials"] < counts["n_stored"] else "",
        mean=float(row["mean"]),
        std=float(row["std"]),
        status=row["status"],
        label_picked=bool(row["label_picked"]),
        choice=row["choice"],
        counts=counts,
    )


def _ranked(
    rows: list[Row], columns: tuple[Column, ...], directions: Mapping[str, bool], rank_label_picked: bool
) -> tuple[Row, ...]:
    if len(rows) < 2:
        return tuple(rows)
    ranks = []
    for index, column in enumerate(columns):
        shown = [_competing(row.cells[index], rank_label_picked) for row in rows]
        values = sorted({value for value in shown if value is not None}, reverse=directions.get(column.metric, True))
        places = {value: place for place, value in enumerate(values[:2], start=1)}
        ranks.append([0 if value is None else places.get(value, 0) for value in shown])
    return tuple(
        replace(row, cells=tuple(replace(cell, rank=ranks[j][i]) for j, cell in enumerate(row.cells)))
        for i, row in enumerate(rows)
    )


def _competing(cell: Cell, rank_label_picked: bool) -> float | None:
    """The number as shown if it may be best or second; None if not."""
    may = cell.status == "DONE" and (rank_label_picked or not cell.label_picked)
    return float(cell.text) if may else None
