"""Feature concatenation: all views side by side, then k-means.

    min  sum_i |[x_1i, .., x_Vi] - c_(y_i)|^2

over clusters y and centres c.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


def side_by_side(matrices: Sequence[Any]) -> Any:
    """The columns of all (n, d_v) matrices in one: dense or CSR, whichever takes less memory.

    Cost: one copy of the entries.
    """
    if not any(sparse.issparse(matrix) for matrix in matrices):
        return np.hstack(matrices)
    stored = sum(matrix.nnz if sparse.issparse(matrix) else matrix.size for matrix in matrices)
    entries = sum(int(np.prod(matrix.shape)) for matrix in matrices)
    # a stored entry takes 8 bytes for the value and 4 for its column
    if 12 * stored < 8 * entries:
        return sparse.csr_array(sparse.hstack(matrices, format="csr"))
    return np.hstack([matrix.toarray() if sparse.issparse(matrix) else matrix for matrix in matrices])


class Concat(MultiViewClusterer):
    """k-means on the concatenated features of complete views."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        return Representation(embedding=side_by_side([view.matrix for view in data.views]))
