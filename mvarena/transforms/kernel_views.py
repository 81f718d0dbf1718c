"""Transforms that make kernels of views, or centre and normalise them. Each acts on views of its own kind only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import Kind, MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.numerics import kernels


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
        _as_kernel(view, data.mask[:, i], function) if view.kind == kind else view for i, view in enumerate(data.views)
    ]
    return data.with_views(views)


def _as_kernel(
    view: View, observed: NDArray[np.bool_], function: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> View:
    seen = np.flatnonzero(observed)
    block = view.matrix if observed.all() else view.matrix[seen]
    if view.kind != "features":
        block = block[:, seen]
        block = block.toarray() if view.is_sparse else block
    found = function(block)
    # what products of floating point numbers leave asymmetric
    found += found.T.copy()
    found /= 2
    if observed.all():
        return View(view.name, found, "kernel")
    kernel = np.zeros((view.n_samples, view.n_samples))
    kernel[np.ix_(seen, seen)] = found
    return View(view.name, kernel, "kernel")
