"""IMSC-AGL's variables of one view, and their updates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.numerics.eigen import leading_eigenpairs
from mvarena.numerics.low_rank import SingularThreshold
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.spectral import fix_signs, top_eigenvectors

Array = NDArray[np.float64]

# relative residuals, well below what the iterations change; and how far above 0 an eigenvalue must be
_SINGULAR, _EMBEDDING, _POSITIVE = 1e-10, 1e-13, 1e-6
_ROUNDS = 4


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
        found = self._threshold(self.Z + self.C2 / mu, 1.0 / mu, tol=_SINGULAR)
        self.S = found.left @ found.right.T
        return found.trace_norm

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

        found = leading_eigenpairs(multiply, U, k, tol=_EMBEDDING, max_rounds=_ROUNDS)
        if found.residual <= _EMBEDDING and found.values[k - 1] > _POSITIVE * found.values[0]:
            self.F = fix_signs(found.vectors)
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
        violation = _largest(rest)
        gap = self.Z - self.S
        violation = max(violation, _largest(gap))
        gap *= mu
        self.C2 += gap
        np.subtract(self.Z, self.W, out=gap)
        violation = max(violation, _largest(gap))
        gap *= mu
        self.C3 += gap
        return violation

    def smoothness_of(self, F: Array) -> float:
        """tr(F^T G^T L(W) G F)."""
        own = F[self.rows]
        degrees = (self.W.sum(axis=1) + self.W.sum(axis=0)) / 2
        return float(np.vdot(own, degrees[:, None] * own - self.W @ own))


def _largest(matrix: Array) -> float:
    return max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)))


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
    whole = np.zeros((n, n))
    whole[np.ix_(rows, rows)] = np.diag(symmetric.sum(axis=1)) - symmetric
    return whole
