"""Co-regularised multi-view spectral clustering (Kumar, Rai and Daumé 2011), pairwise and centroid-based."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.specs_spectral import COREG_CENTROID, COREG_PAIRWISE
from mvarena.algorithms.graph.view_graphs import Square, symmetric_normalized, view_graphs
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.block_krylov import Block, leading_eigenpairs, start_block
from mvarena.numerics.scaling import unit_rows
from mvarena.numerics.spectral import fix_signs, top_eigenvectors
from mvarena.numerics.threads import linear_algebra_threads, side_by_side_tasks

_DENSE_LIMIT = 400
_GUARD = 10
_START_TOL = 1e-4


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


@dataclass(frozen=True, slots=True)
class EigenSearch:
    """How far each update of a view goes on large graphs: until the residual is `tol`, or `max_rounds` were done."""

    tol: float
    depth: int
    max_rounds: int


# the published method: the top k eigenvectors in each update
EXACT = EigenSearch(tol=1e-5, depth=2, max_rounds=100)
# one step of the block search from the view's last eigenvectors: the objective falls, as the step never does worse than
# to stay, and after ten iterations is as low as with exact updates, at two fifths of the products
ONE_STEP = EigenSearch(tol=1e-5, depth=1, max_rounds=1)


def _is_small(n: int, k: int) -> bool:
    """Whether all eigenvectors are found exactly, by LAPACK."""
    return n <= max(_DENSE_LIMIT, 8 * k)


@dataclass(slots=True)
class _SpectralView:
    """One view's normalised graph (single or double precision), and what the last search leaves for the next."""

    L: NDArray[np.floating]
    k: int
    search: EigenSearch
    basis: Block = field(init=False)
    L_basis: Block = field(init=False)

    def separate(self) -> tuple[Block, float]:
        """Top k eigenvectors of L, and the sum of their eigenvalues."""
        n = len(self.L)
        if self._is_small:
            return self._dense(np.asarray(self.L, dtype=np.float64))
        start = start_block(n, self.k + _GUARD).astype(self.L.dtype, copy=False)
        found = leading_eigenpairs(self._product, start, self.k, tol=max(self.search.tol, _START_TOL), depth=2)
        self.basis, self.L_basis = found.vectors, found.images
        return self.basis[:, : self.k], float(found.values[: self.k].sum())

    def update(self, W: Block, weight: float) -> tuple[Block, float]:
        """Top k eigenvectors of L + weight W W^T, and the sum of their eigenvalues; as far as the search goes."""
        if self._is_small:
            return self._dense(self.L + weight * (W @ W.T))
        W = W.astype(self.L.dtype, copy=False)

        def pull(X: Block) -> Block:
            return np.asarray(W @ (weight * (W.T @ X)))

        search = self.search
        found = leading_eigenpairs(
            lambda X: self._product(X) + pull(X),
            self.basis,
            self.k,
            tol=search.tol,
            depth=search.depth,
            max_rounds=search.max_rounds,
            images=self.L_basis + pull(self.basis),
        )
        self.basis = found.vectors
        self.L_basis = found.images - pull(self.basis)
        return self.basis[:, : self.k], float(found.values[: self.k].sum())

    @property
    def _is_small(self) -> bool:
        return _is_small(len(self.L), self.k)

    def _dense(self, A: Square) -> tuple[Block, float]:
        values, U = top_eigenvectors(A, self.k)
        return U, float(values.sum())

    def _product(self, X: Block) -> Block:
        # L is symmetric, and BLAS takes less time for X^T L than for L X
        return np.ascontiguousarray((np.ascontiguousarray(X.T) @ self.L).T)


def coreg_pairwise(
    L: Sequence[NDArray[np.floating]],
    k: int,
    lam: float,
    *,
    max_iter: int = 10,
    tol: float = 1e-4,
    search: EigenSearch = EXACT,
) -> CoRegResult:
    """Maximise sum_v tr(U_v^T L_v U_v) + lam sum_(v<w) tr(U_v U_v^T U_w U_w^T) over orthonormal U_v.

    Parameters
    ----------
    L : V normalised similarities D^-1/2 S D^-1/2, (n, n) symmetric.
        In single precision they take half the memory and time, and U_v is exact to some 1e-6 divided by the gap
        after the k-th eigenvalue.
    tol : stop once the objective changes by less than this, relatively; 0 runs all `max_iter` iterations.
    search : of the eigenvectors, for more than 400 samples; below, they are exact.

    In each iteration view 1 comes last: it sees the others already updated (the published code's order).
    Cost O(V n^2 k) per iteration, V n^2 memory. Source: equations 4 and 5 of the paper.
    """
    views = [_SpectralView(L_v, k, search) for L_v in L]
    n, V = len(L[0]), len(L)
    U, sums = _separate(views)
    history = [-sum(sums) - lam * _agreement(U)]
    all_sums, fits = [list(sums)], list(sums)
    for _ in range(max_iter):
        for v in [*range(1, V), 0]:
            # Eq. 5: top-k eigenvectors of L_v + lam sum_(w != v) U_w U_w^T
            others = [U[w] for w in range(V) if w != v]
            W = np.hstack(others) if others else np.zeros((n, 1))
            U[v], sums[v] = views[v].update(W, lam)
            fits[v] = sums[v] - lam * float(np.linalg.norm(W.T @ U[v]) ** 2)
        all_sums.append(list(sums))
        history.append(-sum(fits) - lam * _agreement(U))
        if abs(history[-1] - history[-2]) < tol * abs(history[-2]):
            break
    return _result(U, None, history, all_sums, max_iter, tol)


