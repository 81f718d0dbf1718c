"""Choosing without labels: what each picker picks among stored results, and what it loses against the best of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.candidates import Point, counted_values, has_defaults
from mvarena.contracts.metric import Contingency
from mvarena.contracts.picker import Candidate, Weights
from mvarena.contracts.specs import MetricSpec, PickerSpec
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.frames import scores_frame
from mvarena.store.read_outcomes import labellings, truth

_POINT = ("algorithm", "dataset", "corruption", "rate", "seed", "repeat")
PICKED_COLUMNS = (*_POINT, "n_candidates", "picker", "by_labels", "metric", "best", "score", "regret", "choice")


def picked(
    db: Database,
    points: Sequence[Point],
    pickers: Sequence[PickerSpec],
    metrics: Sequence[MetricSpec],
    catalog: Catalog,
) -> pd.DataFrame:
    """One row per point, picker and metric, columns PICKED_COLUMNS.

    best : the highest score of all candidates, by ground truth.
    score : of the picked candidate as its protocol counts it; of several that share the pick, their mean by weight;
        of a labelling that the picker made, its own.
    regret : how much better the best is: 0 is the least that a pick can have. A made labelling may be better than all
        candidates, which is below 0. NaN, as the score, where the picker has no answer (the default is no candidate,
        the metric that it goes by is not stored) or the metric is not stored.
    choice : what sets the picked candidate apart; several are joined by ' or '.
    by_labels : whether ground truth picked, the candidate or, by its protocol, the restart that counts.

    Cost: the scores of all candidates at once; then, point by point, the labellings of its candidates.
    """
    desk = _Desk(
        db=db,
        catalog=catalog,
        pickers=[(spec, catalog.load(spec)) for spec in pickers],
        metrics=[(spec, catalog.load(spec)) for spec in metrics],
        values=_values(db, points, pickers, metrics, catalog),
    )
    return pd.DataFrame([row for point in points for row in desk.rows(point)], columns=list(PICKED_COLUMNS))


def picking_summary(rows: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """One row per value of `by`, picker and metric: best, score, regret, n_points, n_answered and by_labels.

    Means over all points of each algorithm and data set, then over those: none counts more for having more rates or
    repeats. n_points are the points that the metric scored, over which `best` is taken; score and regret are means over
    those of them that the picker answered (n_answered).
    """
    group = list(dict.fromkeys([*by, "picker", "metric"]))
    cases = rows[rows["best"].notna()].groupby(list(dict.fromkeys([*group, "algorithm", "dataset"])), sort=False)
    means = cases.agg(
        best=("best", "mean"),
        score=("score", "mean"),
        regret=("regret", "mean"),
        n_points=("best", "size"),
        n_answered=("score", "count"),
        by_labels=("by_labels", "any"),
    )
    over_cases = dict.fromkeys(("best", "score", "regret"), "mean") | dict.fromkeys(("n_points", "n_answered"), "sum")
    return means.reset_index().groupby(group, sort=False).agg(over_cases | {"by_labels": "any"}).reset_index()


@dataclass(frozen=True, kw_only=True)
class _Desk:
    """Where candidates are laid out for the pickers: each sees of them what its spec asks for, and no more.

    values : (key, metric) -> the trial's value, higher being better.
    """

    db: Database
    catalog: Catalog
    pickers: Sequence[tuple[PickerSpec, Callable[[Any], Any]]]
    metrics: Sequence[tuple[MetricSpec, Callable[[Any], float]]]
    values: Mapping[tuple[str, str], float]

    def rows(self, point: Point) -> Iterator[dict[str, Any]]:
        blind = [self._candidate(trial) for trial in point.candidates]
        place = {name: getattr(point, name) for name in _POINT} | {"n_candidates": len(blind)}
        for spec, pick in self.pickers:
            asked = [metric.name for metric, _ in self.metrics] if spec.picks_by_labels else [spec.metric]
            # who does not see the metric that is shown answers once for all of them
            answers = [pick(self._laid_out(point, blind, name)) for name in asked]
            answers *= 1 if spec.picks_by_labels else len(self.metrics)
            for (metric, function), answer in zip(self.metrics, answers, strict=True):
                scores = self._column(point, metric.name)
                if spec.makes_labels:
                    score, choice = self._score_of_labels(point, answer, metric, function), ""
                else:
                    score, choice = _score_of_pick(answer, scores), _chosen(answer, point.choices)
                best = float("nan") if np.isnan(scores).all() else float(np.nanmax(scores))
                yield place | {
                    "picker": spec.name,
                    "by_labels": spec.picks_by_labels or point.counts_best_by_labels,
                    "metric": metric.name,
                    "best": _signed(best, metric),
                    "score": _signed(score, metric),
                    "regret": best - score,
                    "choice": choice,
                }

    def _candidate(self, trial: Any) -> Candidate:
        return Candidate(
            restarts=labellings(self.db, trial.key),
            params=trial.identity["params"],
            is_default=has_defaults(trial, self.catalog),
        )

    def _laid_out(self, point: Point, blind: Sequence[Candidate], metric: str) -> list[Candidate]:
        """The candidates with their values by `metric`; without any where it is empty."""
        values = self._column(point, metric)
        return [replace(one, value=float(value)) for one, value in zip(blind, values, strict=True)]

    def _column(self, point: Point, metric: str) -> NDArray[np.float64]:
        return np.array([self.values.get((trial.key, metric), np.nan) for trial in point.candidates])

    def _score_of_labels(
        self, point: Point, labels: NDArray[np.int64], metric: MetricSpec, function: Callable[[Any], float]
    ) -> float:
        """Higher being better; NaN without classes, and for a metric that is no function of these alone."""
        classes = truth(self.db, point.candidates[0].key)
        if classes is None or metric.needs != "truth":
            return float("nan")
        return _signed(function(Contingency.from_labels(classes, labels)), metric)


def _values(
    db: Database,
    points: Sequence[Point],
    pickers: Sequence[PickerSpec],
    metrics: Sequence[MetricSpec],
    catalog: Catalog,
) -> dict[tuple[str, str], float]:
    """What is stored of the candidates by the metrics that are shown and those that pickers go by."""
    specs = {spec.name: spec for spec in (*metrics, *(catalog.metric(one.metric) for one in pickers if one.metric))}
    keys = {trial.key for point in points for trial in point.candidates}
    frame = scores_frame(db, metrics=list(specs), keys=sorted(keys))
    return counted_values(frame, {name: spec.higher_is_better for name, spec in specs.items()})


def _score_of_pick(weights: Weights | None, scores: NDArray[np.float64]) -> float:
    """The mean score by weight; NaN without an answer, and where one of the picked has no score."""
    return float("nan") if weights is None else float(weights[weights > 0] @ scores[weights > 0])


def _chosen(weights: Weights | None, choices: Sequence[str]) -> str:
    return "" if weights is None else " or ".join(np.array(choices, dtype=object)[weights > 0])


def _signed(value: float, metric: MetricSpec) -> float:
    """Between a metric's own direction and higher being better."""
    return value if metric.higher_is_better else -value
