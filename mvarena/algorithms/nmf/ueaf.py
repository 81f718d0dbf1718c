"""UEAF: unified embedding alignment framework (Wen et al., AAAI 2019).

    min  sum_v a_v^r (|X_v + M_v E_v^T - P U_v^T|^2 + l1 tr(E_v^T L_v E_v) + l2/2 sum_ij |p_i - p_j|^2 s_ij^2)
         + l3 tr(F^T L(S) F)

over bases U_v (d_v, k) with orthonormal columns, fills E_v (d_v, missing) that M_v places, one embedding P (n, k), one
graph S (n, n) whose rows are on the simplex without the diagonal, F (n, k) with orthonormal columns, and weights a on
the simplex. L_v is the Laplacian of the nearest neighbours among the features. It matches the authors' program from its
start.

Departures. The program adds the graph term, a number, to a matrix inside a trace, so that it enters a view's weight
multiplied by l1 and the number of missing samples: `graph_term`; here it counts once per view. Its step of S divides
by the distances of P before it projects, which is not the exact minimiser, so the objective may rise. It starts at
random numbers; here P starts at a low-rank fit of what the views observe, and S at equal weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from annotated_types import Gt, Le
from numpy.typing import NDArray
from scipy import linalg, sparse

from mvarena.algorithms.bandwidth import mean_length_one
from mvarena.algorithms.nmf.masked_start import masked_embedding
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.conjugate_gradients import solve_positive
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import squared_distances
from mvarena.numerics.neighbours import neighbour_laplacian
from mvarena.numerics.nmf import squared_norm
from mvarena.numerics.polar import completed_polar
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.simplex import power_weights
from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]
GraphTerm: TypeAlias = Literal["once", "program"]

_NEAR = 1e-10
_FIT = 1e-12  # the share of the largest error as which a smaller one counts in the weights


@dataclass(frozen=True, eq=False, slots=True)
class Weights:
    """l2 of the reverse graph, l3 of its spectral form, r the exponent of the views' weights, and how the graph counts
    in them."""

    graph: float
    spectral: float
    exponent: float = 3.0
    graph_term: GraphTerm = "once"


@dataclass(frozen=True, eq=False, slots=True)
class Aligned:
    """P : (n, k). S : (n, n). weights : (V,) a. history : the objective, divided by sum_v |X_v|^2."""

    P: Array
    S: Array
    weights: Array
    history: History


def ueaf(views: Sequence[FilledByFactors], S: Array, F: Array, weights: Weights, stopping: Stopping) -> Aligned:
    """UEAF from the views' U_v and fills, which it changes, S (n, n), F (n, k) and equal weights.

    `stopping.tol` bounds the change of the objective, which is divided by sum_v |X_v|^2.
    Cost O(n^3) and O(sum_v nnz(X_v) k) per iteration, memory 6 n^2.
    """
    n, k = F.shape
    size = sum(view.norm for view in views)
    a, r, before = np.full(len(views), 1.0 / len(views)), weights.exponent, np.inf
    history = History(stopping, measured="the objective, as a share of the data's squared size, changed by")
    while True:
        total = float((a**r).sum())
        fused = sum(share * view.projected() for share, view in zip(a**r / total, views, strict=True))
        P = linalg.solve(np.eye(n) + weights.graph * laplacian(S * S), fused, assume_a="pos", overwrite_a=True)
        pull = weights.spectral / (2.0 * weights.graph * total)
        S = reverse_graph(squared_distances(P), squared_distances(F), pull)
        F = top_eigenvectors(-laplacian(S), k, direct=True)[1]
        for view in views:
            view.update(P)
        graph = weights.graph * float(np.vdot(P, laplacian(S * S) @ P))
        errors = np.array([_error(view, P, graph, weights) for view in views])
        a = power_weights(errors, r, _FIT)
        objective = (float(a**r @ errors) + weights.spectral * float(np.vdot(F, laplacian(S) @ F))) / size
        history.add(objective, violation=abs(objective - before))
        before = objective
        if history.ended:
            return Aligned(P, S, a, history)


def _error(view: FilledByFactors, P: Array, graph: float, weights: Weights) -> float:
    apart, rough = view.errors(P)
    times = 1.0 if weights.graph_term == "once" else view.ridge * len(view.missing)
    return apart + rough + times * graph


def laplacian(S: Array) -> Array:
    """L(S) = diag(W 1) - W of W = (S + S^T) / 2 (n, n)."""
    L = S + S.T
    L *= -0.5
    L[np.diag_indices_from(L)] -= L.sum(axis=1)
    return L


def reverse_graph(distances: Array, spectral: Array, pull: float) -> Array:
    """S (n, n): rows, without the diagonal, the simplex points nearest to -pull D_F / max(D_P, 1e-10)."""
    n = len(distances)
    off = ~np.eye(n, dtype=bool)
    target = -pull * spectral[off] / np.maximum(distances[off], _NEAR)
    S = np.zeros((n, n))
    if n > 1:
        S[off] = project_simplex_rows(target.reshape(n, n - 1)).ravel()
    return S


class UEAF(SquareClusterer):
    """One embedding of all views, missing rows filled by it, smooth over a graph that is learned.

    Parameters
    ----------
    smoothness : l1, of the fills over the features' neighbours. graph : l2. spectral : l3. The paper's demo has
        (.1, .01, 1e-5) for 10 % missing, (.01, .1, 1e-5) for 30 % and (1e-5, 10, 1e-5), the default, for 50 %: fills
        that are smoothed shrink from step to step, and groups that a view rarely observes are lost with them. Views
        count as scaled by one number each, so that their rows have unit length on average.
    exponent : r, above 1, of the views' weights. n_neighbors : of each feature.
    graph_term : how the graph counts in the views' weights: "once", or as in the authors' "program", multiplied by l1
        and the number of missing samples.
    tol, max_iter : they end, from the third iteration on, where the objective, as a share of the data's squared size,
        changes by no more than `tol`, or after so many iterations.

    The embedding is P, rows of unit length.
    """

    canonical: ClassVar[bool] = True

    smoothness: NonNegative = 1e-5
    graph: Positive = 10.0
    spectral: NonNegative = 1e-5
    exponent: Annotated[float, Gt(1), Le(100)] = 3.0
    n_neighbors: Count = 7
    graph_term: GraphTerm = "once"
    tol: NonNegative = 1e-5
    max_iter: Count = 50

    def squares(self, n_views: int) -> int:
        del n_views  # none of the matrices belongs to one view
        return 9

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        matrices = mean_length_one(data)
        P = np.zeros((data.n_samples, n_clusters))
        fitted = masked_embedding(matrices, data.mask, n_clusters)
        P[:, : fitted.shape[1]] = fitted
        views = [self._view(X, seen, P) for X, seen in zip(matrices, data.mask.T, strict=True)]
        n = data.n_samples
        S = (np.ones((n, n)) - np.eye(n)) / max(n - 1, 1)
        weights = Weights(self.graph, self.spectral, self.exponent, self.graph_term)
        stopping = Stopping(self.max_iter, self.tol, earliest=3)
        result = ueaf(views, S, completed_polar(P, P), weights, stopping)
        return Representation(
            embedding=unit_embedding(result.P), history=result.history, details={"weights": result.weights}
        )

    def _view(self, X: Any, seen: NDArray[np.bool_], P: Array) -> FilledByFactors:
        d, k = max(X.shape[1], P.shape[1]), P.shape[1]
        product = np.zeros((d, k))
        product[: X.shape[1]] = X.T @ P
        U = completed_polar(product, np.eye(d, k))
        L = feature_laplacian(X, self.n_neighbors, d)
        return FilledByFactors(X, seen, U, (P[~seen], U), L, self.smoothness)


# A view as UEAF sees it: its missing rows filled by a product of thin matrices, and the graph of its features.


class FilledByFactors:
    """X + M R B^T: X (n, d), dense or CSR, with zero rows where missing, and R (m, r), B (d, r) for the m missing rows.

    The fill is a product of thin matrices, so a sparse view stays sparse. A view with fewer than k features counts as
    one with further features that are zero.

    Parameters
    ----------
    matrix : X. seen : (n,). U : (max(d, k), k), orthonormal columns. R, B : the first fill; R B^T are its rows.
    laplacian : of the features' graph, (max(d, k), max(d, k)) CSR. ridge : l1.
    """

    def __init__(
        self,
        matrix: Any,
        seen: NDArray[np.bool_],
        U: Array,
        fill: tuple[Array, Array],
        laplacian: sparse.csr_array,
        ridge: float,
    ) -> None:
        self.X, self.missing, self.U = matrix, np.flatnonzero(~seen), U
        self.R, self.B = fill
        self.laplacian, self.ridge = laplacian, ridge
        self._system = sparse.csr_array(sparse.eye_array(len(U)) + ridge * laplacian)
        self.norm = squared_norm(matrix)

    def projected(self) -> Array:
        """(X + M R B^T) U (n, k)."""
        product = np.asarray(self.X @ self.U[: self.X.shape[1]])
        product[self.missing] += self.R @ (self.B.T @ self.U)
        return product

    def update(self, P: Array) -> None:
        """U, then the fill, for P (n, k). Cost O(nnz(X) k + d k^2), and conjugate gradients on the features' graph."""
        product = np.zeros_like(self.U)
        product[: self.X.shape[1]] = self.X.T @ P
        product += self.B @ (self.R.T @ P[self.missing])
        self.U = completed_polar(product, self.U)
        self.R, self.B = P[self.missing], solve_positive(self._system, self.U)

    def errors(self, P: Array) -> tuple[float, float]:
        """|X + M R B^T - P U^T|^2, and l1 tr(E^T L E) for the fill E = B R^T."""
        inner = self.R.T @ self.R
        size = self.norm + float(np.vdot(self.B.T @ self.B, inner))
        apart = size - 2.0 * float(np.vdot(self.projected(), P)) + squared_norm(P)
        return max(apart, 0.0), self.ridge * float(np.vdot(self.B.T @ (self.laplacian @ self.B), inner))


def feature_laplacian(matrix: Any, n_neighbors: int, size: int) -> sparse.csr_array:
    """(size, size) Laplacian of the binary graph of each feature's nearest others, as columns of X (n, d), d <= size.

    Cost O(d^2 n) time, memory d m and a block.
    """
    columns = sparse.csr_array(matrix.T) if sparse.issparse(matrix) else np.ascontiguousarray(matrix.T)
    d, n = columns.shape
    # a block of distances is smaller than the view
    result = neighbour_laplacian(columns, np.ones(d, dtype=bool), n_neighbors, block=max(1, n // 2)).tocoo()
    return sparse.csr_array((result.data, (result.coords[0], result.coords[1])), shape=(size, size))
