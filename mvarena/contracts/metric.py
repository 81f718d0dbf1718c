"""Inputs of metrics: `Contingency`, `Points`, `Restarts`, `Checkpoints` or `Outcomes`, as the spec's `needs` says.

A metric is a function of one of the five and returns a float: NaN where it is not defined (a single cluster has no
silhouette), never an exception for labellings that an algorithm can give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData

_ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Contingency:
    """Samples by class (rows) and cluster (columns): (n_classes, n_clusters) int64; no row or column is empty.

    What several metrics need is computed once, when the first of them asks.
    """

    counts: NDArray[np.int64]

    @classmethod
    def from_labels(cls, truth: ArrayLike, predicted: ArrayLike) -> Contingency:
        """From two labellings of the same samples; a sample whose true label is negative (unlabelled) is left out.

        Raises InvalidData if the lengths differ or no sample is labelled. Cost O(n), O(n log n) unless labels are
        small whole numbers.
        """
        truth, predicted = np.asarray(truth), np.asarray(predicted)
        if truth.shape != predicted.shape or truth.ndim != 1:
            raise InvalidData(
                f"labellings of the same samples are needed; their shapes are {truth.shape}, {predicted.shape}."
            )
        if truth.dtype.kind in "if" and not (known := truth >= 0).all():
            truth, predicted = truth[known], predicted[known]
        if not truth.size:
            raise InvalidData("no sample has a true label, so there is nothing to compare with.")
        rows, n_classes = _codes(truth)
        columns, n_clusters = _codes(predicted)
        flat = np.bincount(rows * n_clusters + columns, minlength=n_classes * n_clusters)
        counts = flat.reshape(n_classes, n_clusters).astype(np.int64)
        counts.setflags(write=False)
        return cls(counts)

    @cached_property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """(n_classes,) samples per class."""
        return _read_only(self.counts.sum(axis=1))

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """(n_clusters,) samples per cluster."""
        return _read_only(self.counts.sum(axis=0))

    @cached_property
    def class_entropy(self) -> float:
        """Entropy of the classes, in nats."""
        return _entropy(self.classes / self.n_samples)

    @cached_property
    def cluster_entropy(self) -> float:
        """Entropy of the clusters, in nats."""
        return _entropy(self.clusters / self.n_samples)

    @cached_property
    def mutual_information(self) -> float:
        """Mutual information of classes and clusters, in nats; rounding noise of an independent pair is 0."""
        rows, columns = np.nonzero(self.counts)
        cells = self.counts[rows, columns].astype(np.float64)
        independent = self.classes[rows] / self.n_samples * self.clusters[columns]
        total = float(cells @ np.log(cells / independent)) / self.n_samples
        return total if total > _ROUNDING else 0.0

    @cached_property
    def pairs(self) -> Pairs:
        """Counts of pairs of samples that share a class, a cluster, or both."""
        return Pairs(
            together=_pairs_within(self.counts),
            same_class=_pairs_within(self.classes),
            same_cluster=_pairs_within(self.clusters),
            total=self.n_samples * (self.n_samples - 1) // 2,
        )

    @cached_property
    def adjusted_rand(self) -> float:
        """The Rand index adjusted for chance: (index - expected) / (largest - expected) over pairs put together.

        0 in expectation for random labels of the same group sizes, 1 for equal partitions (also where both are a single
        group), 0 for a single cluster against several classes. Source: Hubert and Arabie 1985, equation 5.
        """
        if self.is_match:
            return 1.0
        pairs = self.pairs
        expected = pairs.same_class * pairs.same_cluster / pairs.total
        largest = (pairs.same_class + pairs.same_cluster) / 2
        return float((pairs.together - expected) / (largest - expected))

    @cached_property
    def is_match(self) -> bool:
        """True if classes and clusters are the same partition."""
        return np.count_nonzero(self.counts) == len(self.classes) == len(self.clusters)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Numbers of pairs of samples, of `total`, that share class and cluster, a class, a cluster."""

    together: int
    same_class: int
    same_cluster: int
    total: int


@dataclass(frozen=True, eq=False)
class Space:
    """Coordinates of samples. Make it once for all labellings: it keeps distances and other expensive values.

    matrix : (m, p) dense or CSR. samples : (m,) which samples its rows are, as indices into a labelling.
    kept : what metrics computed from the coordinates alone, by name, for the next labelling.
    """

    matrix: Any
    samples: NDArray[np.int64]
    kept: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of_embedding(cls, embedding: Any) -> Space:
        """The space of an algorithm's embedding (n, p)."""
        return cls(embedding, np.arange(embedding.shape[0]))

    @classmethod
    def of_views(cls, data: MultiViewData) -> tuple[Space, ...]:
        """One space per feature view, of the samples that it observes; kernel and distance views have none."""
        spaces = []
        for view, observed in zip(data.views, data.mask.T, strict=True):
            if view.kind == "features":
                seen = np.flatnonzero(observed)
                spaces.append(cls(view.matrix if observed.all() else view.matrix[seen], seen))
        return tuple(spaces)


@dataclass(frozen=True, eq=False)
class Points:
    """One labelling and the spaces in which its clusters can be looked at; no classes.

    labels : (n,) cluster indices. embedding : the space of the algorithm's embedding, None where it has none.
    views : the spaces of the feature views that it was given (`Space.of_views`), maybe none.
    """

    labels: NDArray[np.int64]
    embedding: Space | None = None
    views: tuple[Space, ...] = ()


@dataclass(frozen=True, eq=False)
class Restarts:
    """All labellings of one trial, each (n,) cluster indices of the same samples."""

    labellings: Sequence[NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class Checkpoints:
    """Classes and labellings of one trial after some of its iterations.

    tables : for each checkpoint, the end of the fit last, one table for each restart that counts by the protocol.
    """

    tables: Sequence[Sequence[Contingency]]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """One labelling beside the outcomes of the samples.

    labels : (n,) cluster indices. table : of the same samples. seed : of what a metric draws at random.
    """

    labels: NDArray[np.int64]
    table: OutcomeTable
    seed: int = 0


def _codes(labels: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """(n,) labels as 0, 1, ... in the order of their values, and how many there are."""
    if labels.dtype.kind in "iu" and labels.min() >= 0 and labels.max() <= 2 * labels.size:
        present = np.bincount(labels) > 0
        ranks = np.cumsum(present) - 1
        return ranks[labels], int(ranks[-1]) + 1
    values, codes = np.unique(labels, return_inverse=True)
    return codes, len(values)


def _pairs_within(counts: NDArray[np.int64]) -> int:
    return int((counts * (counts - 1)).sum()) // 2


def _read_only(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The counts, which all metrics share, and none may change."""
    counts.setflags(write=False)
    return counts


def _entropy(shares: NDArray[np.float64]) -> float:
    return max(0.0, -float(shares @ np.log(shares)))
