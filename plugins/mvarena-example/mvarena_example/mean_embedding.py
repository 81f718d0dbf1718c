"""MeanEmbedding: the smallest algorithm that copes with missing samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.decomposition import TruncatedSVD

from mvarena import MultiViewData
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena_example import MEAN_EMBEDDING


class MeanEmbedding(MultiViewClusterer):
    """Singular vectors of each view's observed rows, weighted by their values, concatenated; missing rows are zero.

    Parameters
    ----------
    n_clusters : how many clusters; None: as many as the data say.
    n_components : how many singular vectors of each view; None: as many as clusters.
    """

    spec = MEAN_EMBEDDING

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_components: int | None = None,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_init = n_init
        self.random_state = random_state

    def represent(self, data: MultiViewData) -> Representation:
        """One block of columns per view."""
        n_clusters = self.check(data)
        blocks = [self._block(view.matrix, self.n_components or n_clusters) for view in data.views]
        return Representation(embedding=np.hstack(blocks))

    def _block(self, matrix: Any, n_components: int) -> np.ndarray:
        rank = min(n_components, min(matrix.shape) - 1)
        return np.asarray(TruncatedSVD(rank, algorithm="arpack", random_state=0).fit_transform(matrix))
