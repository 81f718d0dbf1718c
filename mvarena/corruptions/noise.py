"""Wrong values: gaussian, outliers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import column_range


class Gaussian(Corruption):
    """White Gaussian noise, independent in every entry, whose power is the view's power divided by the rate.

    The rate is a linear signal-to-noise ratio: mean(x^2) / sigma^2 over a view's observed entries, its mean not
    removed; 10 dB is 10, 20 dB is 100. The noise is drawn, not rescaled: the ratio achieved differs by chance.
    Sparse views become dense, and nonnegative ones lose that. Cost O(n d) per view.
    """

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The noisy data. Raises Incompatible for kernel and distance views."""

        def noisy(view: View, observed: NDArray[np.bool_]) -> NDArray[np.float64]:
            dense = view.matrix.toarray() if view.is_sparse else view.matrix.copy()
            signal = dense[observed]
            sigma = math.sqrt(float(np.mean(signal**2)) / rate)
            dense[observed] = signal + sigma * rng.standard_normal(signal.shape)
            return dense

        return map_features(self.spec.name, data, noisy)


# outliers: a share of the samples is replaced by random values.


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
        return map_features(self.spec.name, data, lambda view, seen: replaced(view, seen, spoiled & seen, rng))


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
