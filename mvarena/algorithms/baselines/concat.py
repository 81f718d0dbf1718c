"""Feature concatenation: all views side by side, then k-means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.algorithms import baselines
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
    """k-means on the concatenated features of complete views.

    Parameters
    ----------
    n_clusters : clusters to look for; None: as many as the data say.
    n_init : k-means starts in `fit`. random_state : their seed.

    Raises Incompatible if samples miss views. Time O(n d k) per k-means step, memory O(n d), d over all views.
    Source: the baseline that MIC and EMVC, among others, compare with.
    """

    spec = baselines.CONCAT

    def __init__(self, *, n_clusters: int | None = None, n_init: int = 20, random_state: int | None = None) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.random_state = random_state

    def represent(self, data: MultiViewData) -> Representation:
        self.check(data)
        return Representation(embedding=side_by_side([view.matrix for view in data.views]))
