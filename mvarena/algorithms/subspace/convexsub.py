"""ConvexSub: one convex low-rank representation shared by all views (after Guo, AAAI 2013)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms import subspace
from mvarena.algorithms.baselines.concat import side_by_side
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.proximal import singular_value_threshold
from mvarena.numerics.spectral import fix_signs

# matrices of all views side by side that are alive at once, the data included
_MATRICES = 6


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Reconstruction:
    """Z (n, D), the objective per step (n_iter,), and whether the last step changed Z by less than the tolerance."""

    Z: NDArray[np.float64]
    objective: NDArray[np.float64]
    converged: bool


def smallest_zero_gamma(X: NDArray[np.float64], beta: NDArray[np.float64]) -> float:
    """The gamma from which on Z = 0 is the minimum: 2 norm_2([beta_1 X_1 .. beta_V X_V]).

    X (n, D) the views side by side, beta (D,) the weight of each column's view. Cost O(n D min(n, D)).
    """
    weighted = X * beta
    gram = weighted @ weighted.T if X.shape[0] < X.shape[1] else weighted.T @ weighted
    return 2.0 * float(np.sqrt(max(np.linalg.eigvalsh(gram)[-1], 0.0)))


def reconstruct(
    X: NDArray[np.float64], beta: NDArray[np.float64], gamma: float, *, max_iter: int = 500, tol: float = 1e-7
) -> Reconstruction:
    """Minimise sum_v beta_v norm(X_v - Z_v)^2 + gamma norm_*([Z_1 .. Z_V]) over Z (n, D).

    Parameters
    ----------
    X : (n, D) the views side by side. beta : (D,) positive, the weight of each column's view. gamma : at least 0.
    max_iter : steps at most. tol : stop at a step of at most this share of norm(Z).

    The first term has curvature 2 beta, so a proximal gradient step of length 1 / (2 max beta), a singular value
    threshold, never raises the objective; momentum for strong convexity min beta / max beta speeds it up and is
    dropped where it would raise it. With equal weights the first step is the minimum: Z = U max(S - gamma / (2 beta),
    0) V^T for X = U S V^T. Cost per step O(n D min(n, D)).
    """
    top = float(beta.max())
    root = float(np.sqrt(beta.min() / top))
    momentum = (1.0 - root) / (1.0 + root)
    Z, ahead = X, X
    value = np.inf
    objective: list[float] = []
    converged = False
    while len(objective) < max_iter and not converged:
        new, new_value = _proximal_step(X, beta, gamma, ahead, top)
        if new_value > value and ahead is not Z:
            new, new_value = _proximal_step(X, beta, gamma, Z, top)
        step = new - Z
        converged = bool(objective) and float(np.linalg.norm(step)) <= tol * float(np.linalg.norm(new))
        ahead = new + momentum * step if momentum else new
        Z, value = new, new_value
        objective.append(value)
    return Reconstruction(Z=Z, objective=np.array(objective), converged=converged)


def _proximal_step(
    X: NDArray[np.float64], beta: NDArray[np.float64], gamma: float, at: NDArray[np.float64], top: float
) -> tuple[NDArray[np.float64], float]:
    """The step from `at`, and the objective where it leads."""
    new, kept = singular_value_threshold(at + (X - at) * (beta / top), gamma / (2.0 * top))
    gap = X - new
    return new, float(np.sum(beta * gap * gap)) + gamma * float(kept.sum())


def shared_representation(Z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Phi = U S (n, r) for Z = U S V^T: what all views' Z_v = Phi B_v share; r the rank, at least one column.

    B = V^T has rows of unit length, and the column norms of Phi sum to norm_*(Z): the smallest such sum.
    """
    U, s, _ = np.linalg.svd(Z, full_matrices=False)
    rank = max(1, int(np.sum(s > max(Z.shape) * np.finfo(float).eps * s[0])))
    return fix_signs(U[:, :rank]) * s[:rank]


