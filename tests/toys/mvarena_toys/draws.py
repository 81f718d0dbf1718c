"""A method as much published code is: its random numbers come from a generator of its module."""

from __future__ import annotations

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData

RNG = np.random.default_rng(0)


class Draws(MultiViewClusterer):
    """Random points, drawn on and on."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return Representation(embedding=RNG.normal(size=(data.n_samples, 2)))
