"""Points in three 2-dimensional subspaces per view: what the tests of the subspace methods share."""

from __future__ import annotations

import numpy as np

from mvarena.data import MultiViewData


def subspaces(n: int = 45, n_views: int = 2, seed: int = 0, noise: float = 0.05, n_features: int = 9) -> MultiViewData:
    """View v has n_features + v features; negative values are usual."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    views = []
    for v in range(n_views):
        bases = rng.standard_normal((3, 2, n_features + v))
        points = np.einsum("ij,ijk->ik", rng.standard_normal((n, 2)), bases[truth])
        views.append(points + noise * rng.standard_normal(points.shape))
    return MultiViewData.from_arrays(views, labels=truth, name="subspaces")
