"""Scalings and fillings compared: the mean score of each method under each, over what all of them share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from mvarena.analysis.trial_values import POINT, common_repeats
from mvarena.text import listed, plural

PREPARATION_COLUMNS = (
    "metric", "scaling", "filling", "contestant", "algorithm", "mean", "n_conditions", "of_conditions", "status",
    "label_picked", "higher", "over", "left_out",
)  # fmt: skip
_PAIR = ["scaling", "filling"]
_FEWEST = 0.8  # share of the methods of a preparation that a condition needs
_LEAST_OF = 1 / 3  # share of all methods that a preparation needs


class _Shared(NamedTuple):
    """The preparations that are compared, the conditions at which all have results, and what is left out, in words."""

    preparations: list[tuple[str, str]]
    conditions: set[tuple[str, str, float]]
    left_out: str


def compared_preparations(values: pd.DataFrame, first: tuple[str, str], directions: Mapping[str, bool]) -> pd.DataFrame:
    """One row per metric, scaling, filling and contestant, columns PREPARATION_COLUMNS; no rows below two of these.

    values : one row per trial and metric (`mvarena.analysis.trial_values.trial_values`) of each preparation, with
    scaling and filling as of the preparation, under each of which a method stands that needs no filling. first : the
    preparation that is shown elsewhere; it comes first. Scores are compared over the conditions at which four in five
    of each preparation's methods were run, and the repeats that all preparations of a method have; preparations of less
    than a third of the methods, and those that have no condition in common with the others, are left out.
    mean : over the corpora of the means over their data sets and conditions, in the unit of the metric; NaN where a
    method lacks a condition.
    """
    parts = [
        _of_metric(str(metric), part, first, directions.get(str(metric), True))
        for metric, part in values.groupby("metric", sort=False)
    ]
    parts = [part for part in parts if not part.empty]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(PREPARATION_COLUMNS))


def _of_metric(metric: str, rows: pd.DataFrame, first: tuple[str, str], higher: bool) -> pd.DataFrame:
    shared = _shared(rows, first)
    if len(shared.preparations) < 2:
        return pd.DataFrame(columns=list(PREPARATION_COLUMNS))
    compared = pd.MultiIndex.from_frame(rows[_PAIR]).isin(shared.preparations)
    at_condition = pd.MultiIndex.from_frame(rows[POINT]).isin(list(shared.conditions))
    rows = rows[compared & at_condition]
    rows = rows[common_repeats(rows, [*POINT, "contestant"], among=_PAIR)]
    entry = [*_PAIR, "contestant"]
    cells = rows.groupby([*entry, "corpus", *POINT])["value"].agg(["mean", "count", "size"])
    means = cells["mean"].where(cells["count"] == cells["size"]).dropna()
    of_sets = means.groupby([*entry, "corpus", "dataset"]).mean()
    result = rows.groupby(entry, sort=False).agg(algorithm=("algorithm", "first"), label_picked=("label_picked", "any"))
    of_corpora = of_sets.groupby([*entry, "corpus"]).mean().groupby(entry).mean()
    result = result.join(of_corpora.rename("mean")).join(means.groupby(entry).size().rename("n_conditions"))
    result = result.reset_index().fillna({"n_conditions": 0}).astype({"n_conditions": int})
    total, n_sets = len(shared.conditions), len({dataset for dataset, _, _ in shared.conditions})
    done = result["n_conditions"] == total
    result = result.assign(
        metric=metric,
        mean=result["mean"].where(done),
        of_conditions=total,
        status=done.map({True: "DONE", False: "INCOMPLETE"}),
        higher=higher,
        over=f"{plural(total, 'condition')} on {plural(n_sets, 'data set')}",
        left_out=shared.left_out,
        order=[shared.preparations.index(pair) for pair in zip(result["scaling"], result["filling"], strict=True)],
    )
    return result.sort_values(["order", "contestant"], kind="stable")[list(PREPARATION_COLUMNS)]


def _shared(rows: pd.DataFrame, first: tuple[str, str]) -> _Shared:
    """The preparations that can be compared, by scaling and filling, `first` before all others."""
    counts: dict[tuple[str, str], dict[tuple[str, str, float], int]] = {}
    methods: dict[tuple[str, str], int] = {}
    parts = {(str(scaling), str(filling)): part for (scaling, filling), part in rows.groupby(_PAIR)}
    for pair in sorted(parts, key=lambda pair: (pair[0] != first[0], pair[0], pair[1] != first[1], pair[1])):
        part = parts[pair]
        counts[pair] = part.groupby(POINT)["contestant"].nunique().to_dict()
        methods[pair] = part["contestant"].nunique()
    most = max(methods.values(), default=0)
    kept = [pair for pair in counts if methods[pair] >= max(2, most * _LEAST_OF)]
    common = {
        pair: {point for point, count in counts[pair].items() if count >= _FEWEST * methods[pair]} for pair in kept
    }
    while kept and not set.intersection(*(common[pair] for pair in kept)):
        kept.remove(min(kept, key=lambda pair: (len(common[pair]), methods[pair], pair)))
    gone = [" + ".join(filter(None, pair)) for pair in counts if pair not in kept]
    words = f"Not shown (few methods, or other data): {listed(gone)}." if gone else ""
    return _Shared(kept, set.intersection(*(common[pair] for pair in kept)) if kept else set(), words)
