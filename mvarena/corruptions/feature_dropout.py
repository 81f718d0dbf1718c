"""feature-dropout: a share of each view's features is gone."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import scale_columns


class FeatureDropout(Corruption):
    """round(rate * d) of each view's d features, drawn at random, become 0 for all samples; one at least stays.

    The columns stay, so shapes do not change. Cost O(n d).
    """

    limit: ClassVar[str] = "each view keeps one feature at least"

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
