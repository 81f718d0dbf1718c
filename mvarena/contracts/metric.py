"""Contingency: the one table from which every external metric of a labelling is computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.errors import InvalidData


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
