"""gaussian: white noise at a given signal-to-noise ratio."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting


class Gaussian:
    """White Gaussian noise, independent in every entry, whose power is the view's power divided by the rate.

    The rate is a linear signal-to-noise ratio: mean(x^2) / sigma^2 over a view's observed entries, its mean not
    removed; 10 dB is 10, 20 dB is 100. The noise is drawn, not rescaled: the ratio achieved differs by chance.
    Sparse views become dense, and nonnegative ones lose that. Cost O(n d) per view.
    Source: Najafi, He and Yu, IEEE BigData 2017 (EMVC), section IV-B: ratios .01, .1, 1, 10, 100.
    """

    name: ClassVar[str] = "gaussian"

    def largest_rate(self, data: MultiViewData) -> float:
        """Infinity: no noise at all."""
        del data
        return math.inf

    def apply(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The noisy data; `data` itself at an infinite ratio.

        Raises InvalidSetting for a ratio that is not above 0, Incompatible for kernel and distance views.
        """
        if not rate > 0:
            given = "no number" if math.isnan(rate) else f"{rate:g}"
            raise InvalidSetting(
                f"{self.name}: its rate is a signal-to-noise ratio and must be above 0, not {given}; choose one such "
                "as 10 (or 10dB), the smaller the noisier, and leave the corruption out for no noise."
            )
        if math.isinf(rate):
            return data

        def noisy(view: View, observed: NDArray[np.bool_]) -> NDArray[np.float64]:
            dense = view.matrix.toarray() if view.is_sparse else view.matrix.copy()
            signal = dense[observed]
            sigma = math.sqrt(float(np.mean(signal**2)) / rate)
            dense[observed] = signal + sigma * rng.standard_normal(signal.shape)
            return dense

        return map_features(self.name, data, noisy)
