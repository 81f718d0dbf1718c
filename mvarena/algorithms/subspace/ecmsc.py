"""ECMSC: exclusivity-consistency regularised multi-view subspace clustering (after Wang et al., CVPR 2017).

    min  sum_v (|E_v|_1 + l1 |Z_v|_1 + l3 tr(F^T L_v F)) + l2 sum_(v<w) |Z_v o Z_w|_1

with X_v = X_v Z_v + E_v, diag(Z_v) = 0, F^T F = I and the Laplacian L_v of (|Z_v| + |Z_v|^T) / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.algorithms.subspace.coefficients import spectral_embedding_of
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import squared_distances
from mvarena.numerics.spectral import fix_signs
from mvarena.system.threads import side_by_side_tasks

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
        result = ecmsc(Xs, n_clusters, weights, stopping, mu=self.mu, inner_steps=self.inner_steps)
        return spectral_embedding_of(result.coefficients, n_clusters, result.history)


def unit_scale(matrix: Any) -> NDArray[np.float64]:
    """(d, n): samples in columns, of mean L1 norm 1; a view of zeros stays zero. From (n, d), dense or CSR."""
    X = np.ascontiguousarray((matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).T)
    mean = float(np.abs(X).sum()) / X.shape[1]
    return X / mean if mean > 0 else X


# The solver of ECMSC: block descent over the views' coefficients and one spectral indicator.

# in double or single precision, which is that of the samples handed in
Matrix: TypeAlias = NDArray[np.floating]

# columns that make all passes of a round together: enough for products at full rate, few enough for the cache
_COLUMNS = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class ECMSCWeights:
    """lambda_1 of the L1 norm of Z_v, lambda_2 of the exclusivity between views, lambda_3 of the consistency."""

    sparse: float
    exclusive: float
    consistent: float


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ECMSCResult:
    """Z_v (n, n) per view, diagonal 0; the indicator F (n, k), F^T F = I; the objective per round."""

    Z: list[Matrix]
    F: NDArray[np.float64]
    history: History

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """(n, n) mean over the views of |Z_v|: magnitudes, because views may use a pair with opposite signs."""
        total = np.abs(self.Z[0]).astype(np.float64, copy=False)
        for Z in self.Z[1:]:
            total += np.abs(Z)
        return total / len(self.Z)


class ViewCoefficients:
    """min norm1(X - X Z) + sum_ij W_ij |Z_ij| over Z with diagonal 0, for one view: alternating directions.

    X (d, n) holds samples in columns. Splits: E = X - X A, Z = A. The state is kept, so a change of W starts warm.
    Each column is a problem of its own: some at a time make all their passes, while they stay in the cache.

    X = P B, with P = I and B = X where d <= n, else P of orthonormal columns and B of n rows. All is held transposed,
    a sample's column as a row, and in the precision of X.
    """

    def __init__(self, X: Matrix, mu: float) -> None:
        d, n = X.shape
        self.mu = mu
        self._X_t = np.ascontiguousarray(X.T)
        self._P: Matrix | None = None
        if d <= n:
            self._B_t = self._X_t
            self._inverse = np.linalg.inv(np.eye(d, dtype=X.dtype) + X @ X.T)
        else:
            Q, s, P_t = np.linalg.svd(self._X_t, full_matrices=False)
            self._B_t, self._P = Q * s, np.ascontiguousarray(P_t.T)
            self._inverse = 1.0 / (1.0 + s * s)  # on the diagonal
        self._B = np.ascontiguousarray(self._B_t.T)
        self._Z_t, self._residual = np.zeros((n, n), X.dtype), _norm1(X)
        # what the next pass starts from: E and the scaled multiplier u of X = X A + E, the Z that was reached, B Z, and
        # B (Z - w), by which alone the scaled multiplier w of Z = A enters
        self._E, self._u = self._X_t.copy(), np.zeros_like(self._X_t)
        self._reached = np.zeros_like(self._Z_t)
        self._product, self._start = np.zeros_like(self._B_t), np.zeros_like(self._B_t)

    @property
    def Z(self) -> Matrix:
        """(n, n), in Fortran's order."""
        return self._Z_t.T

    def fit(self) -> float:
        """norm1(X - X Z)."""
        return self._residual

    def improve(self, W: Matrix, n_steps: int) -> None:
        """`n_steps` passes for these weights; Z is replaced if what they reach has a lower objective.

        Time per pass: two products of n x n by n x d, and O(n d^2), shared among threads.
        """
        n = len(self._Z_t)
        blocks = [slice(first, min(n, first + _COLUMNS)) for first in range(0, n, _COLUMNS)]
        with side_by_side_tasks(len(blocks)) as each:
            costs = np.array(list(each(lambda columns: self._improve_columns(columns, W.T[columns], n_steps), blocks)))
        residual, weighted, weighted_before = costs.sum(axis=0)
        if residual + weighted < self._residual + weighted_before:
            self._Z_t, self._residual = self._reached.copy(), float(residual)

    def _improve_columns(self, columns: slice, W_t: Matrix, n_steps: int) -> tuple[float, float, float]:
        """`n_steps` passes of these columns; the two terms of what they reach, and the second of what Z is."""
        Z_t, product, start = self._reached[columns], self._product[columns], self._start[columns]
        upper = np.ascontiguousarray(W_t, Z_t.dtype) / self.mu
        lower, taken = -upper, np.empty_like(upper)
        diagonal = np.arange(len(Z_t)), np.arange(columns.start, columns.stop)
        for _ in range(n_steps):
            V, moved = self._towards_fit(columns)
            np.matmul(V, self._B, out=taken)
            Z_t += taken
            np.maximum(np.minimum(Z_t, upper, out=taken), lower, out=taken)
            Z_t -= taken
            Z_t[diagonal] = 0.0
            # B w is what shrinking took off B (A + w)
            moved += product
            np.matmul(Z_t, self._B_t, out=product)
            moved -= product
            np.subtract(product, moved, out=start)
        represented = product if self._P is None else product @ self._P.T
        residual = _norm1(self._X_t[columns] - represented)
        return residual, _weighted(W_t, Z_t), _weighted(W_t, self._Z_t[columns])

    def _towards_fit(self, columns: slice) -> tuple[Matrix, Matrix]:
        """(X^T X + I) A = X^T Y + S, Y = X - E + u, S = Z - w for the scaled multipliers u, w; then E and u.

        A = S + B^T V for V = (I + B B^T)^-1 (P^T Y - B S), and X A = P (P^T Y - V). So A + w, which is shrunk to the
        next Z, is Z + B^T V. Returns V and B B^T V, transposed.
        """
        X, E, u = self._X_t[columns], self._E[columns], self._u[columns]
        Y = X - E
        Y += u
        if self._P is None:
            gap = Y
            gap -= self._start[columns]
            V = gap @ self._inverse
            E += V
        else:
            inside = Y @ self._P
            gap = inside - self._start[columns]
            V = gap * self._inverse
            inside -= V
            np.add(X, u, out=E)
            E -= np.matmul(inside, self._P.T, out=Y)
        np.clip(E, -1.0 / self.mu, 1.0 / self.mu, out=u)
        E -= u
        gap -= V
        return V, gap


