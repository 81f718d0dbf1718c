"""IMSC-AGL's variables of one view, and their updates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.numerics.kernels import squared_distances
from mvarena.numerics.proximal import project_simplex_rows, singular_value_threshold, soft_threshold

Array = NDArray[np.float64]


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
        self._gram = features @ features.T
        self._inverse = linalg.inv(self._gram + 2.0 * np.eye(len(features)))
        self._rank: int | None = None

    def update_graphs(self, mu: float, smoothness: float) -> float:
        """Z, then W and S; returns the trace norm of S. Cost O(m^2 d + m^3)."""
        self.Z = self._inverse @ (
            self._gram + self.X @ (self.C1 / mu - self.E) + self.S + self.W - (self.C2 + self.C3) / mu
        )
        target = self.Z + self.C3 / mu
        target -= smoothness / (2.0 * mu) * squared_distances(self.F[self.rows])
        self.W = off_diagonal_simplex(target)
        self.S, kept = singular_value_threshold(self.Z + self.C2 / mu, 1.0 / mu, rank_hint=self._rank)
        self._rank = len(kept)
        return float(kept.sum())

    def update_errors(self, mu: float, sparsity: float) -> float:
        """E and the multipliers; returns the largest violation of the constraints."""
        rest = self.X.T - self.X.T @ self.Z
        self.E = soft_threshold(rest + self.C1 / mu, sparsity / mu)
        gaps = (rest - self.E, self.Z - self.S, self.Z - self.W)
        self.C1 = self.C1 + mu * gaps[0]
        self.C2 = self.C2 + mu * gaps[1]
        self.C3 = self.C3 + mu * gaps[2]
        return max(float(np.abs(gap).max(initial=0.0)) for gap in gaps)

    def negative_laplacian(self, n: int) -> Array:
        """-G^T L(W) G (n, n)."""
        return spread_laplacian(self.W, self.rows, n) * -1.0

    def smoothness_of(self, F: Array) -> float:
        """tr(F^T G^T L(W) G F)."""
        W = (self.W + self.W.T) / 2
        own = F[self.rows]
        return float(np.vdot(own, W.sum(axis=1)[:, None] * own - W @ own))


def off_diagonal_simplex(matrix: Array) -> Array:
    """Each row's nearest point on the simplex whose diagonal entry is 0. A single sample keeps a row of zeros."""
    m = len(matrix)
    if m < 2:
        return np.zeros_like(matrix)
    off = ~np.eye(m, dtype=bool)
    found = np.zeros_like(matrix)
    found[off] = project_simplex_rows(matrix[off].reshape(m, m - 1)).ravel()
    return found


def spread_laplacian(W: Array, rows: NDArray[np.int64], n: int) -> Array:
    """G^T L(W) G (n, n): the Laplacian of the symmetrised W (m, m) in the rows and columns of its samples."""
    symmetric = (W + W.T) / 2
    whole = np.zeros((n, n))
    whole[np.ix_(rows, rows)] = np.diag(symmetric.sum(axis=1)) - symmetric
    return whole
