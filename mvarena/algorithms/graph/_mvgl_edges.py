"""A graph's rows projected on the simplex, edges only where they are allowed: the step between the eigenvectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.proximal import project_simplex_rows

# rows of about as many edges go together, so that one with many does not make all of them long
_ROWS = 256


class Edges:
    """What a row of a graph is projected on, and where it may have edges.

    base : (n, n) a stored entry for each place of an edge. allowed : (nnz,) which of them may have one.
    """

    def __init__(self, base: sparse.csr_array, allowed: NDArray[np.bool_]) -> None:
        self.base = base
        self.places = np.flatnonzero(allowed)
        n = base.shape[0]
        self.rows = rows_of(base)[self.places]
        self.columns = base.indices[self.places]
        counts = np.bincount(self.rows, minlength=n)
        first = np.cumsum(counts) - counts
        order = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]
        self._blocks = [
            _padded(first[rows], counts[rows])
            for rows in (order[at : at + _ROWS] for at in range(0, len(order), _ROWS))
        ]

    def projected(self, F: NDArray[np.float64], lam: float) -> sparse.csr_array:
        """(n, n) each row's nearest point on the simplex to base - lam / 2 norm(f_i - f_j)^2, 0 where no edge may be.

        F : (n, k). The entries stored are those of `base`. A sample that may have no edge has none. Time O(e k) and a
        sort, e being the edges allowed.
        """
        squares = np.einsum("ij,ij->i", F, F)
        inner = np.einsum("ek,ek->e", F[self.rows], F[self.columns])
        distances = np.maximum(squares[self.rows] + squares[self.columns] - 2 * inner, 0.0)
        values = self.base.data[self.places] - 0.5 * lam * distances
        data = np.zeros(self.base.nnz)
        for among, kept in self._blocks:
            own = np.where(kept, values[among], np.inf)
            # entries far below every allowed one project to zero
            floor = own.min(axis=1) - 2.0
            projected = project_simplex_rows(np.where(kept, own, floor[:, None]))
            data[self.places[among[kept]]] = projected[kept]
        return with_data(self.base, data)


def projected_anywhere(base: Square, F: NDArray[np.float64], lam: float) -> Square:
    """The same where an edge may be anywhere, base (n, n) being dense. Time O(n^2 (k + log n))."""
    squares = np.einsum("ij,ij->i", F, F)
    distances = np.maximum(squares[:, None] + squares - 2 * (F @ F.T), 0.0)
    return project_simplex_rows(base - 0.5 * lam * distances)


def rows_of(graph: sparse.csr_array) -> NDArray[np.int64]:
    """(nnz,) the row of each stored entry."""
    return np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))


def with_data(graph: sparse.csr_array, data: NDArray[np.float64]) -> sparse.csr_array:
    """Other values (nnz,) in the same places, which are shared."""
    return sparse.csr_array((data, graph.indices, graph.indptr), shape=graph.shape)


def _padded(first: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(b, w) indices of the edges of b rows, of which each has `counts` from `first` on, and which of them are its."""
    within = np.arange(counts.max())
    kept = within < counts[:, None]
    return np.where(kept, first[:, None] + within, first[:, None]), kept
