"""The transfer cut: spectral embedding of a bipartite graph through its smaller side (Li, Wu and Chang, CVPR 2012)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.scaling import scale_rows, unit_rows
from mvarena.numerics.spectral import NO_RANK, inverse_square_root, top_eigenvectors


def transfer_cut(B: sparse.csr_array, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """E (n, r), rows of unit length, and the r <= k largest eigenvalues, for a graph B (n, p) CSR, nonnegative.

    E = D_x^-1 B D_y^-1/2 V for the leading eigenvectors V of D_y^-1/2 B^T D_x^-1 B D_y^-1/2, with D_x the row sums of B
    and D_y those of B^T D_x^-1 B. Directions of eigenvalue 0 are left out. Cost O(n m^2) for m entries per row and that
    of k eigenvectors of a p x p matrix.
    """
    degrees = np.asarray(B.sum(axis=1)).ravel()
    walk = scale_rows(B, np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0))
    small = np.asarray((B.T @ walk).toarray())
    scale = inverse_square_root(small.sum(axis=1))
    small *= scale[:, None]
    small *= scale
    values, vectors = top_eigenvectors((small + small.T) / 2, k)
    kept = values > NO_RANK
    return unit_rows(np.asarray(walk @ (scale[:, None] * vectors[:, kept]))), values[kept]
