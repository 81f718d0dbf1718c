"""From stored trials to the points at which one of several results can be picked."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.conditions import newest_of_code
from mvarena.analysis.controls import is_collapsed
from mvarena.analysis.default_metrics import in_order, metrics_of_data, possible_metrics
from mvarena.analysis.naming import natural_order
from mvarena.contracts.metric import Contingency
from mvarena.contracts.picker import Candidate, Weights
from mvarena.contracts.specs import MetricSpec, PickerSpec
from mvarena.contracts.trial import Trial
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.code_version import PREFIX as OF_CODE
from mvarena.store.database import Database
from mvarena.store.frames import scores_frame
from mvarena.store.read_outcomes import keys_with_labels, labellings, truth
from mvarena.store.trials import DoneTrial
from mvarena.study.families import controls

ALL_METHODS = "all methods"
NO_LABELS = "no labels are stored of these results, and choosing among them takes labels."
# what all candidates of one point share, of whatever algorithms they are
_SAME_DATA = ("content", "corruptions", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One algorithm (or all methods) on one data set, corruption, rate and repeat, with its candidates in order."""

    algorithm: str
    dataset: str
    corruption: str
    rate: float
    seed: int
    repeat: int
    candidates: tuple[DoneTrial, ...]

    @property
    def content(self) -> str:
        """Fingerprint of the data."""
        return str(self.candidates[0].identity["content"])

    @property
    def counts_best_by_labels(self) -> bool:
        """True if a protocol counts, of each candidate, the restart that ground truth picks."""
        return any(trial.identity["protocol"]["pick"] == "best-by-labels" for trial in self.candidates)

    @property
    def choices(self) -> list[str]:
        """Distinguishing setting of each candidate: 'beta=0.1', or 'apmc' or 'apmc, beta=0.1' among several methods."""
        settings = [_settings(trial) for trial in self.candidates]
        values: dict[tuple[str, str], set[str]] = defaultdict(set)
        for setting in settings:
            for name, value in setting.items():
                values[setting[""] if name else "", name].add(_plain(value))
        return [
            ", ".join(
                _text(name, setting[name])
                for name in sorted(setting)
                if len(values[setting[""] if name else "", name]) > 1
            )
            for setting in settings
        ]


def points_of(trials: Iterable[DoneTrial], *, across: bool = False, least: int = 2) -> list[Point]:
    """Every point with `least` candidates or more, by data set, algorithm, corruption, rate, seed and repeat.

    Candidates are finished trials that differ in parameters alone: same data, corruption, repeat, preparation and
    protocol. across : those of all algorithms are candidates of one point, whatever their preparation and protocol.
    """
    groups: dict[str, list[DoneTrial]] = defaultdict(list)
    for trial in trials:
        shared = _SAME_DATA if across else set(trial.identity) - {"params"}
        groups[_plain({name: trial.identity[name] for name in shared})].append(trial)
    called = _called([trial for group in groups.values() for trial in group])
    points = [_point(group, called, across) for group in groups.values() if len(group) >= least]
    return sorted(points, key=lambda one: (one.dataset, one.algorithm, one.corruption, one.rate, one.seed, one.repeat))


def newest(trials: Sequence[DoneTrial]) -> list[DoneTrial]:
    """The trials of each algorithm's newest stored version; those of older ones are no longer its results.

    The newest is the highest that is declared; where none is, `mvarena.analysis.conditions.newest_of_code`.
    """
    of_code = newest_of_code((*trial.identity["algorithm"], trial.started_at) for trial in trials)
    declared: dict[str, str] = {}
    for trial in trials:
        name, version = trial.identity["algorithm"]
        if not version.startswith(OF_CODE):
            declared[name] = max(declared.get(name, version), version, key=natural_order)
    shown = of_code | declared
    return [trial for trial in trials if shown[trial.identity["algorithm"][0]] == trial.identity["algorithm"][1]]


def labelled(db: Database, trials: Iterable[DoneTrial]) -> list[DoneTrial]:
    """The trials whose labels are stored: a database that is published may hold scores alone."""
    kept = keys_with_labels(db)
    return [trial for trial in trials if trial.key in kept]


