"""Kernels ready for clustering: from distances, polynomial, centred and normalised."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.kernels import linear_kernel

# a squared length below this share of the largest is rounding noise: the sample lies at the centre
FLAT = 1e-12


def polynomial_kernel(features: Any, degree: int = 3, offset: float = 1.0) -> NDArray[np.float64]:
    """(offset + x^T y / d)^degree (n, n) for dense or CSR features (n, d). Cost O(n^2 d)."""
    kernel = linear_kernel(features)
    kernel /= features.shape[1]
    kernel += offset
    return np.asarray(np.power(kernel, degree, out=kernel))


def distance_kernel(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """exp(-D / mean(D)) (n, n), as the Flower17 kernels are made of chi-square distances; all ones where D is zero."""
    mean = float(distances.mean())
    return np.asarray(np.exp(-distances / mean)) if mean > 0 else np.ones_like(distances)


def center_and_normalize(kernel: NDArray[np.float64]) -> NDArray[np.float64]:
    """The kernel (n, n) of the same samples centred in feature space and scaled to unit length there.

    Centring is C K C with C = I - 1 1^T / n, normalisation K_ij / sqrt(K_ii K_jj). A sample that lies at the centre
    has no direction: its row is zero. Cost O(n^2), one copy.
    """
    size = float(np.abs(kernel.diagonal()).max(initial=0.0))
    means = kernel.mean(axis=1)
    centred = kernel - means[:, None]
    centred -= means
    centred += means.mean()
    scale = inverse_lengths(centred.diagonal(), size)
    centred *= scale[:, None]
    centred *= scale
    return np.asarray(centred)


def inverse_lengths(squares: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """squares^-1/2 (n,), and 0 where a square is rounding noise beside `size`, the largest square before centring."""
    scale = np.zeros(len(squares))
    present = squares > FLAT * size
    scale[present] = 1.0 / np.sqrt(squares[present])
    return scale
