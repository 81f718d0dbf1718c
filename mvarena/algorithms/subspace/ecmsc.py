"""ECMSC: exclusivity-consistency regularised multi-view subspace clustering (after Wang et al., CVPR 2017)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.square import SquareClusterer
from mvarena.algorithms.subspace._ecmsc_blocks import ECMSCWeights, ecmsc
from mvarena.algorithms.subspace.coefficients import spectral_embedding_of
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping

# n x n matrices, n x d ones and n x min(n, d) ones of a view's state, and n x n ones at the peak of a step beside them;
# the indicator takes two more, always in double precision
_PER_VIEW = 2
_FEATURES = 5
_REDUCED = 4
_JOINT = 7
# single precision serves from so many samples on (below, it saves nothing), and for no finer a tolerance
_DOUBLE_UP_TO, _SINGLE_TOL = 400, 1e-4


class ECMSC(SquareClusterer):
    """Sparse self-representations that use different samples in different views, and share one cluster indicator.

    Parameters
    ----------
    sparse, exclusive, consistent : weights lambda_1, lambda_2, lambda_3 of the problem below. Each view is divided by
        the mean L1 norm of its samples, so they mean the same for every scale and view: with Z = 0 a sample costs 1,
        and no weight `sparse` above about 1 allows another Z. `consistent` multiplies tr(F^T L_v F) n / k.
    mu : penalty of the splits: how fast the solver is, not what it looks for. inner_steps : passes per view and round.
    max_iter : rounds at most. tol : the relative change of the objective at the end.

    Coefficients are found in single precision where n > 400 and tol >= 1e-4: on stored data the objective then ends
    within 1e-6 of where it does in double precision, in half of the time.

    The problem: min over Z_v, E_v, F of sum_v [norm1(E_v) + l1 norm1(Z_v) + l3 tr(F^T L_v F)] + l2 sum_(v<w)
    norm1(Z_v o Z_w), with X_v = X_v Z_v + E_v, diag(Z_v) = 0, F^T F = I and L_v the Laplacian of (|Z_v| + |Z_v|^T) / 2.
    Clusters are those of the graph sum_v |Z_v| + |Z_v|^T, by normalised spectral clustering; F, from Laplacians that
    are not normalised, tends to single out samples with few links.

    Neither the original text nor its code was at hand: the terms are those that others describe; scaling of the views,
    weights and solver (block descent, whose objective falls) are this module's own, so its figures need not be met.
    """

    canonical: ClassVar[bool] = True

    sparse: NonNegative = 0.1
    exclusive: NonNegative = 0.1
    consistent: NonNegative = 0.01
    mu: Positive = 30.0
    inner_steps: Count = 30
    max_iter: Count = 30
    tol: NonNegative = 1e-3

    def squares(self, n_views: int) -> int:
        return (_PER_VIEW * n_views + _JOINT) // (2 if self._in_single else 1) + 2

    @property
    def _in_single(self) -> bool:
        return self.tol >= _SINGLE_TOL

    def memory_needed(self, data: MultiViewData) -> int:
        n = data.n_samples
        columns = sum(_FEATURES * view.n_features + _REDUCED * min(view.n_features, n) for view in data.views)
        return super().memory_needed(data) + 8 * n * columns

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        Xs: list[NDArray[np.floating]] = [unit_scale(view.matrix) for view in data.views]
        if self._in_single and data.n_samples > _DOUBLE_UP_TO:
            Xs = [X.astype(np.float32) for X in Xs]
        weights = ECMSCWeights(sparse=self.sparse, exclusive=self.exclusive, consistent=self.consistent)
        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        found = ecmsc(Xs, n_clusters, weights, stopping, mu=self.mu, inner_steps=self.inner_steps)
        return spectral_embedding_of(found.coefficients, n_clusters, found.history)


def unit_scale(matrix: Any) -> NDArray[np.float64]:
    """(d, n): samples in columns, of mean L1 norm 1; a view of zeros stays zero. From (n, d), dense or CSR."""
    X = np.ascontiguousarray((matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).T)
    mean = float(np.abs(X).sum()) / X.shape[1]
    return X / mean if mean > 0 else X
