"""Co-regularised multi-view spectral clustering (Kumar, Rai and Daumé 2011), pairwise and centroid-based."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.specs_spectral import COREG_CENTROID, COREG_PAIRWISE
from mvarena.algorithms.graph.view_graphs import Square, symmetric_normalized, view_similarities
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.block_krylov import leading_eigenpairs, start_block
from mvarena.numerics.scaling import unit_rows
from mvarena.numerics.spectral import fix_signs, top_eigenvectors

_DENSE_LIMIT = 400
_GUARD = 10
_EIGEN_TOL = 1e-5


@dataclass(frozen=True, eq=False, slots=True)
class CoRegResult:
    """What a solver found.

    U : per view an (n, k) orthonormal basis; centroid : (n, k) or None for the pairwise form.
    objective : the joint objective after each iteration, with the sign that makes it fall.
    eigenvalue_sums : (iterations + 1, V) the sum of the k eigenvalues at each view's last update, from the start.
    """

    U: list[NDArray[np.float64]]
    centroid: NDArray[np.float64] | None
    objective: NDArray[np.float64]
    eigenvalue_sums: NDArray[np.float64]
    n_iter: int
    converged: bool
    stopped_because: str


@dataclass(slots=True)
class _SpectralView:
    """One view's normalised graph, and the eigenvectors last found, from which the next search starts."""

    L: Square
    k: int
    warm: NDArray[np.float64] | None = field(default=None)

    def solve(self, W: NDArray[np.float64], weights: float, tol: float) -> tuple[NDArray[np.float64], float]:
        """Top k eigenvectors of L + weights W W^T, and the sum of their eigenvalues."""
        n = len(self.L)
        if n <= max(_DENSE_LIMIT, 8 * self.k):
            values, U = top_eigenvectors(self.L + weights * (W @ W.T), self.k)
            return U, float(values.sum())
        start = start_block(n, self.k + _GUARD) if self.warm is None else self.warm
        values, self.warm = leading_eigenpairs(
            lambda X: self.L @ X + weights * (W @ (W.T @ X)), start, self.k, tol=tol, depth=2
        )
        return self.warm[:, : self.k], float(values[: self.k].sum())


def coreg_pairwise(
    L: Sequence[Square], k: int, lam: float, *, max_iter: int = 10, tol: float = 1e-4, eigen_tol: float = _EIGEN_TOL
) -> CoRegResult:
    """Maximise sum_v tr(U_v^T L_v U_v) + lam sum_(v<w) tr(U_v U_v^T U_w U_w^T) over orthonormal U_v.

    Parameters
    ----------
    L : V normalised similarities D^-1/2 S D^-1/2, (n, n) symmetric.
    tol : stop once the objective changes by less than this, relatively; 0 runs all `max_iter` iterations.

    In each iteration view 1 comes last: it sees the others already updated (the published code's order).
    Cost O(V n^2 k) per iteration, V n^2 memory. Source: equations 4 and 5 of the paper.
    """
    views = [_SpectralView(L_v, k) for L_v in L]
    n, V = len(L[0]), len(L)
    U, sums = _separate(views, n, eigen_tol)
    history = [-sum(sums) - lam * _agreement(U)]
    all_sums, fits = [list(sums)], list(sums)
    for _ in range(max_iter):
        for v in [*range(1, V), 0]:
            # Eq. 5: top-k eigenvectors of L_v + lam sum_(w != v) U_w U_w^T
            others = [U[w] for w in range(V) if w != v]
            W = np.hstack(others) if others else np.zeros((n, 1))
            U[v], sums[v] = views[v].solve(W, lam, eigen_tol)
            fits[v] = sums[v] - lam * float(np.linalg.norm(W.T @ U[v]) ** 2)
        all_sums.append(list(sums))
        history.append(-sum(fits) - lam * _agreement(U))
        if abs(history[-1] - history[-2]) < tol * abs(history[-2]):
            break
    return _result(U, None, history, all_sums, max_iter, tol)


def coreg_centroid(
    L: Sequence[Square],
    k: int,
    lam: NDArray[np.float64],
    *,
    max_iter: int = 10,
    tol: float = 1e-4,
    eigen_tol: float = _EIGEN_TOL,
) -> CoRegResult:
    """Maximise sum_v tr(U_v^T L_v U_v) + sum_v lam_v tr(U_v U_v^T U* U*^T) over orthonormal U_v and U*.

    Parameters as `coreg_pairwise`, with one weight per view: lam (V,). The centroid U* is updated first in each
    iteration. Cost O(V n^2 k) per iteration, V n^2 memory. Source: equations 9 to 11 of the paper.
    """
    views = [_SpectralView(L_v, k) for L_v in L]
    n = len(L[0])
    U, sums = _separate(views, n, eigen_tol)
    all_sums = [list(sums)]
    history: list[float] = []
    centroid = _centroid(U, lam)
    for _ in range(max_iter):
        for v, view in enumerate(views):
            # Eq. 10: top-k eigenvectors of L_v + lam_v U* U*^T
            U[v], sums[v] = view.solve(centroid, float(lam[v]), eigen_tol)
        all_sums.append(list(sums))
        history.append(-float(sum(sums)))
        if len(history) > 1 and abs(history[-1] - history[-2]) < tol * abs(history[-2]):
            break
        if len(history) < max_iter:
            centroid = _centroid(U, lam)
    return _result(U, centroid, history, all_sums, max_iter, tol)