def has_defaults(trial: DoneTrial) -> bool:
    """True if all parameters but the number of clusters are the algorithm's defaults; False where it is not known."""
    return trial.variant is not None and trial.variant.keys() <= {"n_clusters"}


def _called(trials: Iterable[DoneTrial]) -> dict[str, str]:
    """Content -> what its data are called: the name, with a part of the content where several go by that name."""
    names = {str(trial.identity["content"]): trial.dataset for trial in trials}
    several = {name for name, count in Counter(names.values()).items() if count > 1}
    return {content: f"{name} ({content[:8]})" if name in several else name for content, name in names.items()}


def _point(group: Sequence[DoneTrial], called: Mapping[str, str], across: bool) -> Point:
    ordered = sorted(group, key=lambda one: (one.identity["algorithm"][0], natural_order(_plain(_settings(one)))))
    first = Trial.from_identity(ordered[0].identity, ordered[0].source)
    return Point(
        algorithm=ALL_METHODS if across else first.algorithm,
        dataset=called[first.content],
        corruption=first.corruption,
        rate=first.rate,
        seed=first.seed,
        repeat=first.repeat,
        candidates=tuple(ordered),
    )


def _settings(trial: DoneTrial) -> dict[str, Any]:
    return {"": trial.identity["algorithm"][0], **trial.identity["params"]}


def _text(name: str, value: Any) -> str:
    shown = value if isinstance(value, str) else _plain(value)
    return f"{name}={shown}" if name else shown


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


# Choosing without labels: what each picker picks among stored results, and what it loses against the best of them.

_POINT = ("algorithm", "dataset", "corruption", "rate", "seed", "repeat")
PICKED_COLUMNS = (
    *_POINT,
    "n_candidates",
    "n_left_out",
    "labelled",
    "picker",
    "by_labels",
    "unscored",
    "metric",
    "best",
    "score",
    "regret",
    "choice",
    "keys",
)


