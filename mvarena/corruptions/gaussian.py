"""gaussian: white noise at a given signal-to-noise ratio."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import Corruption
from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData, View


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
