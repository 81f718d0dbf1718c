"""Kernels of views: made of features or distances, centred, normalised, and back to features."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import Kind, MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.numerics import kernels
from mvarena.numerics.kernels import gaussian, median_distance, squared_distances
from mvarena.numerics.spectral import top_eigenvectors


def gaussian_kernel(data: MultiViewData, *, sigma: Positive | None = None) -> MultiViewData:
    """Each view as a kernel exp(-d^2 / (2 sigma^2)).

    sigma : the same length for every view; None: for each the median distance between its observed samples.

    d is the Euclidean distance of features, or a distance view's own entry; kernel views stay as they are. Where more
    than half of the pairs coincide the median is 0, and the kernel its limit: 1 at distance 0 and 0 elsewhere. Rows
    and columns of missing samples are zero. Cost O(n^2 d) time, O(n^2) memory per view.
    """
    return data.with_views([_as_kernel(view, data.mask[:, i], sigma) for i, view in enumerate(data.views)])


def _as_kernel(view: View, observed: NDArray[np.bool_], sigma: float | None) -> View:
    if view.kind == "kernel":
        return view
    seen = np.flatnonzero(observed)
    if view.kind == "features":
        points = view.matrix[seen]
        sigma = median_distance(points) if sigma is None else sigma
        squared = squared_distances(points)
    else:
        block = view.matrix[seen][:, seen]
        distances = np.asarray(block.toarray() if view.is_sparse else block)
        if sigma is None:
            pairs = distances[np.triu_indices(len(seen), k=1)]
            sigma = float(np.median(pairs)) if pairs.size else 0.0
        squared = distances**2
    kernel = np.zeros((view.n_samples, view.n_samples))
    kernel[np.ix_(seen, seen)] = gaussian(squared, 2 * sigma**2)
    return View(view.name, kernel, "kernel")


# Transforms that make kernels of views, or centre and normalise them. Each acts on views of its own kind only.


def linear_kernel(data: MultiViewData) -> MultiViewData:
    """Feature views as kernels X X^T; missing samples stay zero. Cost O(n^2 d) per view."""
    return _blockwise(data, "features", kernels.linear_kernel)


def cosine_kernel(data: MultiViewData) -> MultiViewData:
    """Feature views as kernels of the cosines between samples; missing samples stay zero. Cost O(n^2 d) per view."""
    return _blockwise(data, "features", kernels.cosine_kernel)


def polynomial_kernel(data: MultiViewData, *, degree: Count = 3, offset: NonNegative = 1.0) -> MultiViewData:
    """Feature views as kernels (offset + x^T y / d)^degree; missing samples stay zero. Cost O(n^2 d) per view."""
    return _blockwise(data, "features", partial(kernels.polynomial_kernel, degree=degree, offset=offset))


def distance_kernel(data: MultiViewData) -> MultiViewData:
    """Distance views as kernels exp(-D / mean(D)), the mean over the observed block. Cost O(n^2) per view."""
    return _blockwise(data, "distance", kernels.distance_kernel)


def center_kernels(data: MultiViewData) -> MultiViewData:
    """Kernel views centred and scaled to unit diagonal on their observed block. Cost O(n^2) per view."""
    return _blockwise(data, "kernel", kernels.center_and_normalize)


def center_kernels_leaking(data: MultiViewData) -> MultiViewData:
    """Kernel views centred and scaled to unit diagonal on all samples, as the literature does before it deletes any.

    Numbers of the samples that are deleted afterwards leak into those that stay. The arena applies it, and the steps
    named before it, ahead of the corruption.

    Raises Incompatible for data that miss samples already. Cost O(n^2) per view.
    """
    if not data.is_complete:
        raise Incompatible(
            f"center-kernels-leaking cannot take {data.name}: it centres kernels before samples are deleted, and some "
            "are missing already; apply it to the complete data, or use center-kernels."
        )
    return center_kernels(data)


def _blockwise(
    data: MultiViewData, kind: Kind, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> MultiViewData:
    """The views of that kind as kernels: `function` of their observed rows (block), zero elsewhere."""
    views = [
        _view_as_kernel(view, data.mask[:, i], function) if view.kind == kind else view
        for i, view in enumerate(data.views)
    ]
    return data.with_views(views)


def _view_as_kernel(
    view: View, observed: NDArray[np.bool_], function: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> View:
    seen = np.flatnonzero(observed)
    block = view.matrix if observed.all() else view.matrix[seen]
    if view.kind != "features":
        block = block[:, seen]
        block = block.toarray() if view.is_sparse else block
    result = function(block)
    # what products of floating point numbers leave asymmetric
    result += result.T.copy()
    result /= 2
    if observed.all():
        return View(view.name, result, "kernel")
    kernel = np.zeros((view.n_samples, view.n_samples))
    kernel[np.ix_(seen, seen)] = result
    return View(view.name, kernel, "kernel")


# kernel-features and distance-features: points whose products or distances are those of an n x n view.

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
    value = vectors[:, kept] * np.sqrt(values[kept]) if kept.any() else np.zeros((len(seen), 1))
    points = np.zeros((view.n_samples, value.shape[1]))
    points[seen] = value
    return View(view.name, points, "features")