def _norm1(M: Matrix) -> float:
    """sum_ij |M_ij|, added up in double precision."""
    return float(np.abs(M).sum(dtype=np.float64))


def _weighted(W: Matrix, Z: Matrix) -> float:
    """sum_ij W_ij |Z_ij|, added up in double precision."""
    magnitude = np.abs(Z)
    magnitude *= W
    return float(magnitude.sum(dtype=np.float64))


def indicator(Z: list[Matrix], k: int) -> NDArray[np.float64]:
    """F (n, k), F^T F = I, of least sum_v tr(F^T L_v F), L_v the Laplacian of (|Z_v| + |Z_v|^T) / 2.

    The k lowest eigenvectors of the sum of the Laplacians. Time O(n^3), memory 2 n^2.
    """
    laplacian = np.zeros(Z[0].shape)
    for view in Z:
        magnitude = np.abs(view)
        laplacian -= magnitude
        laplacian -= magnitude.T
    laplacian *= 0.5
    laplacian[np.diag_indices_from(laplacian)] -= laplacian.sum(axis=1)
    _, vectors = linalg.eigh(laplacian, subset_by_index=(0, k - 1), overwrite_a=True, check_finite=False)
    return fix_signs(vectors)


def separations(F: NDArray[np.float64], dtype: type[np.floating] = np.float64) -> Matrix:
    """Theta_ij = norm(f_i - f_j)^2 n / (2 k): about 0 within a cluster and 1 between two equal ones.

    tr(F^T L_v F) n / k = sum_ij Theta_ij |Z_ij|, so that consistency is a weight on each entry.
    """
    n, k = F.shape
    return np.asarray(squared_distances(F, dtype=dtype) * (n / (2.0 * k)))


