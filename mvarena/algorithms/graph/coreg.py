"""Co-regularised multi-view spectral clustering (Kumar, Rai and Daumé 2011), pairwise and centroid-based.

    max  sum_v tr(U_v^T L_v U_v) + lam sum_(v<w) tr(U_v U_v^T U_w U_w^T)      pairwise
    max  sum_v tr(U_v^T L_v U_v) + lam sum_v tr(U_v U_v^T U* U*^T)            with a centroid U*

over U_v and U* (n, k) with orthonormal columns, for L_v = D_v^-1/2 K_v D_v^-1/2.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import (
    Square,
    gaussian_similarity,
    observed_graphs,
    symmetric_normalized,
    view_graphs,
)
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.eigen import Block, leading_eigenpairs, start_block
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import fix_signs, top_eigenvectors
from mvarena.system.threads import linear_algebra_threads, side_by_side_tasks

# The eigenvectors of co-regularised graphs: a view's graph plus a term of low rank that changes in each iteration.

_DENSE_LIMIT = 400
_GUARD = 10
_START_TOL = 1e-4


def is_small(n: int, k: int) -> bool:
    """True if all eigenvectors are found exactly, by LAPACK."""
    return n <= max(_DENSE_LIMIT, 8 * k)


@dataclass(slots=True)
class SpectralView:
    """One view's normalised graph (single or double precision), and what the last search leaves for the next."""

    L: NDArray[np.floating]
    k: int
    basis: Block = field(init=False)
    L_basis: Block = field(init=False)

    def separate(self) -> tuple[Block, float]:
        """Top k eigenvectors of L, and the sum of their eigenvalues."""
        n = len(self.L)
        if is_small(n, self.k):
            return self._dense(np.asarray(self.L, dtype=np.float64))
        start = start_block(n, self.k + _GUARD).astype(self.L.dtype, copy=False)
        result = leading_eigenpairs(self._product, start, self.k, tol=_START_TOL, depth=2)
        self.basis, self.L_basis = result.vectors, result.images
        return self.basis[:, : self.k], float(result.values[: self.k].sum())

    def update(self, W: Block, weight: float) -> tuple[Block, float]:
        """Top k eigenvectors of L + weight W W^T, and the sum of their eigenvalues.

        On large graphs one step of the block search from the view's last eigenvectors: the objective falls, as the
        step never does worse than to stay, and after ten iterations is as low as with exact updates, at two fifths of
        the products.
        """
        if is_small(len(self.L), self.k):
            return self._dense(self.L + weight * (W @ W.T))
        W = W.astype(self.L.dtype, copy=False)

        def pull(X: Block) -> Block:
            return np.asarray(W @ (weight * (W.T @ X)))

        result = leading_eigenpairs(
            lambda X: self._product(X) + pull(X),
            self.basis,
            self.k,
            depth=1,
            max_rounds=1,
            images=self.L_basis + pull(self.basis),
        )
        self.basis = result.vectors
        self.L_basis = result.images - pull(self.basis)
        return self.basis[:, : self.k], float(result.values[: self.k].sum())

    def _dense(self, A: Square) -> tuple[Block, float]:
        values, U = top_eigenvectors(A, self.k)
        return U, float(values.sum())

    def _product(self, X: Block) -> Block:
        # L is symmetric, and BLAS takes less time for X^T L than for L X
        return np.ascontiguousarray((np.ascontiguousarray(X.T) @ self.L).T)


@dataclass(frozen=True, eq=False, slots=True)
class CoRegResult:
    """Result of a solver.

    U : per view an (n, k) orthonormal basis; centroid : (n, k) or None for the pairwise form.
    eigenvalue_sums : (iterations + 1, V) the sum of the k eigenvalues at each view's last update, from the start.
    history : of the joint objective, with the sign that makes it fall.
    """

    U: list[NDArray[np.float64]]
    centroid: NDArray[np.float64] | None
    eigenvalue_sums: NDArray[np.float64]
    history: History


