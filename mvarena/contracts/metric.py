"""Contingency: the one table from which every external metric of a labelling is computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.errors import InvalidData

_ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Contingency:
    """Samples by class (rows) and cluster (columns): (n_classes, n_clusters) int64; no row or column is empty."""

    counts: NDArray[np.int64]

    @classmethod
    def from_labels(cls, truth: ArrayLike, predicted: ArrayLike) -> Contingency:
        """From two labellings of the same samples; a sample whose true label is negative (unlabelled) is left out.

        Raises InvalidData if the lengths differ or no sample is labelled. Cost O(n log n).
        """
        truth, predicted = np.asarray(truth), np.asarray(predicted)
        if truth.shape != predicted.shape or truth.ndim != 1:
            raise InvalidData(
                f"two labellings of the same samples are needed; got shapes {truth.shape}, {predicted.shape}."
            )
        known = truth >= 0 if truth.dtype.kind in "if" else np.ones(truth.shape, dtype=bool)
        if not known.any():
            raise InvalidData("no sample has a true label, so there is nothing to compare with.")
        _, rows = np.unique(truth[known], return_inverse=True)
        _, columns = np.unique(predicted[known], return_inverse=True)
        shape = (int(rows.max()) + 1, int(columns.max()) + 1)
        flat = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1])
        return cls(flat.reshape(shape).astype(np.int64))

    @cached_property
    def n_samples(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """(n_classes,) samples per class."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """(n_clusters,) samples per cluster."""
        return np.asarray(self.counts.sum(axis=0))

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
        """Mutual information of classes and clusters, in nats; what rounding leaves of an independent pair is 0."""
        rows, columns = np.nonzero(self.counts)
        cells = self.counts[rows, columns].astype(np.float64)
        independent = self.classes[rows] / self.n_samples * self.clusters[columns]
        total = float(cells @ np.log(cells / independent)) / self.n_samples
        return total if total > _ROUNDING else 0.0

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs of samples by what the two labellings say of them."""
        together = int((self.counts * (self.counts - 1)).sum()) // 2
        same_class = int((self.classes * (self.classes - 1)).sum()) // 2
        same_cluster = int((self.clusters * (self.clusters - 1)).sum()) // 2
        return Pairs(together, same_class, same_cluster, self.n_samples * (self.n_samples - 1) // 2)


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many of all `total` pairs of samples share class and cluster, share a class, share a cluster."""

    together: int
    same_class: int
    same_cluster: int
    total: int


def _entropy(shares: NDArray[np.float64]) -> float:
    return max(0.0, -float(shares @ np.log(shares)))
