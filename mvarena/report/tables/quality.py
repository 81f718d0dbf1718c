"""Quality of stored results as tables: what is missing, failed and why, collapsed, or no better than a baseline."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.report.context import Context
from mvarena.report.formatting import shown_number
from mvarena.report.notes import unfinished_notes
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table
from mvarena.report.tables.results import labelled

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "data sets and methods: what is missing, failed and why, collapsed, or no better than a baseline"
NEEDS = "a trial"
_DATASETS = {
    "corpus": "corpus",
    "samples": "samples",
    "classes": "classes",
    "one": "better baseline",
    "methods": "methods",
    "above": "above it",
    "missing": "no result %",
    "failed": "failed trials",
}
_METHODS = {
    "cells": "cells",
    "missing": "no result %",
    "failed": "failed trials",
    "skipped": "skipped trials",
    "below": "not above baseline %",
    "collapsed": "collapsed trials",
}


def tables(results: ReportData) -> list[Table]:
    """For each metric a table of data sets and one of methods, with the reasons of what did not finish.

    A cell is a method on a data set under one condition; one is missing where the method ran elsewhere and has no
    number there.
    """
    found = []
    reasons = tuple(unfinished_notes(labelled(results.methods, results.context), results.reported.kept))
    for metric, rows in results.methods.groupby("metric", sort=False):
        of_methods = _of_methods(rows, str(metric), results.collapsed, results.context)
        found += [of_datasets(results, str(metric)), replace(of_methods, notes=reasons)]
    return found


def of_datasets(results: ReportData, metric: str) -> Table:
    """The table of data sets by one metric."""
    trials = results.reported.trials.drop_duplicates("dataset")
    sizes = {
        dataset: (len(known), len(set(known[known >= 0].tolist())))
        for dataset, content in zip(trials["dataset"], trials["content"], strict=True)
        if (known := results.classes.get(content)) is not None
    }
    return _of_datasets(results.methods[results.methods["metric"] == metric], metric, sizes, results.context)


def separated(rows: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Data set -> how many methods are above the better control under all of its conditions, and how many have values.

    rows : of one metric, with the column above.
    """
    known = rows[rows["mean"].notna()]
    by_method = known.groupby(["dataset", "contestant"])["above"].all()
    counts = by_method.groupby(level="dataset").agg(["sum", "size"])
    return {str(name): (int(above), int(size)) for name, above, size in counts.itertuples()}


def _of_datasets(rows: pd.DataFrame, metric: str, classes: Mapping[str, tuple[int, int]], context: Context) -> Table:
    n_methods = rows["contestant"].nunique()
    above = separated(rows)
    points = rows[["dataset", "corruption", "rate"]].drop_duplicates()["dataset"].value_counts()
    counts = rows.groupby("dataset").agg(
        corpus=("corpus", "first"), control=("control", "first"), cells=("mean", "count"), failed=("failed", "sum")
    )
    lines = []
    for dataset in sorted(counts.index, key=natural_order):
        corpus, control, cells, failed = counts.loc[dataset]
        samples, n_classes = classes.get(dataset, (None, None))
        passed, counted = above.get(dataset, (0, 0))
        known = not math.isnan(control)
        values = {
            "corpus": Cell(text=str(corpus)),
            "samples": _count(samples),
            "classes": _count(n_classes),
            "one": _number(control, metric, context),
            "methods": _count(counted),
            "above": _count(passed if known else None),
            "missing": _share(1 - cells / max(1, n_methods * points[dataset])),
            "failed": _count(int(failed)),
        }
        lines.append(Row(dataset, context.dataset(dataset), False, tuple(values[name] for name in _DATASETS)))
    about_controls = (
        "A method is above the baseline of a data set if it is so under every condition, by the 95 % interval of the "
        "difference. Data on which hardly any method is above the baseline do not separate methods."
    )
    setting = about_controls if rows["control"].notna().any() else ""
    return _table("data set", lines, _DATASETS, metric, context, f"Data sets by {context.metric(metric)}", setting)


def _of_methods(rows: pd.DataFrame, metric: str, collapsed: pd.DataFrame, context: Context) -> Table:
    conditions = len(rows.drop_duplicates(["dataset", "corruption", "rate"]))
    of_contestant = collapsed.groupby("contestant")["n_collapsed"].sum().to_dict()
    labels = context.contestants(rows["contestant"].unique())
    known = rows["mean"].notna() & rows["control"].notna()
    below = (~rows.loc[known, "above"].astype(bool)).groupby(rows["contestant"]).mean().to_dict()
    counts = rows.groupby("contestant").agg(
        cells=("mean", "count"), failed=("failed", "sum"), skipped=("skipped", "sum")
    )
    lines = []
    for name in sorted(labels, key=lambda contestant: natural_order(labels[contestant])):
        cells, failed, skipped = map(int, counts.loc[name])
        values = {
            "cells": _count(cells),
            "missing": _share(1 - cells / max(1, conditions)),
            "failed": _count(failed),
            "skipped": _count(skipped),
            "below": _share(below.get(name, math.nan)),
            "collapsed": _count(int(of_contestant.get(name, 0))),
        }
        lines.append(Row(name, labels[name], False, tuple(values[key] for key in _METHODS)))
    about = (
        "Missing: the share of data sets and conditions without a number. Collapsed: trials whose labellings have "
        "fewer than half of the clusters asked for."
    )
    return _table("method", lines, _METHODS, metric, context, f"Methods by {context.metric(metric)}", about)


def _table(
    head: str, lines: list[Row], heads: Mapping[str, str], metric: str, context: Context, title: str, setting: str
) -> Table:
    """The table without the columns of which nothing is known in any row, such as classes where there are none."""
    what = head.replace(" ", "-")
    shown = [
        index for index in range(len(heads)) if not lines or any(line.cells[index] is not NO_NUMBER for line in lines)
    ]
    rows = tuple(replace(line, cells=tuple(line.cells[index] for index in shown)) for line in lines)
    columns = tuple(Column(text, f"{name} of {metric}", math.nan) for name, text in heads.items())
    return Table(
        kind=f"quality-{what}s",
        head=head,
        metric=metric,
        title=title,
        columns=tuple(columns[index] for index in shown),
        rows=rows,
        measured=f"Quality of the results by {context.metric(metric)}",
        setting=setting,
    )


def _count(value: int | None) -> Cell:
    return NO_NUMBER if value is None else Cell(text=f"{value}", mean=float(value))


def _share(value: float) -> Cell:
    return NO_NUMBER if math.isnan(value) else Cell(text=f"{100 * value:.0f}", mean=value)


def _number(value: float, metric: str, context: Context) -> Cell:
    text = shown_number(value, percent=context.in_percent(metric))
    return NO_NUMBER if math.isnan(value) else Cell(text=text, mean=value)
