"""Controls, below which a method has found nothing, and collapse: fewer clusters than were asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from mvarena.contracts.metric import Contingency

ONE_CLUSTER, RANDOM = "one-cluster", "random"
CONTROL_COLUMNS = ("content", "metric", "control", "value", "spread")
_DRAWS = 20
_LEVEL = 0.95
_LARGEST_QUANTILE = 12.71  # of Student's t at this level, with one degree of freedom
_ROUNDING = 1e-12

Classes = NDArray[np.int64]


class Control(NamedTuple):
    """Score of a control.

    value : mean over its labellings. spread : their standard deviation.
    """

    value: float
    spread: float


def honest_controls(
    classes: Mapping[str, Classes], functions: Mapping[str, Callable[[Contingency], float]]
) -> pd.DataFrame:
    """Scores of the baselines that know no classes, columns CONTROL_COLUMNS.

    classes : content -> (n,) the classes, negative where unlabelled. functions : metric -> the score of classes and one
    labelling.
    one-cluster : all samples in one cluster. random : the mean over 20 labellings drawn uniformly, with as many
    clusters as there are classes, and their standard deviation. Cost O(n) for each content, draw and metric.
    """
    rows = []
    for content, given in classes.items():
        truth = given[given >= 0]
        if not truth.size:
            continue
        rng = np.random.default_rng(0)
        drawn = rng.integers(len(np.unique(truth)), size=(_DRAWS, truth.size))
        labellings = {ONE_CLUSTER: np.zeros((1, truth.size), dtype=np.int64), RANDOM: drawn}
        for control, several in labellings.items():
            tables = [Contingency.from_labels(truth, labels) for labels in several]
            for metric, function in functions.items():
                scores = [function(table) for table in tables]
                spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0
                rows.append((content, metric, control, float(np.mean(scores)), spread))
    return pd.DataFrame(rows, columns=list(CONTROL_COLUMNS))


def signs_of(metrics: pd.Series, directions: Mapping[str, bool]) -> NDArray[np.float64]:
    """Metric by metric, 1 where higher is better and -1 where lower is; higher where it is not known."""
    signs = {metric: 1.0 if directions.get(metric, True) else -1.0 for metric in metrics.unique()}
    return metrics.map(signs).to_numpy(float)


def stored_controls(frame: pd.DataFrame) -> pd.DataFrame:
    """Mean scores of the controls that took part in some trials, and their spread, columns CONTROL_COLUMNS.

    frame : the long form (`mvarena.store.frames`).
    """
    rows = frame[frame["algorithm"].isin([ONE_CLUSTER, RANDOM]) & frame["value"].notna()]
    groups = rows.groupby(["content", "metric", "algorithm"])["value"]
    means = groups.agg(value="mean", spread="std").reset_index()
    return means.rename(columns={"algorithm": "control"}).fillna({"spread": 0.0})[list(CONTROL_COLUMNS)]


def best_controls(controls: pd.DataFrame, directions: Mapping[str, bool]) -> dict[tuple[str, str], Control]:
    """(content, metric) -> the better control."""
    good = controls["value"] * signs_of(controls["metric"], directions)
    ordered = controls.assign(good=good).sort_values("good", kind="stable")
    return {(row.content, row.metric): Control(float(row.value), float(row.spread)) for row in ordered.itertuples()}


def above_control(summary: pd.DataFrame, directions: Mapping[str, bool]) -> NDArray[np.bool_]:
    """Row by row, whether the mean is better than that of the control, by Welch's 95 % t-interval of the difference.

    summary : with the columns mean, std, n_trials, metric, control and control_spread, the standard deviation of the
    control's single values. Both are taken as means of n_trials values: so a single value must leave those of single
    random labellings behind. True where there is no mean or no control.
    """
    mean, control = (summary[name].to_numpy(float) for name in ("mean", "control"))
    n = np.maximum(summary["n_trials"].to_numpy(float), 1)
    own = np.nan_to_num(summary["std"].to_numpy(float)) ** 2 / n
    drawn = np.nan_to_num(summary["control_spread"].to_numpy(float)) ** 2 / n
    error = np.sqrt(own + drawn)
    with np.errstate(invalid="ignore"):
        lead = signs_of(summary["metric"], directions) * (mean - control)
        above = lead > _ROUNDING
        unsure = above & (lead <= _LARGEST_QUANTILE * error)
    if unsure.any():  # for these alone scipy.special is imported
        from scipy.special import stdtrit

        freedom = (own + drawn)[unsure] ** 2 / (own**2 / np.maximum(n - 1, 1) + drawn**2 / (_DRAWS - 1))[unsure]
        above[unsure] = lead[unsure] - stdtrit(freedom, (1 + _LEVEL) / 2) * error[unsure] > _ROUNDING
    return above | np.isnan(mean) | np.isnan(control)


# Collapse: how many clusters a labelling has beside how many were asked for.

_COLLAPSED_BELOW = 0.5  # of the clusters that were asked for
CLUSTER_COLUMNS = ("dataset", "corruption", "rate", "contestant", "n_trials", "n_collapsed")


def is_collapsed(n_labels: ArrayLike, asked: ArrayLike) -> NDArray[np.bool_]:
    """Element by element, whether fewer than half of the clusters asked for are there, or one where two were asked."""
    found, wanted = np.asarray(n_labels, float), np.asarray(asked, float)
    return (found < _COLLAPSED_BELOW * wanted) | ((found <= 1) & (wanted > 1))


def cluster_counts(trials: pd.DataFrame, asked: Mapping[str, int]) -> pd.DataFrame:
    """One row per point and contestant, of those some of whose labellings anywhere are collapsed (`is_collapsed`).

    trials : those that count, with the columns contestant, content, params, n_labels (of the labelling that counts) and
    those of a point. asked : content -> number of clusters; a parameter n_clusters goes before.
    Columns CLUSTER_COLUMNS: n_trials with labels of which the number of clusters is known, and n_collapsed. Cost
    O(rows).
    """
    point = ["dataset", "corruption", "rate", "contestant"]
    rows = trials.loc[trials["n_labels"].notna(), ["content", "params", "n_labels", *point]]
    texts = {text: _asked_by(text) for text in rows["params"].unique()}
    wanted = [texts[text] or asked.get(content) for text, content in zip(rows["params"], rows["content"], strict=True)]
    rows = rows.assign(asked=wanted)
    rows = rows[rows["asked"].notna()]
    if rows.empty:
        return pd.DataFrame(columns=list(CLUSTER_COLUMNS))
    rows["collapsed"] = is_collapsed(rows["n_labels"], rows["asked"])
    rows = rows[rows.groupby("contestant")["collapsed"].transform("any").astype(bool)]
    counts = rows.groupby(point, sort=False)["collapsed"].agg(n_trials="size", n_collapsed="sum")
    return counts.astype({"n_collapsed": int}).reset_index()[list(CLUSTER_COLUMNS)]


def _asked_by(params: str) -> int | None:
    value = json.loads(params).get("n_clusters")
    return value if isinstance(value, int) else None