class ConvexSub(MultiViewClusterer):
    """k-means on a low-rank representation from which every view is reconstructed; a convex problem.

    Parameters
    ----------
    n_clusters : clusters to look for; None: as many as the data say.
    gamma : weight of the trace norm, in units of the data; None: `share` of the smallest gamma whose solution is 0.
    share : between 0 and 1, used where gamma is None; the same for every scale of the data.
    view_weights : beta_v of each view, positive; None: 1 for all, as in MIC's comparison.
    max_iter, tol : see `reconstruct`; with equal weights the second step only confirms the first.
    n_init : k-means starts in `fit`. random_state : their seed.

    Raises Incompatible if samples miss views, InvalidSetting for a weight that is not positive and the like. Sparse
    views are made dense. Time per step O(n D min(n, D)), D features in all views together; memory 6 n D, min(n, D)^2.

    The problem: min sum_v beta_v norm(X_v - Z_v)^2 + gamma norm_*([Z_1 .. Z_V]). It is that of a dictionary B with
    unit rows and codes Phi, Z = Phi B, under the sum of Phi's column norms (L2,1), in which the number of columns is
    free: the trace norm is the least such sum. The clusters are k-means clusters of Phi's rows.

    Source: after Y. Guo, Convex subspace representation learning from multi-view data, AAAI 2013, as MIC (Shao, He
    and Yu, ECML PKDD 2015) compares with it. Status: from secondary sources. The original text was not at hand; its
    abstract names a min-max dual, solved by a proximal bundle method, which suggests a bound on each view's own
    dictionary rather than on all views' together as here, so its figures need not be met.
    """

    spec = subspace.CONVEXSUB

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        gamma: float | None = None,
        share: float = 0.02,
        view_weights: Sequence[float] | None = None,
        max_iter: int = 500,
        tol: float = 1e-7,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.gamma = gamma
        self.share = share
        self.view_weights = view_weights
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def memory_needed(self, data: MultiViewData) -> int:
        n, D = data.n_samples, sum(view.n_features for view in data.views)
        return 8 * (_MATRICES * n * D + 3 * min(n, D) ** 2)

    def represent(self, data: MultiViewData) -> Representation:
        self.check(data)
        self._check_settings(data)
        order = canonical_order(*(view.matrix for view in data.views))
        joined = side_by_side([view.matrix[order] for view in data.views])
        X = np.asarray(joined.toarray() if not isinstance(joined, np.ndarray) else joined)
        beta = self._column_weights(data)
        gamma = self.share * smallest_zero_gamma(X, beta) if self.gamma is None else self.gamma
        found = reconstruct(X, beta, gamma, max_iter=self.max_iter, tol=self.tol)
        embedding = shared_representation(found.Z)
        unordered = np.empty_like(embedding)
        unordered[order] = embedding
        n_iter = len(found.objective)
        reason = f"a step changed Z by at most {self.tol:g} of its length" if found.converged else "the limit of steps"
        return Representation(
            embedding=unordered,
            objective=found.objective,
            n_iter=n_iter,
            converged=found.converged,
            stopped_because=f"{reason}, reached after {n_iter} steps",
            details={"gamma": np.array(gamma)},
        )

    def _column_weights(self, data: MultiViewData) -> NDArray[np.float64]:
        weights = (
            np.ones(data.n_views) if self.view_weights is None else np.asarray(self.view_weights, dtype=np.float64)
        )
        return np.repeat(weights, [view.n_features for view in data.views])

    def _check_settings(self, data: MultiViewData) -> None:
        if self.gamma is not None and not 0 <= self.gamma < np.inf:
            raise InvalidSetting(f"convexsub: gamma must be at least 0, or None for a share, not {self.gamma}.")
        if not 0 <= self.share < 1:
            raise InvalidSetting(f"convexsub: share must be at least 0 and below 1, where Z is 0, not {self.share}.")
        if self.max_iter < 1:
            raise InvalidSetting(f"convexsub: max_iter must be at least 1, not {self.max_iter}.")
        if self.view_weights is None:
            return
        weights = np.asarray(self.view_weights, dtype=np.float64)
        if weights.shape != (data.n_views,) or not (np.isfinite(weights) & (weights > 0)).all():
            raise InvalidSetting(
                f"convexsub: view_weights must be {data.n_views} positive numbers, one for each view of {data.name}, "
                f"not {list(self.view_weights)}."
            )