def coreg_pairwise(L: Sequence[NDArray[np.floating]], k: int, lam: float, stopping: Stopping) -> CoRegResult:
    """Maximise sum_v tr(U_v^T L_v U_v) + lam sum_(v<w) tr(U_v U_v^T U_w U_w^T) over orthonormal U_v.

    Parameters
    ----------
    L : V normalised similarities D^-1/2 S D^-1/2, (n, n) symmetric.
        In single precision they take half the memory and time, and U_v is exact to some 1e-6 divided by the gap
        after the k-th eigenvalue. Up to 400 samples eigenvectors are exact.

    In each iteration view 1 comes last: it sees the others already updated (the published code's order).
    Cost O(V n^2 k) per iteration, V n^2 memory. Source: equations 4 and 5 of the paper.
    """
    views = [SpectralView(L_v, k) for L_v in L]
    n, V = len(L[0]), len(L)
    U, sums = _separate(views)
    history = History(stopping, start=-sum(sums) - lam * _agreement(U))
    all_sums, fits = [list(sums)], list(sums)
    while not history.ended:
        for v in [*range(1, V), 0]:
            # Eq. 5: top-k eigenvectors of L_v + lam sum_(w != v) U_w U_w^T
            others = [U[w] for w in range(V) if w != v]
            W = np.hstack(others) if others else np.zeros((n, 1))
            U[v], sums[v] = views[v].update(W, lam)
            fits[v] = sums[v] - lam * float(np.linalg.norm(W.T @ U[v]) ** 2)
        all_sums.append(list(sums))
        history.add(-sum(fits) - lam * _agreement(U))
    return CoRegResult(_signed(U), None, np.array(all_sums), history)


def coreg_centroid(L: Sequence[NDArray[np.floating]], k: int, lam: float, stopping: Stopping) -> CoRegResult:
    """Maximise sum_v tr(U_v^T L_v U_v) + lam sum_v tr(U_v U_v^T U* U*^T) over orthonormal U_v and U*.

    Parameters as `coreg_pairwise`, the weight being that of each view. The centroid U* is updated first in each
    iteration. Cost O(V n^2 k) per iteration, V n^2 memory. Source: equations 9 to 11 of the paper.
    """
    views = [SpectralView(L_v, k) for L_v in L]
    U, sums = _separate(views)
    all_sums = [list(sums)]
    history = History(stopping)
    while not history.ended:
        centroid = _centroid(U, lam)
        # one after the other: an update is too short for two threads to be faster
        for v, view in enumerate(views):
            # Eq. 10: top-k eigenvectors of L_v + lam U* U*^T
            U[v], sums[v] = view.update(centroid, lam)
        all_sums.append(list(sums))
        history.add(-sum(sums))
    return CoRegResult(_signed(U), centroid, np.array(all_sums), history)


def _separate(views: list[SpectralView]) -> tuple[list[Block], list[float]]:
    """Each view's own spectral solution; side by side, as they do not depend on one another yet."""
    with side_by_side_tasks(len(views)) as each:
        solved = list(each(SpectralView.separate, views))
    return [U for U, _ in solved], [total for _, total in solved]


def _centroid(U: list[Block], lam: float) -> NDArray[np.float64]:
    """Eq. 11: top-k eigenvectors of lam sum_v U_v U_v^T: the left singular vectors of all U_v side by side."""
    # where the weight is 0 any centroid is a maximiser: that of another weight is the fair one
    stacked = np.hstack(U) * (np.sqrt(lam) if lam > 0 else np.float64(1.0))
    values, S = top_eigenvectors(stacked.T @ stacked, U[0].shape[1])
    return fix_signs(np.linalg.qr(stacked @ S / np.sqrt(values))[0])


def _agreement(U: list[Block]) -> float:
    """sum_(v<w) tr(U_v U_v^T U_w U_w^T)."""
    return sum(float(np.linalg.norm(U[v].T @ U[w]) ** 2) for v in range(len(U)) for w in range(v))


def _signed(U: list[Block]) -> list[NDArray[np.float64]]:
    return [fix_signs(np.asarray(U_v, dtype=np.float64)) for U_v in U]


