"""Wrong values: gaussian, gross-entries, outliers, feature-dropout."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.contracts.feature_views import map_features
from mvarena.contracts.parameters import Positive
from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import column_range, scale_columns


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


# gross-entries: a share of the entries is grossly wrong.


class GrossEntries(Corruption):
    """round(rate * entries) of each view's observed entries, drawn at random, are off by +-magnitude deviations.

    The deviation is the standard deviation of all observed entries of the view (1 where they are all equal); the
    sign of each error is drawn. A sparse view stays sparse and stores the wrong entries besides. Cost O(n d).
    RPCA's model of sparse gross errors.

    Parameters
    ----------
    magnitude : size of each error in the view's standard deviations.
    """

    limit: ClassVar[str] = "1 is every entry"

    magnitude: Positive = 5.0

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data with wrong entries. Raises Incompatible for kernel and distance views."""

        def wrong(view: View, observed: NDArray[np.bool_]) -> Any:
            rows, d = np.flatnonzero(observed), view.n_features
            entries = rng.choice(rows.size * d, count_at(rate, rows.size * d), replace=False, shuffle=False)
            size = self.magnitude * (_deviation(view.matrix, rows.size * d) or 1.0)
            errors = size * rng.choice([-1.0, 1.0], entries.size)
            where = (rows[entries // d], entries % d)
            if view.is_sparse:
                return sparse.csr_array(view.matrix + sparse.csr_array((errors, where), shape=view.matrix.shape))
            matrix = view.matrix.copy()
            matrix[where] += errors
            return matrix

        return map_features(self.spec.name, data, wrong)


def _deviation(matrix: Any, entries: int) -> float:
    """Standard deviation over `entries` entries, of which those that are not stored or in missing rows are zero.

    Missing rows are zero in the matrix, so they add nothing to the two sums.
    """
    stored = matrix.data if sparse.issparse(matrix) else matrix[matrix != 0]
    mean = float(stored.sum()) / entries
    squares = float(((stored - mean) ** 2).sum()) + (entries - stored.size) * mean**2
    spread = math.sqrt(squares / entries)
    return spread if spread > 1e-12 * abs(mean) else 0.0


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


# feature-dropout: a share of each view's features is gone.


class FeatureDropout(Corruption):
    """round(rate * d) of each view's d features, drawn at random, become 0 for all samples; one at least stays.

    The columns stay, so shapes do not change. Cost O(n d).
    """

    limit: ClassVar[str] = "each view keeps at least one feature"

    def largest_rate(self, data: MultiViewData) -> float:
        """(d - 1) / d for the view with the fewest features d."""
        d = min(view.n_features for view in data.views)
        return (d - 1) / d

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data without those features. Raises Incompatible for kernel and distance views."""

        def without(view: View, _: NDArray[np.bool_]) -> Any:
            kept = np.ones(view.n_features)
            kept[rng.permutation(view.n_features)[: count_at(rate, view.n_features)]] = 0.0
            return scale_columns(view.matrix, kept)

        return map_features(self.spec.name, data, without)
