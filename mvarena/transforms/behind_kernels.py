"""kernel-features and distance-features: points whose products or distances are those of an n x n view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData, View
from mvarena.numerics.spectral import top_eigenvectors

# eigenvalues below this share of the largest, or this share of the entries, are noise, and their vectors arbitrary
_NOISE, _ROUNDING = 1e-9, 1e-12


def kernel_features(data: MultiViewData, *, n_features: Count = 100) -> MultiViewData:
    """Kernel views as features: the leading eigenvectors of the centred kernel, times the roots of their eigenvalues.

    n_features : at most so many; those of the positive eigenvalues.

    They are the n_features coordinates that keep most of the distances in feature space (kernel PCA, Schoelkopf, Smola
    and Mueller 1998). The kernel is centred on its observed block, and missing samples stay missing. Cost O(n_features)
    products with an n x n matrix.
    """
    return _as_points(data, "kernel", n_features)


def distance_features(data: MultiViewData, *, n_features: Count = 100) -> MultiViewData:
    """Distance views as features: classical scaling, that is kernel-features of -1/2 D^2 (Torgerson 1952).

    n_features : at most so many; those of the positive eigenvalues.

    Cost O(n_features) products with an n x n matrix.
    """
    return _as_points(data, "distance", n_features)


def _as_points(data: MultiViewData, kind: str, n_features: int) -> MultiViewData:
    return data.with_views(
        _points(view, data.mask[:, i], n_features) if view.kind == kind else view for i, view in enumerate(data.views)
    )


def _points(view: View, observed: NDArray[np.bool_], n_features: int) -> View:
    seen = np.flatnonzero(observed)
    matrix = view.matrix.toarray() if view.is_sparse else view.matrix
    block = matrix[np.ix_(seen, seen)]
    block = block if view.kind == "kernel" else -(block**2) / 2
    means = block.mean(axis=1)
    values, vectors = top_eigenvectors(block - means[:, None] - means + means.mean(), n_features)
    kept = values > max(_NOISE * values[0], _ROUNDING * np.abs(block).max())
    # samples that are all alike have no coordinates; one constant feature says so
    found = vectors[:, kept] * np.sqrt(values[kept]) if kept.any() else np.zeros((len(seen), 1))
    points = np.zeros((view.n_samples, found.shape[1]))
    points[seen] = found
    return View(view.name, points, "features")