def _separate(views: list[_SpectralView], n: int, tol: float) -> tuple[list[NDArray[np.float64]], list[float]]:
    """Each view's own spectral solution."""
    solved = [view.solve(np.zeros((n, 1)), 0.0, tol) for view in views]
    return [U for U, _ in solved], [total for _, total in solved]


def _centroid(U: list[NDArray[np.float64]], lam: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eq. 11: top-k eigenvectors of sum_v lam_v U_v U_v^T: the left singular vectors of the weighted U_v."""
    # Where all weights are 0 any weighting gives a maximiser; equal weights are the fair one.
    weights = np.sqrt(lam) if lam.any() else np.ones_like(lam)
    stacked = np.hstack([U_v * w for U_v, w in zip(U, weights, strict=True)])
    values, S = top_eigenvectors(stacked.T @ stacked, U[0].shape[1])
    return fix_signs(np.linalg.qr(stacked @ S / np.sqrt(values))[0])


def _agreement(U: list[NDArray[np.float64]]) -> float:
    """sum_(v<w) tr(U_v U_v^T U_w U_w^T)."""
    return sum(float(np.linalg.norm(U[v].T @ U[w]) ** 2) for v in range(len(U)) for w in range(v))


def _result(
    U: list[NDArray[np.float64]],
    centroid: NDArray[np.float64] | None,
    history: list[float],
    sums: list[list[float]],
    max_iter: int,
    tol: float,
) -> CoRegResult:
    n_iter = len(sums) - 1
    converged = len(history) > 1 and abs(history[-1] - history[-2]) < tol * abs(history[-2])
    reason = f"the objective changed by less than {tol:g}" if converged else f"{max_iter} iterations were done"
    return CoRegResult(
        [fix_signs(U_v) for U_v in U], centroid, np.array(history), np.array(sums), n_iter, converged, reason
    )


class _CoReg(SquareClusterer):
    """What both forms share: parameters and graphs."""

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        lam: float = 0.05,
        sigma: float | None = None,
        max_iter: int = 10,
        tol: float = 1e-4,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.sigma = sigma
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return n_views + 2

    def _graphs(self, data: MultiViewData) -> list[Square]:
        if self.lam < 0:
            raise InvalidSetting(f"lam must not be negative, and it is {self.lam}; the paper uses 0.01 to 0.05.")
        if self.max_iter < 1:
            raise InvalidSetting(f"max_iter must be at least 1, not {self.max_iter}.")
        return [symmetric_normalized(S) for S in view_similarities(data, self.sigma)]


def _represent(result: CoRegResult, embedding: NDArray[np.float64]) -> Representation:
    return Representation(
        embedding=embedding,
        objective=result.objective,
        n_iter=result.n_iter,
        converged=result.converged,
        stopped_because=result.stopped_because,
        details={"eigenvalue_sums": result.eigenvalue_sums},
    )


class CoRegPairwise(_CoReg):
    """Co-regularised spectral clustering, every pair of views pulled together. Status: verified.

    Parameters
    ----------
    lam : weight of the agreement between views; the paper uses 0.01 to 0.05.
    sigma : Gaussian bandwidth; None: each view's median distance.
    view : index of the view whose eigenvectors are clustered (the published code takes 0); None: all views'
        side by side, which is what the authors advise when no view is known to be the best.

    Cost O(n^2 d + V n^2 k) per iteration; (V + 2) n^2 doubles. The order of the views matters slightly: they are
    updated in turn. Source: Kumar, Rai and Daumé, NIPS 2011, section 3.1. The published code takes the median over
    the n x n matrix with its zero diagonal, here over the pairs of different samples.
    """

    spec: ClassVar[AlgorithmSpec] = COREG_PAIRWISE

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        lam: float = 0.05,
        sigma: float | None = None,
        view: int | None = None,
        max_iter: int = 10,
        tol: float = 1e-4,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        super().__init__(
            n_clusters=n_clusters,
            lam=lam,
            sigma=sigma,
            max_iter=max_iter,
            tol=tol,
            n_init=n_init,
            random_state=random_state,
        )
        self.view = view

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        if self.view is not None and not 0 <= self.view < data.n_views:
            raise InvalidSetting(f"view must be None or 0 to {data.n_views - 1}, not {self.view}.")
        result = coreg_pairwise(self._graphs(data), k, self.lam, max_iter=self.max_iter, tol=self.tol)
        chosen = result.U if self.view is None else [result.U[self.view]]
        return _represent(result, np.hstack([unit_rows(U) for U in chosen]))


class CoRegCentroid(_CoReg):
    """Co-regularised spectral clustering, every view pulled towards a common centroid. Status: verified.

    Parameters
    ----------
    lam : weight of each view's agreement with the centroid.
    sigma : Gaussian bandwidth; None: each view's median distance.

    Cost O(n^2 d + V n^2 k) per iteration; (V + 2) n^2 doubles. Source: Kumar, Rai and Daumé, NIPS 2011, section
    3.2. The published code's list of objectives repeats the last view's value in the first view's place; ours
    does not.
    """

    spec: ClassVar[AlgorithmSpec] = COREG_CENTROID

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        lam = np.full(data.n_views, float(self.lam))
        result = coreg_centroid(self._graphs(data), k, lam, max_iter=self.max_iter, tol=self.tol)
        assert result.centroid is not None
        return _represent(result, unit_rows(result.centroid))
