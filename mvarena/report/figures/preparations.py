"""Data of scalings and fillings compared: the mean score of each method under each, over conditions that all share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from mvarena.analysis.conditions import Preparation
from mvarena.analysis.naming import by_name
from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN, shown_number
from mvarena.text import listed, plural

PREPARATION_COLUMNS = (
    "metric", "scaling", "filling", "contestant", "algorithm", "mean", "n_conditions", "of_conditions", "status",
    "label_picked", "shown", "title", "label", "metric_axis", "higher", "over", "left_out",
)  # fmt: skip
_POINT = ["dataset", "corruption", "rate"]
_FEWEST = 0.8  # share of the methods of a preparation that a condition needs
_LEAST_OF = 1 / 3  # share of all methods that a preparation needs


class _Shared(NamedTuple):
    """The preparations that are compared, the conditions at which all have results, and what is left out, in words."""

    preparations: list[tuple[str, str]]
    conditions: set[tuple[str, str, float]]
    left_out: str


def preparation_points(summaries: Iterable[tuple[Preparation, pd.DataFrame]], context: Context) -> pd.DataFrame:
    """One row per metric, scaling, filling and contestant, columns PREPARATION_COLUMNS; no rows below two of these.

    summaries : each scaling and filling with its `mvarena.analysis.summary.summarize`, the one that is shown elsewhere
    first. Scores are compared over the conditions at which four in five of each preparation's methods were run;
    preparations of less than a third of the methods, and those that have no condition in common with the others, are
    left out. mean : over the corpora of the means over their data sets and conditions, in the unit shown; NaN where a
    method lacks a condition. Methods that need no filling stand under each filling.
    """
    parts = [
        rows[rows["scaling"] == preparation.scaling].assign(scaling=preparation.scaling, filling=preparation.filling)
        for preparation, rows in summaries
    ]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["metric", "algorithm"])
    rows = rows[~rows["algorithm"].isin(context.controls)]
    first = (parts[0]["scaling"].iloc[0], parts[0]["filling"].iloc[0]) if parts and len(parts[0]) else ("", "")
    tables = [_of_metric(str(metric), part, first, context) for metric, part in rows.groupby("metric", sort=False)]
    tables = [table for table in tables if not table.empty]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=list(PREPARATION_COLUMNS))


def _of_metric(metric: str, rows: pd.DataFrame, first: tuple[str, str], context: Context) -> pd.DataFrame:
    shared = _shared(rows, first)
    if len(shared.preparations) < 2:
        return pd.DataFrame(columns=list(PREPARATION_COLUMNS))
    pairs = zip(rows["scaling"], rows["filling"], strict=True)
    compared = pd.Series([pair in shared.preparations for pair in pairs], index=rows.index)
    points = zip(*(rows[name] for name in _POINT), strict=True)
    rows = rows[compared & pd.Series([point in shared.conditions for point in points], index=rows.index)]
    entry = ["scaling", "filling", "contestant"]
    known = rows[rows["mean"].notna()]
    of_corpus = known.groupby([*entry, "corpus", "dataset"])["mean"].mean().groupby([*entry, "corpus"]).mean()
    result = rows.groupby(entry, sort=False).agg(
        algorithm=("algorithm", "first"), label_picked=("label_picked", "any"), n_conditions=("mean", "count")
    )
    unit = 100.0 if context.in_percent(metric) else 1.0
    result = result.join(unit * of_corpus.groupby(entry).mean()).reset_index()
    total = len(shared.conditions)
    done = result["n_conditions"] == total
    labels = context.contestants(result["contestant"].unique())
    n_sets = len({dataset for dataset, _, _ in shared.conditions})
    result = result.assign(
        metric=metric,
        mean=result["mean"].where(done),
        of_conditions=total,
        status=done.map({True: "DONE", False: "INCOMPLETE"}),
        shown=[
            shown_number(mean / unit, percent=unit > 1) if full else f"{count}/{total}" if count else NOT_RUN
            for mean, full, count in zip(result["mean"], done, result["n_conditions"], strict=True)
        ],
        title=[_title(*pair) for pair in zip(result["scaling"], result["filling"], strict=True)],
        label=result["contestant"].map(labels),
        metric_axis=context.metric_axis(metric),
        higher=context.directions.get(metric, True),
        over=f"{plural(total, 'condition')} on {plural(n_sets, 'data set')}",
        left_out=shared.left_out,
    )
    ordered = by_name(result, "label")
    places = {pair: place for place, pair in enumerate(shared.preparations)}
    order = [places[pair] for pair in zip(ordered["scaling"], ordered["filling"], strict=True)]
    return ordered.assign(order=order).sort_values("order", kind="stable")[list(PREPARATION_COLUMNS)]


def _title(scaling: str, filling: str) -> str:
    return f"{scaling} + {filling}" if filling else scaling


def _shared(rows: pd.DataFrame, first: tuple[str, str]) -> _Shared:
    """The preparations that can be compared, by scaling and filling, `first` before all others."""
    counts: dict[tuple[str, str], dict[tuple[str, str, float], int]] = {}
    methods: dict[tuple[str, str], int] = {}
    parts = {(str(scaling), str(filling)): part for (scaling, filling), part in rows.groupby(["scaling", "filling"])}
    for pair in sorted(parts, key=lambda pair: (pair[0] != first[0], pair[0], pair[1] != first[1], pair[1])):
        part = parts[pair]
        counts[pair] = part.groupby(_POINT)["contestant"].nunique().to_dict()
        methods[pair] = part["contestant"].nunique()
    most = max(methods.values(), default=0)
    kept = [pair for pair in counts if methods[pair] >= max(2, most * _LEAST_OF)]
    common = {
        pair: {point for point, count in counts[pair].items() if count >= _FEWEST * methods[pair]} for pair in kept
    }
    while kept and not set.intersection(*(common[pair] for pair in kept)):
        kept.remove(min(kept, key=lambda pair: (len(common[pair]), methods[pair], pair)))
    gone = [_title(*pair) for pair in counts if pair not in kept]
    words = f"not shown (few methods, or other data): {listed(gone)}" if gone else ""
    return _Shared(kept, set.intersection(*(common[pair] for pair in kept)) if kept else set(), words)


def best_first(points: pd.DataFrame) -> list[str]:
    """Contestants of one metric's points by their mean in the first column; who has none there comes last, by the
    mean over the others."""
    first = points.iloc[0]
    own = points[(points["scaling"] == first["scaling"]) & (points["filling"] == first["filling"])]
    sign = -1.0 if first["higher"] else 1.0
    means = pd.DataFrame(
        {
            "first": sign * own.set_index("contestant")["mean"],
            "every": sign * points.groupby("contestant")["mean"].mean(),
        }
    )
    return [str(name) for name in means.sort_values(["first", "every"], kind="stable").index]
