"""outliers: a share of the samples is replaced by random values."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import column_range


class Outliers(Corruption):
    """round(rate * n) samples, drawn at random, get random values in every view that observes them.

    Each value is drawn uniformly between the smallest and the largest that its feature takes over the view's observed
    samples, so nonnegative views stay so. Missing samples stay missing. In a sparse view the replaced rows store
    every feature that is used at all. The paper does not say how its values are drawn. Cost O(n d).
    """

    limit: ClassVar[str] = "1 is every sample"

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data with outliers. Raises Incompatible for kernel and distance views."""
        spoiled = np.zeros(data.n_samples, dtype=bool)
        spoiled[rng.permutation(data.n_samples)[: count_at(rate, data.n_samples)]] = True
        in_view = iter(self.spread(spoiled, data.mask, rng).T)
        return map_features(self.spec.name, data, lambda view, seen: replaced(view, seen, next(in_view), rng))

    def spread(
        self, spoiled: NDArray[np.bool_], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """(n, n_views) True where a spoiled sample's values are replaced: in all of its views."""
        del rng
        return spoiled[:, None] & mask


class OutliersOneView(Outliers):
    """outliers in which each spoiled sample gets random values in one view, drawn from those that observe it."""

    def spread(
        self, spoiled: NDArray[np.bool_], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        drawn = np.where(mask, rng.random(mask.shape), -1.0).argmax(axis=1)
        return spoiled[:, None] & (np.arange(mask.shape[1])[None, :] == drawn[:, None])


def replaced(view: View, observed: NDArray[np.bool_], spoiled: NDArray[np.bool_], rng: np.random.Generator) -> Any:
    """The view's matrix with uniform random values, within each feature's observed range, in the rows `spoiled`."""
    low, high = column_range(view.matrix[observed])
    values = low + (high - low) * rng.random((int(spoiled.sum()), view.n_features))
    if not view.is_sparse:
        matrix = view.matrix.copy()
        matrix[spoiled] = values
        return matrix
    kept = sparse.csr_array(sparse.dia_array(((~spoiled).astype(np.float64)[None, :], [0]), (len(spoiled),) * 2))
    placed = sparse.csr_array(
        (np.ones(len(values)), (np.flatnonzero(spoiled), np.arange(len(values)))), shape=(len(spoiled), len(values))
    )
    return sparse.csr_array(kept @ view.matrix + placed @ sparse.csr_array(values))
