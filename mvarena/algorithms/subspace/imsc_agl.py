"""IMSC-AGL: incomplete multi-view spectral clustering with adaptive graph learning (Wen et al., IEEE Cybernetics 2020).

    min  sum_v |Z_v|_* + l1 tr(F_v^T G_v^T L(W_v) G_v F_v) + l2 |E_v|_1 + l3 (k - tr(U^T F_v F_v^T U)),
         X_v^T = X_v^T Z_v + E_v,  Z_v = S_v = W_v,  rows of W_v on the simplex with diagonal 0,

over the observed samples of each view, which G_v places among all n; F_v and U (n, k) have orthonormal columns. By the
alternating direction method of multipliers, whose objective may rise.

Departures. In the authors' program the variable of the consensus U is overwritten by each F_v in turn: a view is pulled
towards the view before it, and the last F_v is returned. Here U is the consensus; `consensus` offers the program's
form, which matches number for number from its start. F_v starts at the smallest eigenvectors of the first graph but for
the constant one; the program drops all below 1e-6, which are the clusters themselves where the graph is in pieces. Of a
view that observes more than 1,000 samples, singular values are taken in single precision while 1 / mu > 0.005, which
moves the embedding by some 1e-7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.algorithms.bandwidth import mean_length_one
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.eigen import leading_eigenpairs
from mvarena.numerics.iteration import History, Stopping, largest_magnitude
from mvarena.numerics.low_rank import SingularThreshold
from mvarena.numerics.neighbours import neighbour_laplacian
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import fix_signs, top_eigenvectors
from mvarena.system.threads import linear_algebra_threads, side_by_side_tasks

# IMSC-AGL's variables of one view, and their updates.

# relative residuals, well below what the iterations change; and how far above 0 an eigenvalue must be
_SINGULAR, _EMBEDDING, _POSITIVE = 1e-10, 1e-13, 1e-6
_ROUNDS = 4
# more samples than the first pay for single precision, thresholds up to the second ask for double
_DOUBLE_UP_TO, _FINE = 1000, 5e-3


class ViewGraph:
    """Z = S = W (m, m) and E (d, m) with X^T = X^T Z + E, for the m observed samples of a view.

    Parameters
    ----------
    features : X (m, d). rows : (m,) the samples observed. graph : the start of Z, S and W. F : (n, k) start.
    """

    def __init__(self, features: Array, rows: NDArray[np.int64], graph: Array, F: Array) -> None:
        self.X, self.rows, self.F = features, rows, F
        self.Z, self.S, self.W = graph, graph, graph
        self.E = np.zeros_like(features.T)
        self.C1, self.C2, self.C3 = np.zeros_like(self.E), np.zeros_like(graph), np.zeros_like(graph)
        self._left, self._values, self._right = linalg.svd(features, full_matrices=False)
        self._fit = np.zeros_like(self.E)
        self._threshold = SingularThreshold()

    def update_graphs(self, mu: float, smoothness: float) -> float:
        """Z, then W and S; returns the trace norm of S. Cost O(m^2 r + m^3) with r = min(m, d)."""
        self._update_Z(mu)
        # a row's own length moves the row as a whole, and so nothing on the simplex
        own = self.F[self.rows]
        target = (own * (smoothness / mu)) @ own.T
        target -= np.square(own).sum(axis=1) * (smoothness / (2.0 * mu))
        target += self.Z
        target += self.C3 / mu
        self.W = off_diagonal_simplex(target, overwrite=True)
        del target
        single = len(self.X) > _DOUBLE_UP_TO and 1.0 / mu > _FINE
        result = self._threshold(self.Z + self.C2 / mu, 1.0 / mu, tol=_SINGULAR, single=single)
        self.S = result.rows(slice(None))
        return result.trace_norm

    def _update_Z(self, mu: float) -> None:
        """Z = (X X^T + 2 I)^-1 (X X^T + X (C1 / mu - E) + D), D = S + W - (C2 + C3) / mu, and X^T Z.

        With X = U s V^T the inverse is (I - U (s^2 / (s^2 + 2)) U^T) / 2.
        """
        U, s, Vt = self._left, self._values[:, None], self._right
        D = self.C2 + self.C3
        D *= -1.0 / mu
        D += self.S
        D += self.W
        data = s * (Vt @ (self.X.T + self.C1 / mu - self.E))
        inside = data + U.T @ D
        self._fit = Vt.T @ (s / (s**2 + 2.0) * inside)
        data -= s**2 / (s**2 + 2.0) * inside
        D += U @ data
        D *= 0.5
        self.Z = D

    def update_embedding(self, U: Array, smoothness: float, agreement: float) -> None:
        """F: the top k eigenvectors of agreement U U^T - smoothness G^T L(W) G, for U (n, k). Cost O(m^2 k), or O(n^3).

        L has no negative eigenvalue, so that at most k of that matrix's are positive: k such are the top ones.
        """
        n, k = U.shape
        W = self.W + self.W.T
        W *= 0.5 * smoothness
        degrees = W.sum(axis=1)[:, None]

        def multiply(block: Array) -> Array:
            own = block[self.rows]
            product = agreement * (U @ (U.T @ block))
            product[self.rows] += W @ own - degrees * own
            return np.asarray(product)

        result = leading_eigenpairs(multiply, U, k, tol=_EMBEDDING, max_rounds=_ROUNDS)
        if result.residual <= _EMBEDDING and result.values[k - 1] > _POSITIVE * result.values[0]:
            self.F = fix_signs(result.vectors)
        else:
            matrix = agreement * (U @ U.T) - smoothness * spread_laplacian(self.W, self.rows, n)
            self.F = top_eigenvectors(matrix, k, direct=True)[1]

    def update_errors(self, mu: float, sparsity: float) -> float:
        """E and the multipliers; returns the largest violation of the constraints."""
        rest = self.X.T - self._fit
        shifted = rest + self.C1 / mu
        clipped = np.clip(shifted, -sparsity / mu, sparsity / mu)
        self.E = shifted - clipped
        self.C1 = mu * clipped
        rest -= self.E
        violation = largest_magnitude(rest)
        gap = self.Z - self.S
        violation = max(violation, largest_magnitude(gap))
        gap *= mu
        self.C2 += gap
        np.subtract(self.Z, self.W, out=gap)
        violation = max(violation, largest_magnitude(gap))
        gap *= mu
        self.C3 += gap
        return violation

    def smoothness_of(self, F: Array) -> float:
        """tr(F^T G^T L(W) G F)."""
        own = F[self.rows]
        degrees = (self.W.sum(axis=1) + self.W.sum(axis=0)) / 2
        return float(np.vdot(own, degrees[:, None] * own - self.W @ own))


def off_diagonal_simplex(matrix: Array, *, overwrite: bool = False) -> Array:
    """Each row's nearest point on the simplex whose diagonal entry is 0. A single sample keeps a row of zeros.

    overwrite : the matrix's place may be used.
    """
    if len(matrix) < 2:
        return np.zeros_like(matrix)
    matrix = matrix if overwrite else matrix.copy()
    np.fill_diagonal(matrix, -np.inf)
    return project_simplex_rows(matrix)


def spread_laplacian(W: Array, rows: NDArray[np.int64], n: int) -> Array:
    """G^T L(W) G (n, n): the Laplacian of the symmetrised W (m, m) in the rows and columns of its samples."""
    symmetric = (W + W.T) / 2
    spread = np.zeros((n, n))
    spread[np.ix_(rows, rows)] = np.diag(symmetric.sum(axis=1)) - symmetric
    return spread


Array = NDArray[np.float64]
Consensus: TypeAlias = Literal["paper", "program"]

_MU, _GROWTH, _CAP = 0.01, 1.1, 1e8


@dataclass(frozen=True, eq=False, slots=True)
class LearnedGraphs:
    """U : (n, k). views : their variables at the end. history : the objective and the violation of the constraints."""

    U: Array
    views: list[ViewGraph]
    history: History


def imsc_agl(
    views: Sequence[ViewGraph],
    stopping: Stopping,
    *,
    smoothness: float,
    sparsity: float,
    agreement: float,
    consensus: Consensus = "paper",
) -> LearnedGraphs:
    """IMSC-AGL from the views' first graphs and F_v, which it changes. mu is .01, grows by 1.1 per step, at most 1e8.

    smoothness, sparsity, agreement : l1, the weight of the graphs' smoothness; l2, of the errors; l3, of the agreement.
    consensus : "paper": U is the consensus of all F_v; "program": F_v follows the F of the view before it.

    Cost O(V (n^2 d + n^3)) per iteration, memory O(V (n^2 + n d)). Views go side by side where threads allow, unless
    one waits for the other.
    """
    k = views[0].F.shape[1]
    mu, history = _MU, History(stopping)
    U = views[0].F

    def step(view: ViewGraph) -> tuple[float, float]:
        """All variables of a view, once; its part of the objective, and how far it violates its constraints."""
        objective = view.update_graphs(mu, smoothness)
        view.update_embedding(U, smoothness, agreement)
        violation = view.update_errors(mu, sparsity)
        objective += smoothness * view.smoothness_of(view.F)
        objective += sparsity * float(np.abs(view.E).sum())
        objective += agreement * (k - float(np.square(U.T @ view.F).sum()))
        return objective, violation

    with side_by_side_tasks(len(views) if consensus == "paper" else 1) as each:
        while not history.ended:
            U = _consensus(views, k)
            steps = []
            for done in each(step, views):
                steps.append(done)
                if consensus == "program":
                    U = views[len(steps) - 1].F
            mu = min(_GROWTH * mu, _CAP)
            history.add(sum(objective for objective, _ in steps), violation=max(item for _, item in steps))
    return LearnedGraphs(U if consensus == "program" else _consensus(views, k), list(views), history)


def _consensus(views: Sequence[ViewGraph], k: int) -> Array:
    """U (n, k): the top k eigenvectors of sum_v F_v F_v^T, the left singular vectors of all F_v side by side."""
    stacked = np.hstack([view.F for view in views])
    values, right = top_eigenvectors(stacked.T @ stacked, k, direct=True)
    return np.asarray(stacked @ (right / np.sqrt(values)))


def first_view(features: Array, rows: NDArray[np.int64], n: int, k: int, n_neighbors: int) -> ViewGraph:
    """The start: the binary graph of nearest neighbours, and the k smallest eigenvectors of its Laplacian.

    The constant one is left out, as are the samples that the view misses.
    """
    m = len(features)
    own = neighbour_laplacian(features, np.ones(m, dtype=bool), n_neighbors).toarray()
    graph = np.diag(own.diagonal()) - own
    laplacian = spread_laplacian(graph, rows, n)
    above_all = 2.0 * float(laplacian.diagonal().max()) + 1.0
    missing = np.setdiff1d(np.arange(n), rows)
    laplacian[missing, missing] = above_all
    laplacian[np.ix_(rows, rows)] += above_all / m
    return ViewGraph(features, rows, graph, top_eigenvectors(-laplacian, k, direct=True)[1])


class IMSCAGL(SquareClusterer):
    """A low-rank graph per view, learned with one spectral embedding of all samples.

    Parameters
    ----------
    smoothness : lambda_1, the weight of the graphs' smoothness. sparsity : lambda_2, of the errors.
    agreement : lambda_3, of the distance to the consensus. Views count as scaled by one number each, so that their rows
        have unit length on average.
    n_neighbors : of the graphs at the start.
    consensus : "paper": all views are pulled to their consensus; "program": each to the view before it, as in the
        authors' program, which returns the last.
    tol, max_iter : they end where no constraint is violated by more than `tol`, or after so many iterations.

    The embedding is the consensus, rows of unit length.
    """

    canonical: ClassVar[bool] = True

    smoothness: Positive = 0.1
    sparsity: Positive = 1000.0
    agreement: NonNegative = 100.0
    n_neighbors: Count = 5
    consensus: Consensus = "paper"
    tol: NonNegative = 1e-7
    max_iter: Count = 100

    def squares(self, n_views: int) -> int:
        # per view Z, S, W, C2, C3 and the left singular vectors; a step's own matrices, for each that is under way
        return 6 * n_views + 8 * min(n_views, linear_algebra_threads())

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: the n x n matrices, and seven arrays of each view's size besides a dense copy."""
        return super().memory_needed(data) + 8 * data.n_samples * 8 * sum(view.n_features for view in data.views)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = []
        for X, seen in zip(mean_length_one(data), data.mask.T, strict=True):
            rows = np.flatnonzero(seen)
            observed = X[rows]
            dense = observed if isinstance(observed, np.ndarray) else observed.toarray()
            views.append(first_view(dense, rows, data.n_samples, n_clusters, self.n_neighbors))
        result = imsc_agl(
            views,
            Stopping(self.max_iter, self.tol),
            smoothness=self.smoothness,
            sparsity=self.sparsity,
            agreement=self.agreement,
            consensus=self.consensus,
        )
        return Representation(embedding=unit_embedding(result.U), history=result.history)
