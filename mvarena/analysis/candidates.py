"""From stored trials to the points at which one of several results can be picked."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mvarena.analysis.contestants import natural_order
from mvarena.analysis.picks import counted_runs
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.trial import Trial
from mvarena.errors import UnknownName
from mvarena.registry.catalog import Catalog
from mvarena.store.trials import DoneTrial
from mvarena.study.components import ARENA_PARAMS

ALL_METHODS = "all methods"
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
    def counts_best_by_labels(self) -> bool:
        """Whether a protocol counts, of each candidate, the restart that ground truth picks."""
        return any(trial.identity["protocol"]["pick"] == "best-by-labels" for trial in self.candidates)

    @property
    def choices(self) -> list[str]:
        """What sets each candidate apart from the others: 'beta=0.1', or 'apmc' among several methods."""
        settings = [_settings(trial) for trial in self.candidates]
        names = sorted({name for one in settings for name in one})
        open_ = [name for name in names if len({json.dumps(one.get(name)) for one in settings}) > 1]
        return [", ".join(_text(name, one[name]) for name in open_ if name in one) for one in settings]


def points_of(trials: Iterable[DoneTrial], *, across: bool = False) -> list[Point]:
    """Every point with two candidates or more, by data set, algorithm, corruption, rate, seed and repeat.

    Candidates are finished trials that differ in parameters alone: same data, corruption, repeat, preparation and
    protocol. across : those of all algorithms are candidates of one point, whatever their preparation and protocol.
    """
    groups: dict[str, list[DoneTrial]] = defaultdict(list)
    for trial in trials:
        shared = _SAME_DATA if across else set(trial.identity) - {"params"}
        groups[_plain({name: trial.identity[name] for name in shared})].append(trial)
    called = _called([trial for group in groups.values() for trial in group])
    points = [_point(group, called, across) for group in groups.values() if len(group) > 1]
    return sorted(points, key=lambda one: (one.dataset, one.algorithm, one.corruption, one.rate, one.seed, one.repeat))


def newest(trials: Sequence[DoneTrial]) -> list[DoneTrial]:
    """The trials of each algorithm's highest stored version; those of older ones are no longer its results."""
    highest: dict[str, str] = {}
    for trial in trials:
        name, version = trial.identity["algorithm"]
        highest[name] = max(highest.get(name, version), version, key=natural_order)
    return [trial for trial in trials if highest[trial.identity["algorithm"][0]] == trial.identity["algorithm"][1]]


def has_defaults(trial: DoneTrial, catalog: Catalog) -> bool:
    """Whether all parameters but the number of clusters are the algorithm's defaults; False where it is not known."""
    try:
        target = catalog.load(catalog.algorithm(trial.identity["algorithm"][0]))
    except UnknownName:
        return False
    asked = trial.identity["params"]
    known = {name: one.default for name, one in parameters_of(target).items() if name not in ARENA_PARAMS}
    return all(_plain(asked.get(name, value)) == _plain(value) for name, value in known.items() if name != "n_clusters")


def counted_values(frame: pd.DataFrame, directions: Mapping[str, bool]) -> dict[tuple[str, str], float]:
    """(key, metric) -> the mean of the values that the trial's protocol counts, with the sign that makes higher better.

    frame : the long form (`mvarena.store.frames`). Cost O(rows log rows).
    """
    runs = frame[frame["metric"].notna()].drop_duplicates(["key", "restart", "metric"])
    if runs.empty:
        return {}
    counted = counted_runs(runs.assign(trial_id=runs["key"]), directions)
    means = counted.groupby(["key", "metric"])["value"].mean()
    return {
        (str(key), str(metric)): float(mean) * (1.0 if directions.get(str(metric), True) else -1.0)
        for (key, metric), mean in means.items()
    }


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