def coreg_centroid(
    L: Sequence[NDArray[np.floating]],
    k: int,
    lam: NDArray[np.float64],
    *,
    max_iter: int = 10,
    tol: float = 1e-4,
    search: EigenSearch = EXACT,
) -> CoRegResult:
    """Maximise sum_v tr(U_v^T L_v U_v) + sum_v lam_v tr(U_v U_v^T U* U*^T) over orthonormal U_v and U*.

    Parameters as `coreg_pairwise`, with one weight per view: lam (V,). The centroid U* is updated first in each
    iteration. Cost O(V n^2 k) per iteration, V n^2 memory. Source: equations 9 to 11 of the paper.
    """
    views = [_SpectralView(L_v, k, search) for L_v in L]
    U, sums = _separate(views)
    all_sums = [list(sums)]
    history: list[float] = []
    centroid = _centroid(U, lam)
    for _ in range(max_iter):
        # one after the other: an update is too short for two threads to be faster
        for v, view in enumerate(views):
            # Eq. 10: top-k eigenvectors of L_v + lam_v U* U*^T
            U[v], sums[v] = view.update(centroid, float(lam[v]))
        all_sums.append(list(sums))
        history.append(-float(sum(sums)))
        if len(history) > 1 and abs(history[-1] - history[-2]) < tol * abs(history[-2]):
            break
        if len(history) < max_iter:
            centroid = _centroid(U, lam)
    return _result(U, centroid, history, all_sums, max_iter, tol)


def _separate(views: list[_SpectralView]) -> tuple[list[Block], list[float]]:
    """Each view's own spectral solution; side by side, as they do not depend on one another yet."""
    with side_by_side_tasks(len(views)) as each:
        solved = list(each(_SpectralView.separate, views))
    return [U for U, _ in solved], [total for _, total in solved]


def _centroid(U: list[Block], lam: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eq. 11: top-k eigenvectors of sum_v lam_v U_v U_v^T: the left singular vectors of the weighted U_v."""
    # Where all weights are 0 any weighting gives a maximiser; equal weights are the fair one.
    weights = np.sqrt(lam) if lam.any() else np.ones_like(lam)
    stacked = np.hstack([U_v * w for U_v, w in zip(U, weights, strict=True)])
    values, S = top_eigenvectors(stacked.T @ stacked, U[0].shape[1])
    return fix_signs(np.linalg.qr(stacked @ S / np.sqrt(values))[0])


def _agreement(U: list[Block]) -> float:
    """sum_(v<w) tr(U_v U_v^T U_w U_w^T)."""
    return sum(float(np.linalg.norm(U[v].T @ U[w]) ** 2) for v in range(len(U)) for w in range(v))


def _result(
    U: list[Block],
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
        [fix_signs(np.asarray(U_v, dtype=np.float64)) for U_v in U],
        centroid,
        np.array(history),
        np.array(sums),
        n_iter,
        converged,
        reason,
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
        return n_views // 2 + 2 + 2 * linear_algebra_threads()

    def _graphs(self, data: MultiViewData, k: int) -> list[NDArray[np.floating]]:
        """Normalised similarities, in single precision where the block search multiplies by them again and again."""
        if self.lam < 0:
            raise InvalidSetting(f"lam must not be negative, and it is {self.lam}; the paper uses 0.01 to 0.05.")
        if self.max_iter < 1:
            raise InvalidSetting(f"max_iter must be at least 1, not {self.max_iter}.")
        dtype = np.float64 if _is_small(data.n_samples, k) else np.float32
        return view_graphs(data, self.sigma, symmetric_normalized, dtype=dtype)


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

    Cost O(n^2 d), then O(V n^2 k) per iteration; (V / 2 + 2) n^2 doubles, and 2 n^2 more per thread. The order of the
    views matters slightly: they are updated in turn. Above 400 samples graphs and eigenvectors are in single precision
    (distances in double where the bandwidth is too narrow for it) and an update is one step towards the eigenvectors
    (`ONE_STEP`). Source: Kumar, Rai and Daumé, NIPS 2011, section 3.1. The published code takes the median over the
    n x n matrix with its zero diagonal, here over the pairs of different samples.
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
        result = coreg_pairwise(
            self._graphs(data, k), k, self.lam, max_iter=self.max_iter, tol=self.tol, search=ONE_STEP
        )
        chosen = result.U if self.view is None else [result.U[self.view]]
        return _represent(result, np.hstack([unit_rows(U) for U in chosen]))


class CoRegCentroid(_CoReg):
    """Co-regularised spectral clustering, every view pulled towards a common centroid. Status: verified.

    Parameters
    ----------
    lam : weight of each view's agreement with the centroid.
    sigma : Gaussian bandwidth; None: each view's median distance.

    Cost O(n^2 d), then O(V n^2 k) per iteration; (V / 2 + 2) n^2 doubles, and 2 n^2 more per thread. Above 400 samples
    as for the pairwise form. Source: Kumar, Rai and Daumé, NIPS 2011, section 3.2. The published code's list of
    objectives repeats the last view's value in the first view's place; ours does not.
    """

    spec: ClassVar[AlgorithmSpec] = COREG_CENTROID

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        lam = np.full(data.n_views, float(self.lam))
        result = coreg_centroid(self._graphs(data, k), k, lam, max_iter=self.max_iter, tol=self.tol, search=ONE_STEP)
        assert result.centroid is not None
        return _represent(result, unit_rows(result.centroid))
