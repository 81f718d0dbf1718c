"""MeanEmbedding: the smallest algorithm that copes with missing samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import TruncatedSVD

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData


class MeanEmbedding(MultiViewClusterer):
    """Singular vectors of each view's observed rows, weighted by their values, concatenated; missing rows are zero.

    Parameters
    ----------
    n_components : how many singular vectors of each view; None: as many as clusters.
    """

    n_components: Count | None = None

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        blocks = [leading_vectors(view.matrix, self.n_components or n_clusters) for view in data.views]
        return Representation(embedding=np.hstack(blocks))


def leading_vectors(matrix: Any, n_components: int) -> NDArray[np.float64]:
    """(n, p) the rows in the p leading singular directions; sparse matrices stay sparse."""
    rank = min(n_components, min(matrix.shape) - 1)
    return np.asarray(TruncatedSVD(rank, algorithm="arpack", random_state=0).fit_transform(matrix))