class _CoReg(SquareClusterer):
    """Base of both forms: parameters and graphs."""

    lam: NonNegative = 0.01
    sigma: Literal["median-with-diagonal", "features"] | Positive | None = None
    max_iter: Count = 10
    tol: NonNegative = 1e-4

    def squares(self, n_views: int) -> int:
        return n_views // 2 + 2 + 2 * linear_algebra_threads()

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        # in single precision where the block search multiplies by them again and again
        dtype = np.float64 if is_small(data.n_samples, n_clusters) else np.float32
        L = self._graphs(data, dtype)
        result = self._co_regularised(L, n_clusters, Stopping(self.max_iter, self.tol, relative_to="old"))
        details = {"eigenvalue_sums": result.eigenvalue_sums}
        return Representation(embedding=self._embedding(result), history=result.history, details=details)

    def _graphs(self, data: MultiViewData, dtype: type[np.floating]) -> list[NDArray[np.floating]]:
        """Each view's normalised similarities (n, n)."""
        if self.sigma != "features":
            return view_graphs(data, self.sigma, symmetric_normalized, dtype=dtype)

        def graph(view: View) -> NDArray[np.floating]:
            # 2 sigma^2 is the number of features
            return symmetric_normalized(gaussian_similarity(view, float(np.sqrt(view.n_features / 2)), dtype=dtype))

        return observed_graphs(data, graph)

    @abstractmethod
    def _co_regularised(self, L: list[NDArray[np.floating]], k: int, stopping: Stopping) -> CoRegResult:
        """Run the solver of this form."""

    @abstractmethod
    def _embedding(self, result: CoRegResult) -> NDArray[np.float64]:
        """(n, p) what is clustered of it."""


class CoRegPairwise(_CoReg):
    """Co-regularised spectral clustering, every pair of views pulled together.

    Parameters
    ----------
    lam : weight of the agreement between views; the paper uses 0.01 to 0.05.
    sigma : of the similarities exp(-d^2 / (2 sigma^2)). None: each view's median distance, over the pairs of different
        samples. "median-with-diagonal", as published: the median over the n x n matrix with its zero diagonal.
        "features", as other libraries have it: 2 sigma^2 is the number of features; for z-scored ones of independent
        columns that is a quarter of the median's, and k-means then has more solutions (`reports/speed`).
    view : index of the view whose eigenvectors are clustered (the published code takes 0); None: all views'
        side by side, which is what the authors advise when no view is known to be the best.
    max_iter : at most so many iterations. tol : the relative change of the objective at the end.

    Departure from the published program, which moves results: the program runs all iterations that it is told to (5 in
    its demo), where tol ends ours earlier; tol = 0 does as the program.
    The order of the views matters slightly: they are updated in turn. Above 400 samples graphs and eigenvectors are in
    single precision (distances in double where sigma is too small for it) and an update is one step towards the
    eigenvectors. A sample that a view misses is isolated in its graph: there the agreement alone places it.
    """

    view: int | None = None

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        if self.view is not None and not 0 <= self.view < data.n_views:
            raise InvalidSetting(f"view must be None or 0 to {data.n_views - 1}, not {self.view}.")
        return super().solve(data, n_clusters)

    def _co_regularised(self, L: list[NDArray[np.floating]], k: int, stopping: Stopping) -> CoRegResult:
        return coreg_pairwise(L, k, self.lam, stopping)

    def _embedding(self, result: CoRegResult) -> NDArray[np.float64]:
        chosen = result.U if self.view is None else [result.U[self.view]]
        return np.hstack([unit_embedding(U) for U in chosen])


class CoRegCentroid(_CoReg):
    """Co-regularised spectral clustering, every view pulled towards a common centroid.

    Parameters and the departure as for `CoRegPairwise`; lam is the weight of each view's agreement with the centroid.
    The published code's list of objectives repeats the last view's value in the first view's place; ours does not.
    """

    def _co_regularised(self, L: list[NDArray[np.floating]], k: int, stopping: Stopping) -> CoRegResult:
        return coreg_centroid(L, k, float(self.lam), stopping)

    def _embedding(self, result: CoRegResult) -> NDArray[np.float64]:
        assert result.centroid is not None
        return unit_embedding(result.centroid)
