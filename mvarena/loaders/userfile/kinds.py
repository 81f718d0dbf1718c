"""Features, kernel or distance: what an n x n matrix is."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mvarena.data import Kind
from mvarena.loaders.userfile.orientation import is_symmetric

_DENSE_SHARE = 0.5


def guess_kind(matrix: Any) -> tuple[Kind, str]:
    """The kind of an n x d matrix and the reason, empty where there is nothing to say.

    A symmetric matrix is a kernel if its diagonal is positive and bounds its entries as an inner product does
    (K_ij^2 <= K_ii K_jj), a distance if its diagonal is zero and most other entries are positive; else (a graph,
    for instance) its rows are features. Cost: O(n^2).
    """
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2 or not is_symmetric(matrix):
        return "features", ""
    diagonal = np.asarray(matrix.diagonal(), dtype=np.float64)
    observed = diagonal[np.isfinite(diagonal)]
    positive = observed[observed != 0]  # zero rows and columns: samples that the kernel misses
    if positive.size and (positive > 0).all() and _is_bounded(matrix, diagonal):
        return "kernel", "symmetric with a positive diagonal: a kernel"
    dense = matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)
    others = dense[~np.eye(len(dense), dtype=bool)]
    others = others[np.isfinite(others)]
    if not positive.size and (others >= 0).all() and (others > 0).mean() > _DENSE_SHARE:
        return "distance", "symmetric, zero on the diagonal and positive elsewhere: distances"
    return "features", "symmetric but neither kernel nor distances: its rows are taken as features"


def _is_bounded(matrix: Any, diagonal: Any) -> bool:
    entries = sparse.coo_array(matrix) if sparse.issparse(matrix) else sparse.coo_array(np.nan_to_num(matrix))
    scale = np.nan_to_num(diagonal)
    bound = scale[entries.row] * scale[entries.col]
    return bool((entries.data.astype(np.float64) ** 2 <= bound * (1 + 1e-6) + 1e-12).all())
