"""The checks of a metric: in its range, blind to the clusters' names and the samples' order, never an exception."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.metric import Checkpoints, Contingency, Outcomes, Points, Restarts, Space
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.specs import MetricSpec
from mvarena.data import MultiViewData
from mvarena.testing.examples import blobs, word_counts
from mvarena.testing.suites import Suite, require

Labels = NDArray[np.int64]
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Measure:
    """A spec and the function behind it."""

    spec: MetricSpec
    function: Any

    @property
    def name(self) -> str:
        return self.spec.name

    def of(self, labels: Labels, data: MultiViewData) -> float:
        """The score of a labelling of `data`, by whatever this metric is computed from."""
        value = self.function(self.asked(labels, data))
        _require_number(self, value)
        return float(value)

    def asked(self, labels: Labels, data: MultiViewData) -> Any:
        """The input of this metric for a labelling of `data`."""
        if self.spec.needs == "truth":
            assert data.labels is not None
            return Contingency.from_labels(data.labels, labels)
        if self.spec.needs == "checkpoints":
            assert data.labels is not None
            earlier = np.zeros_like(labels)
            return Checkpoints([[Contingency.from_labels(data.labels, item)] for item in (earlier, labels)])
        if self.spec.needs == "restarts":
            return Restarts([labels, np.roll(labels, 1), labels])
        if self.spec.needs == "outcomes":
            return Outcomes(labels, _outcomes(data))
        dense = all(not view.is_sparse for view in data.views)
        embedding = Space.of_embedding(np.asarray(data.views[0].matrix)) if dense else None
        return Points(labels, embedding, Space.of_views(data))


SUITE = Suite(Measure)


def data_sets() -> Iterator[MultiViewData]:
    """Dense views, incomplete ones, sparse ones."""
    yield blobs(30)
    yield blobs(30, missing=0.4, seed=1)
    yield word_counts(24, 60)


def drawn(data: MultiViewData, n_clusters: int, seed: int = 0) -> Labels:
    """A labelling at random."""
    return np.random.default_rng(seed).integers(0, n_clusters, data.n_samples)


def _outcomes(data: MultiViewData) -> OutcomeTable:
    """Survival, numbers and categories that follow from each sample's own row: with ties, and with unknown values."""
    row = np.asarray(data.views[-1].matrix.sum(axis=1)).ravel()
    place = np.round(np.abs(row) * 10.0) % 23.0
    unknown = place == 7.0
    kinds = np.array(["", "low", "middle", "high"])[place.astype(int) % 4]
    columns = {"age": np.where(place == 3.0, np.nan, place), "stage": kinds}
    return OutcomeTable(
        n_samples=len(row), time=np.where(unknown, np.nan, 1.0 + place), event=place % 3.0 > 0.0, columns=columns
    )


@SUITE.check()
def within_its_range(subject: Measure) -> None:
    """A random labelling scores between lowest and highest, or NaN."""
    low, high = subject.spec.lowest, subject.spec.highest
    for data in data_sets():
        for n_clusters in (2, 3, 7):
            value = subject.of(drawn(data, n_clusters), data)
            within = math.isnan(value) or low - _ROUNDING <= value <= high + _ROUNDING
            require(within, f"{subject.name} is {value:g}, and its spec says {low:g} to {high:g}.")


@SUITE.check()
def names_of_clusters_do_not_matter(subject: Measure) -> None:
    """Clusters that are called otherwise score the same."""
    for data in data_sets():
        labels = drawn(data, 4)
        renamed = np.array([7, 2, 9, 0])[labels]
        same = _same(subject.of(labels, data), subject.of(renamed, data))
        require(same, f"{subject.name} depends on the numbering of the clusters.")


@SUITE.check()
def order_of_samples_does_not_matter(subject: Measure) -> None:
    """Another order of the samples scores the same."""
    for data in data_sets():
        labels = drawn(data, 3)
        if subject.spec.needs == "restarts":
            order = np.arange(data.n_samples)[::-1]
            rolled = [labels, np.roll(labels, 1), labels]
            values = [subject.function(Restarts(item)) for item in (rolled, [item[order] for item in rolled])]
        else:
            order = np.random.default_rng(3).permutation(data.n_samples)
            values = [subject.of(labels, data), subject.of(labels[order], data.take(order))]
        require(_same(*values), f"{subject.name} depends on the order of the samples.")


@SUITE.check()
def same_value_twice(subject: Measure) -> None:
    """The same labelling scores the same, and is not changed."""
    for data in data_sets():
        labels = drawn(data, 3)
        before = labels.copy()
        try:
            same = _same(subject.of(labels, data), subject.of(labels, data), exactly=True)
        except ValueError as error:
            require("read-only" not in str(error), f"{subject.name} changes what it is given: {error}.")
            raise
        require(same, f"{subject.name} gives another value each time.")
        require((labels == before).all(), f"{subject.name} changes the labelling that it is given.")


@SUITE.check(applies=lambda spec: spec.needs == "truth")
def perfect_match_is_best(subject: Measure) -> None:
    """Clusters that are the classes score the best value there is."""
    best = subject.spec.highest if subject.spec.higher_is_better else subject.spec.lowest
    for data in data_sets():
        assert data.labels is not None
        value = subject.of(data.labels, data)
        if math.isfinite(best):
            require(
                abs(value - best) <= _ROUNDING,
                f"{subject.name} of a perfect match is {value:g}; the best value must be {best:g}, as its spec says.",
            )
        for n_clusters in (2, 3, 7):
            other = subject.of(drawn(data, n_clusters), data)
            better = other > value + _ROUNDING if subject.spec.higher_is_better else other < value - _ROUNDING
            require(not better, f"{subject.name} scores a random labelling better than a perfect match.")


@SUITE.check(applies=lambda spec: spec.needs == "restarts")
def any_number_of_restarts(subject: Measure) -> None:
    """One labelling, and labellings that are all the same, score a number or NaN."""
    labels = drawn(blobs(12), 3)
    for result in ([labels], [labels] * 2, [labels] * 5):
        _require_number(subject, subject.function(Restarts(result)))


@SUITE.check()
def never_an_exception(subject: Measure) -> None:
    """One cluster, singletons, gaps in the numbering, a single sample: a number or NaN."""
    for data in (*data_sets(), blobs(2, n_clusters=2), blobs(2, n_clusters=1).take(np.array([0]))):
        n = data.n_samples
        half = np.arange(n) % 2
        for labels in (np.zeros(n, dtype=np.int64), np.arange(n), 5 + 3 * half, np.where(np.arange(n) == 0, 1, 0)):
            try:
                value = subject.function(subject.asked(labels, data))
            except Exception as error:
                raise AssertionError(
                    f"{subject.name} raises {type(error).__name__} for {len(set(labels.tolist()))} clusters of {n} "
                    f"samples ({error}); return NaN where it is not defined."
                ) from error
            _require_number(subject, value)


def _require_number(subject: Measure, value: Any) -> None:
    require(isinstance(value, float), f"{subject.name} must return a float, not {type(value).__name__}.")


def _same(a: float, b: float, *, exactly: bool = False) -> bool:
    return (
        a == b or (math.isnan(a) and math.isnan(b)) or (not exactly and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))
    )
