"""The solver of ECMSC: block descent over the views' coefficients and one spectral indicator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import cached_blocks, squared_distances
from mvarena.numerics.proximal import soft_threshold
from mvarena.numerics.spectral import fix_signs


@dataclass(frozen=True, slots=True, kw_only=True)
class ECMSCWeights:
    """lambda_1 of the L1 norm of Z_v, lambda_2 of the exclusivity between views, lambda_3 of the consistency."""

    sparse: float
    exclusive: float
    consistent: float


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ECMSCResult:
    """Z_v (n, n) per view, diagonal 0; the indicator F (n, k), F^T F = I; the objective per round."""

    Z: list[NDArray[np.float64]]
    F: NDArray[np.float64]
    history: History

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """(n, n) mean over the views of |Z_v|: magnitudes, because views may use a pair with opposite signs."""
        total = np.abs(self.Z[0])
        for Z in self.Z[1:]:
            total += np.abs(Z)
        return total / len(self.Z)


class ViewCoefficients:
    """min norm1(X - X Z) + sum_ij W_ij |Z_ij| over Z with diagonal 0, for one view: alternating directions.

    X (d, n) holds samples in columns. Splits: E = X - X A, Z = A. The state is kept, so a change of W starts warm.
    X = P diag(s) Q^T: what is done to X is done in its at most d singular directions.
    """

    def __init__(self, X: NDArray[np.float64], mu: float) -> None:
        n = X.shape[1]
        self.X, self.mu = X, mu
        Q, self._s, P_t = np.linalg.svd(X.T, full_matrices=False)
        self._Q, self._P = np.ascontiguousarray(Q), np.ascontiguousarray(P_t.T)
        self.Z = np.zeros((n, n))
        self._E, self._dual_fit = X.copy(), np.zeros_like(X)
        # the scaled multiplier w of Z = A, and Z - w, from which each pass begins
        self._dual, self._start = np.zeros((n, n)), np.zeros((n, n))

    def fit(self) -> float:
        """norm1(X - X Z)."""
        return self._fit(self.Z)

    def improve(self, W: NDArray[np.float64], n_steps: int) -> None:
        """`n_steps` passes for these weights; Z is replaced if what they reach has a lower objective.

        Time per pass: two products of n x n by n x d, and O(n d^2).
        """
        for _ in range(n_steps):
            self._pass(W)
        reached = self._start + self._dual
        if self._value(reached, W) < self._value(self.Z, W):
            self.Z = reached

    def _pass(self, W: NDArray[np.float64]) -> None:
        """(X^T X + I) A = X^T Y + S, Y = X - E + u, S = Z - w for the scaled multipliers u, w; then E and Z.

        With X = P diag(s) Q^T, A = S + Q R for R = s / (1 + s^2) (P^T Y - s Q^T S), and X A = P diag(s) (Q^T S + R).
        """
        Q, s = self._Q, self._s[:, None]
        projected = Q.T @ self._start
        R = s / (1.0 + s * s) * (self._P.T @ (self.X - self._E + self._dual_fit) - s * projected)
        rest = self.X - self._P @ (s * (projected + R)) + self._dual_fit
        self._E = soft_threshold(rest, 1.0 / self.mu)
        self._dual_fit = rest - self._E
        for rows in cached_blocks(len(Q)):
            moved = self._start[rows]
            moved += Q[rows] @ R
            moved += self._dual[rows]
            split = soft_threshold(moved, W[rows] / self.mu)
            diagonal = np.arange(rows.stop - rows.start)
            split[diagonal, rows.start + diagonal] = 0.0
            np.subtract(moved, split, out=self._dual[rows])
            np.subtract(split, self._dual[rows], out=moved)

    def _fit(self, Z: NDArray[np.float64]) -> float:
        return float(np.abs(self.X - self.X @ Z).sum())

    def _value(self, Z: NDArray[np.float64], W: NDArray[np.float64]) -> float:
        return self._fit(Z) + sum(float(np.vdot(W[rows], np.abs(Z[rows]))) for rows in cached_blocks(len(Z)))


def indicator(Z: list[NDArray[np.float64]], k: int) -> NDArray[np.float64]:
    """F (n, k), F^T F = I, of least sum_v tr(F^T L_v F), L_v the Laplacian of (|Z_v| + |Z_v|^T) / 2.

    The k lowest eigenvectors of the sum of the Laplacians. Time O(n^3), memory 2 n^2.
    """
    laplacian = np.zeros_like(Z[0])
    for view in Z:
        magnitude = np.abs(view)
        laplacian -= magnitude
        laplacian -= magnitude.T
    laplacian *= 0.5
    laplacian[np.diag_indices_from(laplacian)] -= laplacian.sum(axis=1)
    _, vectors = linalg.eigh(laplacian, subset_by_index=(0, k - 1), overwrite_a=True, check_finite=False)
    return fix_signs(vectors)


def separations(F: NDArray[np.float64]) -> NDArray[np.float64]:
    """Theta_ij = norm(f_i - f_j)^2 n / (2 k): about 0 within a cluster and 1 between two equal ones.

    tr(F^T L_v F) n / k = sum_ij Theta_ij |Z_ij|, so that consistency is a weight on each entry.
    """
    n, k = F.shape
    return squared_distances(F) * (n / (2.0 * k))


def objective(views: list[ViewCoefficients], Theta: NDArray[np.float64], weights: ECMSCWeights) -> float:
    """sum_v [norm1(X_v - X_v Z_v) + l1 norm1(Z_v) + l3 <Theta, |Z_v|>] + l2 sum_(v<w) norm1(Z_v o Z_w)."""
    total, before = 0.0, np.zeros_like(Theta)
    for view in views:
        magnitude = np.abs(view.Z)
        total += view.fit() + weights.sparse * float(magnitude.sum())
        total += weights.consistent * float(np.vdot(Theta, magnitude))
        total += weights.exclusive * float(np.vdot(before, magnitude))
        before += magnitude
    return total


def ecmsc(
    Xs: list[NDArray[np.float64]],
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
    Xs : one (d_v, n) array per view, samples in columns. k : columns of F.
    mu : penalty of the splits; it affects how fast, not what. inner_steps : passes per view and round.

    Given the rest, each Z_v solves a weighted sparse problem with W = l1 + l2 sum_(w != v) |Z_w| + l3 Theta, and F an
    eigenproblem; a Z_v that is no better than the one before is not taken, so the objective never rises. The problem is
    not convex; the start is Z_v = 0 without consistency. Time per round O(V inner_steps n^2 d) and one eigenproblem;
    memory 5 n^2 and 4 n d per view and 6 n^2.
    """
    views = [ViewCoefficients(X, mu) for X in Xs]
    n = Xs[0].shape[1]
    Theta, F = np.zeros((n, n)), np.zeros((n, k))
    history = History(stopping)
    while not history.ended:
        total = np.sum([np.abs(view.Z) for view in views], axis=0)
        for view in views:
            total -= np.abs(view.Z)
            view.improve(weights.sparse + weights.exclusive * total + weights.consistent * Theta, inner_steps)
            total += np.abs(view.Z)
        F = indicator([view.Z for view in views], k)
        Theta = separations(F)
        history.add(objective(views, Theta, weights))
    return ECMSCResult(Z=[view.Z for view in views], F=F, history=history)
