"""ECMSC: exclusivity-consistency regularised multi-view subspace clustering (after Wang et al., CVPR 2017)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms import subspace
from mvarena.algorithms.square import SquareClusterer
from mvarena.algorithms.subspace._coefficients import represented
from mvarena.algorithms.subspace._ecmsc_blocks import Solution, Weights, solve
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

# n x n matrices and feature matrices of a view's state, and n x n ones at the peak of a step beside all states
_PER_VIEW = 5
_FEATURES = 5
_JOINT = 7


class ECMSC(SquareClusterer):
    """Sparse self-representations that use different samples in different views, and share one cluster indicator.

    Parameters
    ----------
    n_clusters : clusters to look for; None: as many as the data say.
    sparse, exclusive, consistent : weights lambda_1, lambda_2, lambda_3 of the problem below. Each view is divided by
        the mean L1 norm of its samples, so they mean the same for every scale and view: with Z = 0 a sample costs 1,
        and no weight `sparse` above about 1 allows another Z. `consistent` multiplies tr(F^T L_v F) n / k.
    mu : penalty of the splits: how fast the solver is, not what it looks for. inner_steps : passes per view and round.
    max_iter : rounds at most. tol : stop when a round lowers the objective by at most this share.
    n_init : k-means starts in `fit`. random_state : their seed.

    The problem: min over Z_v, E_v, F of sum_v [norm1(E_v) + l1 norm1(Z_v) + l3 tr(F^T L_v F)] + l2 sum_(v<w)
    norm1(Z_v o Z_w), with X_v = X_v Z_v + E_v, diag(Z_v) = 0, F^T F = I and L_v the Laplacian of (|Z_v| + |Z_v|^T) / 2.
    Clusters are those of the graph sum_v |Z_v| + |Z_v|^T, by normalised spectral clustering; F, from Laplacians that
    are not normalised, tends to single out samples with few links.

    Raises Incompatible if samples miss views, InvalidSetting for weights below 0 and the like. Sparse views are made
    dense. Time per round O(V inner_steps n^2 d) and an n x n eigenproblem; memory 5 V + 7 matrices n x n.

    Source: after X. Wang, X. Guo, Z. Lei, C. Zhang and S. Z. Li, Exclusivity-consistency regularized multi-view
    subspace clustering, CVPR 2017. Status: from secondary sources: neither the original text nor its code was at hand.
    The terms are those that others describe; scaling of the views, weights and solver (block descent, whose objective
    falls) are this module's own, so its figures need not be met.
    """

    spec = subspace.ECMSC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        sparse: float = 0.1,
        exclusive: float = 0.1,
        consistent: float = 0.01,
        mu: float = 30.0,
        inner_steps: int = 30,
        max_iter: int = 30,
        tol: float = 1e-3,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.sparse = sparse
        self.exclusive = exclusive
        self.consistent = consistent
        self.mu = mu
        self.inner_steps = inner_steps
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return _PER_VIEW * n_views + _JOINT

    def memory_needed(self, data: MultiViewData) -> int:
        features = sum(view.n_features for view in data.views)
        return super().memory_needed(data) + 8 * _FEATURES * data.n_samples * features

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        self._check_settings()
        weights = Weights(sparse=self.sparse, exclusive=self.exclusive, consistent=self.consistent)

        def solution(ordered: MultiViewData) -> Solution:
            Xs = [unit_scale(view.matrix) for view in ordered.views]
            return solve(Xs, k, weights, mu=self.mu, inner_steps=self.inner_steps, max_iter=self.max_iter, tol=self.tol)

        return represented(data, solution, k)

    def _check_settings(self) -> None:
        for setting in ("sparse", "exclusive", "consistent"):
            if not 0 <= getattr(self, setting) < np.inf:
                raise InvalidSetting(f"ecmsc: {setting} must be at least 0, not {getattr(self, setting)}.")
        if not 0 < self.mu < np.inf:
            raise InvalidSetting(f"ecmsc: mu must be positive, not {self.mu}.")
        for setting in ("inner_steps", "max_iter"):
            if getattr(self, setting) < 1:
                raise InvalidSetting(f"ecmsc: {setting} must be at least 1, not {getattr(self, setting)}.")


def unit_scale(matrix: Any) -> NDArray[np.float64]:
    """(d, n): samples in columns, of mean L1 norm 1; a view of zeros stays zero. From (n, d), dense or CSR."""
    X = np.ascontiguousarray((matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).T)
    mean = float(np.abs(X).sum()) / X.shape[1]
    return X / mean if mean > 0 else X
