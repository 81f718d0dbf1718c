"""ConvexSub: one convex low-rank representation shared by all views (after Guo, AAAI 2013).

    min  sum_v beta_v |X_v - Z_v|^2 + gamma |[Z_1 .. Z_V]|_*

over Z_v (n, d_v), for views X_v.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Lt
from numpy.typing import NDArray

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.proximal import singular_value_threshold
from mvarena.numerics.spectral import fix_signs

# matrices of all views side by side that are alive at once, the data included
_MATRICES = 6


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ConvexSubResult:
    """Z (n, D), and the objective per step."""

    Z: NDArray[np.float64]
    history: History


def smallest_zero_gamma(X: NDArray[np.float64], beta: NDArray[np.float64]) -> float:
    """The gamma from which on Z = 0 is the minimum: 2 norm_2([beta_1 X_1 .. beta_V X_V]).

    X (n, D) the views side by side, beta (D,) the weight of each column's view. Cost O(n D min(n, D)).
    """
    weighted = X * beta
    gram = weighted @ weighted.T if X.shape[0] < X.shape[1] else weighted.T @ weighted
    return 2.0 * float(np.sqrt(max(np.linalg.eigvalsh(gram)[-1], 0.0)))


def reconstruct(X: NDArray[np.float64], beta: NDArray[np.float64], gamma: float, stopping: Stopping) -> ConvexSubResult:
    """Minimise sum_v beta_v norm(X_v - Z_v)^2 + gamma norm_*([Z_1 .. Z_V]) over Z (n, D).

    Parameters
    ----------
    X : (n, D) the views side by side. beta : (D,) positive, the weight of each column's view. gamma : at least 0.
    stopping : its `tol` is the length of the last step as a share of norm(Z); the first step tells nothing.

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
    history = History(stopping, measured="the last step was, as a share of Z,")
    while not history.ended:
        new, new_value = _proximal_step(X, beta, gamma, ahead, top)
        if new_value > value and ahead is not Z:
            new, new_value = _proximal_step(X, beta, gamma, Z, top)
        step = new - Z
        ahead = new + momentum * step if momentum else new
        Z, value = new, new_value
        moved, length = float(np.linalg.norm(step)), float(np.linalg.norm(Z))
        # of Z = 0, the minimum where gamma is large, no step is a share
        history.add(value, violation=moved / length if length > 0 else float(moved > 0))
    return ConvexSubResult(Z=Z, history=history)


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
    gamma : weight of the trace norm, in units of the data; None: `share` of the smallest gamma whose solution is 0.
    share : used where gamma is None; the same for every scale of the data.
    view_weights : beta_v of each view; None: 1 for all, as in MIC's comparison.
    max_iter, tol : see `reconstruct`; with equal weights the second step only confirms the first.

    Raises InvalidSetting if there are not as many weights as views.

    The problem: min sum_v beta_v norm(X_v - Z_v)^2 + gamma norm_*([Z_1 .. Z_V]). It is that of a dictionary B with
    unit rows and codes Phi, Z = Phi B, under the sum of Phi's column norms (L2,1), in which the number of columns is
    free: the trace norm is the least such sum. The clusters are k-means clusters of Phi's rows.

    The original text was not at hand; its abstract names a min-max dual, solved by a proximal bundle method, which
    suggests a bound on each view's own dictionary rather than on all views' together as here, so its figures need not
    be met.
    """

    canonical: ClassVar[bool] = True

    gamma: NonNegative | None = None
    share: Annotated[float, Ge(0), Lt(1)] = 0.02
    view_weights: Sequence[Positive] | None = None
    max_iter: Count = 500
    tol: NonNegative = 1e-7

    def memory_needed(self, data: MultiViewData) -> int:
        n, D = data.n_samples, sum(view.n_features for view in data.views)
        return 8 * (_MATRICES * n * D + 3 * min(n, D) ** 2)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        X = np.hstack([view.matrix.toarray() if view.is_sparse else view.matrix for view in data.views])
        beta = self._column_weights(data)
        gamma = self.share * smallest_zero_gamma(X, beta) if self.gamma is None else self.gamma
        result = reconstruct(X, beta, gamma, Stopping(self.max_iter, self.tol, earliest=2))
        return Representation(
            embedding=shared_representation(result.Z), history=result.history, details={"gamma": np.array(gamma)}
        )

    def _column_weights(self, data: MultiViewData) -> NDArray[np.float64]:
        weights = [1.0] * data.n_views if self.view_weights is None else list(self.view_weights)
        if len(weights) != data.n_views:
            raise InvalidSetting(
                f"convexsub.view_weights must be {data.n_views} numbers, one per view of {data.name}, not {weights}.",
                field="convexsub.view_weights",
                value=weights,
            )
        return np.repeat(weights, [view.n_features for view in data.views])
