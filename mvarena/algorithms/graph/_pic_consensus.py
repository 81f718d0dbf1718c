"""PIC's weights: how near the views' eigenspaces are to one another decides how much each graph counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.simplex import simplex_quadratic

Square = NDArray[np.float64]


def angle_gaps(bases: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """(V, V) pi less the largest canonical angle between two of the `bases` (n, k); zero on the diagonal.

    Cosines are divided by the largest of them, as the authors' program does.
    """
    n_views = len(bases)
    phi = np.zeros((n_views, n_views))
    for i in range(n_views):
        for j in range(i):
            cosines = np.linalg.svd(bases[i].T @ bases[j], compute_uv=False)
            largest = max(float(cosines[0]), np.finfo(float).tiny)
            phi[i, j] = phi[j, i] = np.pi - np.arccos(np.clip(cosines[-1] / largest, 0.0, 1.0))
    return phi


def view_weights(
    products: NDArray[np.float64], magnitudes: NDArray[np.float64], phi: NDArray[np.float64], smoothness: float
) -> NDArray[np.float64]:
    """(V,) the minimiser over the simplex of w^T (C + b Q) w / 2 - f^T w.

    Parameters
    ----------
    products : (V, V) tr(N_i N_j). magnitudes : (V, V) tr(N_i |N_m|). phi : (V, V) as of `angle_gaps`. smoothness : b.

    With complete orthonormal sets of eigenvectors E_m the paper's A_m = E_m E_m^T is the identity and B_m = |N_m|, so
    that C = V products and f_i is the i-th row sum of `magnitudes`. Q, the Laplacian of phi, is scaled to the Frobenius
    norm of C.
    """
    C = len(phi) * products
    Q = np.diag(phi.sum(axis=1)) - phi
    size = float(np.linalg.norm(Q))
    if size > 0:
        C = C + smoothness * float(np.linalg.norm(C)) / size * Q
    return simplex_quadratic(C, magnitudes.sum(axis=1))
