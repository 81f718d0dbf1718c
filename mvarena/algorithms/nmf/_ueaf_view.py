"""A view as UEAF sees it: its missing rows filled by a product of thin matrices, and the graph of its features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.nmf._pimvc_views import neighbour_laplacian
from mvarena.numerics.conjugate_gradients import solve_positive
from mvarena.numerics.nmf import squared_norm
from mvarena.numerics.polar import completed_polar

Array = NDArray[np.float64]


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
    found = neighbour_laplacian(columns, np.ones(d, dtype=bool), n_neighbors, block=max(1, n // 2)).tocoo()
    return sparse.csr_array((found.data, (found.coords[0], found.coords[1])), shape=(size, size))