def picked(
    db: Database,
    points: Sequence[Point],
    pickers: Sequence[PickerSpec],
    metrics: Sequence[MetricSpec],
    metrics_of: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> pd.DataFrame:
    """One row per point, picker and metric, columns PICKED_COLUMNS.

    metrics_of : content -> those of the metrics that are looked at on these data; all of what it does not name.
    labelled : whether the data have classes. Where they have none, pickers by ground truth and those that make
        labellings of their own, which nothing scores, have no rows.
    unscored : whether the metric that the picker goes by is not stored for some candidate.
    best : the highest score of all candidates.
    score : of the picked candidate as its protocol counts it; of several that share the pick, their mean by weight;
        of a labelling that the picker made, its own.
    regret : how much better the best is: 0 is the least that a pick can have. A made labelling may be better than all
        candidates, which is below 0. NaN, as the score, where the picker has no answer (the default is no candidate,
        the metric that it goes by is not stored) or the metric is not stored.
    choice : what sets the picked candidate apart; several are joined by ' or '.
    keys : a list, the keys of the picked candidates, or of those that a made labelling is made of.
    n_left_out : candidates that the picker did not see, of fewer than half of the clusters asked for.
    by_labels : whether ground truth picked, the candidate or, by its protocol, the restart that counts.

    Cost: the scores of all candidates at once; then, point by point, the labellings of its candidates.
    """
    catalog = installed_catalog()
    desk = _Desk(
        db=db,
        pickers=[(spec, catalog.function(spec)) for spec in pickers],
        metrics=[(spec, catalog.function(spec)) for spec in metrics],
        values=_values(db, points, pickers, metrics),
    )
    rows = [row for point in points for row in desk.rows(point, metrics_of.get(point.content))]
    return pd.DataFrame(rows, columns=list(PICKED_COLUMNS))


def picks_among(
    db: Database,
    metrics: Sequence[str],
    trials: Sequence[DoneTrial],
    *,
    pickers: Sequence[str] = (),
    across: bool = False,
) -> pd.DataFrame:
    """The rows of `picked` among the newest versions of finished trials; none where there is nothing to choose from.

    metrics : none for those of each data set (`mvarena.analysis.default_metrics`). pickers : none for all. across : as
    for `points_of`. Left out: metrics that are not installed, controls, trials without labels.
    """
    catalog = installed_catalog()
    apart = {spec.name for spec in controls(catalog)}
    methods = [trial for trial in labelled(db, newest(trials)) if trial.identity["algorithm"][0] not in apart]
    points = points_of(methods, across=across)
    ways = [catalog.picker(name) for name in pickers or catalog.names("picker")]
    if not points:
        return pd.DataFrame(columns=list(PICKED_COLUMNS))
    metrics_of: dict[str, list[str]] = {}
    if not metrics:
        keys = sorted({trial.key for point in points for trial in point.candidates})
        metrics_of = metrics_of_data(scores_frame(db, metrics=possible_metrics(), keys=keys))
        metrics = in_order(metrics_of)
    shown = [catalog.metric(name) for name in metrics if name in catalog.names("metric")]
    return picked(db, points, ways, shown, metrics_of)


def chosen_candidates(db: Database, points: Sequence[Point], picker: PickerSpec) -> list[DoneTrial | None]:
    """The candidate of each point that `picker` picks, None where it has no answer; the only one of a point is picked.

    Among those that the picker cannot tell apart one is drawn, by a seed that depends on the point alone.
    Raises InvalidSetting for a picker that uses the classes, or that makes labels of its own.
    """
    if picker.picks_by_labels or picker.makes_labels:
        why = "makes labels of its own" if picker.makes_labels else "uses the classes"
        raise InvalidSetting(f"{picker.name} {why}; 'mvarena pick' shows what it finds.", field="choose")
    function = installed_catalog().function(picker)
    desk = _Desk(db=db, pickers=[], metrics=[], values=_values(db, points, [picker], []))
    return [
        point.candidates[0] if len(point.candidates) == 1 else _drawn(point, desk.weights(point, picker, function))
        for point in points
    ]


def _drawn(point: Point, weights: Weights | None) -> DoneTrial | None:
    if weights is None:
        return None
    rng = np.random.default_rng(int(point.candidates[0].key[:16], 16))
    return point.candidates[rng.choice(np.flatnonzero(weights))]


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
    """Candidates as the pickers see them: only the inputs that a picker's spec asks for.

    values : (key, metric) -> the trial's value, higher being better.
    """

    db: Database
    pickers: Sequence[tuple[PickerSpec, Callable[[Any], Any]]]
    metrics: Sequence[tuple[MetricSpec, Callable[[Any], float]]]
    values: Mapping[tuple[str, str], float]

    def rows(self, point: Point, shown: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """The rows of a point by its metrics `shown`; None: by all."""
        blind, classes = [self._candidate(trial) for trial in point.candidates], self._classes(point)
        labelled = classes is not None and bool((classes >= 0).any())
        position = {name: getattr(point, name) for name in _POINT}
        position |= {"n_candidates": len(blind), "labelled": labelled}
        metrics = [item for item in self.metrics if shown is None or item[0].name in shown]
        whole = _not_collapsed(blind, classes)
        choices = point.choices
        for spec, pick in self.pickers:
            if not labelled and (spec.picks_by_labels or spec.makes_labels):
                continue
            seen = blind if spec.looks_at_nothing or spec.picks_by_labels else whole
            requested = [metric.name for metric, _ in metrics] if spec.picks_by_labels else [spec.metric]
            # who does not see the metric that is shown answers once for all of them
            answers = [self._answer(spec, pick, point, seen, name) for name in requested]
            answers *= 1 if spec.picks_by_labels else len(metrics)
            unscored = bool(spec.metric) and any((one.key, spec.metric) not in self.values for one in point.candidates)
            for (metric, function), answer in zip(metrics, answers, strict=True):
                scores = self._column(point, metric.name)
                if spec.makes_labels:
                    score, choice = _score_of_labels(answer, classes, metric, function), ""
                    keys = [trial.key for trial, item in zip(point.candidates, seen, strict=True) if item is not None]
                else:
                    score, choice = _score_of_pick(answer, scores), " or ".join(_chosen(answer, choices))
                    keys = _chosen(answer, [trial.key for trial in point.candidates])
                best = float("nan") if np.isnan(scores).all() else float(np.nanmax(scores))
                yield position | {
                    "n_left_out": sum(item is None for item in seen),
                    "picker": spec.name,
                    "by_labels": spec.picks_by_labels or point.counts_best_by_labels,
                    "unscored": unscored,
                    "metric": metric.name,
                    "best": _signed(best, metric),
                    "score": _signed(score, metric),
                    "regret": best - score,
                    "choice": choice,
                    "keys": keys,
                }

    def weights(self, point: Point, spec: PickerSpec, pick: Callable[[Any], Any]) -> Weights | None:
        """Answer of a picker that is no oracle and makes no labels."""
        blind = [self._candidate(trial) for trial in point.candidates]
        seen = blind if spec.looks_at_nothing else _not_collapsed(blind, self._classes(point))
        answer: Weights | None = self._answer(spec, pick, point, seen, spec.metric)
        return answer

    def _answer(
        self,
        spec: PickerSpec,
        pick: Callable[[Any], Any],
        point: Point,
        seen: Sequence[Candidate | None],
        metric: str,
    ) -> Any:
        """The picker's answer: weights of all candidates, of which it saw those that are not None, or labels."""
        values = self._column(point, metric)  # none where the picker goes by no metric
        laid_out = [item and replace(item, value=float(value)) for item, value in zip(seen, values, strict=True)]
        answer = pick([item for item in laid_out if item is not None])
        if answer is None or spec.makes_labels:
            return answer
        weights = np.zeros(len(seen))
        weights[[item is not None for item in laid_out]] = answer
        return weights

    def _classes(self, point: Point) -> NDArray[np.int64] | None:
        return truth(self.db, point.candidates[0].key)

    def _candidate(self, trial: Any) -> Candidate:
        return Candidate(
            restarts=labellings(self.db, trial.key),
            params=trial.identity["params"],
            is_default=has_defaults(trial),
        )

    def _column(self, point: Point, metric: str) -> NDArray[np.float64]:
        return np.array([self.values.get((trial.key, metric), np.nan) for trial in point.candidates])


def _not_collapsed(blind: Sequence[Candidate], classes: NDArray[np.int64] | None) -> list[Candidate | None]:
    """The candidates, None in place of those with fewer than half of the clusters asked for, unless all are so."""
    n_classes = 0 if classes is None else len(np.unique(classes[classes >= 0]))
    kept: list[Candidate | None] = []
    for item in blind:
        asked = item.params.get("n_clusters") or n_classes
        kept.append(None if is_collapsed(len(np.unique(item.labels)), asked) else item)
    return kept if any(item is not None for item in kept) else list(blind)


def _score_of_labels(
    labels: NDArray[np.int64],
    classes: NDArray[np.int64] | None,
    metric: MetricSpec,
    function: Callable[[Any], float],
) -> float:
    """Higher being better; NaN without classes, and for a metric that is no function of these alone."""
    if classes is None or metric.needs != "truth":
        return float("nan")
    return _signed(function(Contingency.from_labels(classes, labels)), metric)


def _values(
    db: Database, points: Sequence[Point], pickers: Sequence[PickerSpec], metrics: Sequence[MetricSpec]
) -> dict[tuple[str, str], float]:
    """(key, metric) -> the candidate's value with the sign that makes higher better, by the metrics shown and those
    that pickers use."""
    needed = [installed_catalog().metric(picker.metric) for picker in pickers if picker.metric]
    specs = {spec.name: spec for spec in (*metrics, *needed)}
    keys = {trial.key for point in points for trial in point.candidates}
    frame = scores_frame(db, metrics=list(specs), keys=sorted(keys), every_choice=True)
    scored = frame[frame["metric"].notna()]
    return {
        (key, metric): _signed(value, specs[metric])
        for key, metric, value in zip(scored["key"], scored["metric"], scored["value"], strict=True)
    }


def _score_of_pick(weights: Weights | None, scores: NDArray[np.float64]) -> float:
    """The mean score by weight; NaN without an answer, and where one of the picked has no score."""
    return float("nan") if weights is None else float(weights[weights > 0] @ scores[weights > 0])


def _chosen(weights: Weights | None, candidates: Sequence[str]) -> list[str]:
    return [] if weights is None else list(np.array(candidates, dtype=object)[weights > 0])


def _signed(value: float, metric: MetricSpec) -> float:
    """Between a metric's own direction and higher being better."""
    return value if metric.higher_is_better else -value