def magnitudes(views: list[ViewCoefficients]) -> Matrix:
    """(n, n) sum_v |Z_v|, in the order of the Z_v in memory."""
    total = np.abs(views[0].Z)
    for view in views[1:]:
        total += np.abs(view.Z)
    return total


def objective(views: list[ViewCoefficients], Theta: Matrix, weights: ECMSCWeights) -> float:
    """sum_v [norm1(X_v - X_v Z_v) + l1 norm1(Z_v) + l3 <Theta, |Z_v|>] + l2 sum_(v<w) norm1(Z_v o Z_w)."""
    total, before = 0.0, np.zeros_like(views[0].Z)
    for view in views:
        magnitude = np.abs(view.Z)
        total += view.fit() + weights.sparse * _norm1(magnitude)
        total += weights.consistent * _weighted(Theta, magnitude)
        total += weights.exclusive * _weighted(before, magnitude)
        before += magnitude
    return total


def ecmsc(
    Xs: list[Matrix],
    k: int,
    weights: ECMSCWeights,
    stopping: Stopping,
    *,
    mu: float = 10.0,
    inner_steps: int = 30,
) -> ECMSCResult:
    """Lower the objective over Z_1, .., Z_V and F in turn, a round of all being one iteration.

    Parameters
    ----------
    Xs : one (d_v, n) array per view, samples in columns, all in double or all in single precision, in which the Z_v are
        found; F and the objective's sums are in double precision. k : columns of F.
    mu : penalty of the splits; it affects how fast, not what. inner_steps : passes per view and round.

    Given the rest, each Z_v solves a weighted sparse problem with W = l1 + l2 sum_(w != v) |Z_w| + l3 Theta, and F an
    eigenproblem; a Z_v that is no better than the one before is not taken, so the objective never rises. The problem is
    not convex; the start is Z_v = 0 without consistency. Time per round O(V inner_steps n^2 d) and one eigenproblem;
    memory 2 n^2 and 4 n (d + min(n, d)) per view and 6 n^2.
    """
    views = [ViewCoefficients(X, mu) for X in Xs]
    n, dtype = Xs[0].shape[1], Xs[0].dtype.type
    Theta, F = np.zeros((n, n), dtype), np.zeros((n, k))
    history = History(stopping)
    while not history.ended:
        total = magnitudes(views)
        for view in views:
            total -= np.abs(view.Z)
            view.improve(weights.sparse + weights.exclusive * total + weights.consistent * Theta, inner_steps)
            total += np.abs(view.Z)
        F = indicator([view.Z for view in views], k)
        Theta = separations(F, dtype)
        history.add(objective(views, Theta, weights))
    return ECMSCResult(Z=[view.Z for view in views], F=F, history=history)
