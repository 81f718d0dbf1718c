"""The views' graphs and their weighted sum: the step of MVGL that fits weights, on sparse graphs and on dense ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.kernels import cached_blocks
from mvarena.numerics.proximal import project_simplex_rows

# (n, n) dense, or a csr_array, for which there are no types
Graph: TypeAlias = Any
Weights = NDArray[np.float64]


class SparseViews:
    """V graphs (n, n) in the places where any of them has an edge. Memory and time O(V e) for e such places."""

    def __init__(self, S: Sequence[Graph]) -> None:
        graphs = [sparse.csr_array(S_v) for S_v in S]
        n = graphs[0].shape[0]
        # an edge's place in row-major order: ascending, as those of the rows are
        keys = [rows_of(S_v) * n + S_v.indices for S_v in graphs]
        places = np.unique(np.concatenate(keys))
        self.values = np.zeros((len(S), len(places)))
        for values, S_v, own in zip(self.values, graphs, keys, strict=True):
            values[np.searchsorted(places, own)] = S_v.data
        indptr = np.searchsorted(places, n * np.arange(n + 1))
        self.pattern = sparse.csr_array((np.ones(len(places)), places % n, indptr), shape=(n, n))

    def combined(self, weights: Weights) -> sparse.csr_array:
        """sum_v of S_v with its columns weighted, weights (V, n)."""
        data = np.zeros(self.pattern.nnz)
        for w, values in zip(weights, self.values, strict=True):
            data += w[self.pattern.indices] * values
        return with_data(self.pattern, data)

    def weights(self, A: sparse.csr_array, seen: NDArray[np.bool_]) -> Weights:
        """The best weights for A, of which the same places are stored: see `best_weights`."""
        V, n = len(self.values), A.shape[0]
        gram = np.zeros((n, V, V))
        apart = A.data - self.values
        for v in range(V):
            for w in range(v, V):
                gram[:, v, w] = np.bincount(self.pattern.indices, weights=apart[v] * apart[w], minlength=n)
        return best_weights(gram, seen)


class DenseViews:
    """V graphs (n, n), all their entries. Time O(V^2 n^2)."""

    def __init__(self, S: Sequence[Graph]) -> None:
        self.S = [S_v.toarray() if sparse.issparse(S_v) else S_v for S_v in S]

    def combined(self, weights: Weights) -> Square:
        """sum_v of S_v with its columns weighted, weights (V, n)."""
        combined = np.zeros_like(self.S[0])
        for w, S_v in zip(weights, self.S, strict=True):
            combined += w * S_v
        return combined

    def weights(self, A: Square, seen: NDArray[np.bool_]) -> Weights:
        """The best weights for A: see `best_weights`."""
        V, n = len(self.S), len(A)
        gram = np.zeros((n, V, V))
        for rows in cached_blocks(n * V):
            apart = [A[rows] - S_v[rows] for S_v in self.S]
            for v in range(V):
                for w in range(v, V):
                    gram[:, v, w] += np.einsum("ij,ij->j", apart[v], apart[w])
        return best_weights(gram, seen)


# views count as one in a column where they differ by less than a ten-thousandth of their distance to the graph
_SAME = 1e-4


def best_weights(gram: NDArray[np.float64], seen: NDArray[np.bool_]) -> Weights:
    """(V, n) weights, per column i: argmin norm(sum_v w_v (a_i - s_vi))^2 with sum 1.

    gram : (n, V, V) inner products of the columns of A - S_v, the upper triangles.
    seen : (n, V) True where observed: the sum runs over the views that see sample i, and the others get 0.

    With e the equal weights of the views that see the sample and P the projection on vectors of sum 0 among these,
    w = e - (P G P)^+ P G e, which is the minimiser of least norm. Eigenvalues of P G P below 10^-8 of the
    trace of G are taken as 0: the published G^-1 1 gives views that nearly agree weights of 10^4 and opposite signs.
    Cost O(V^3 n).
    """
    V = seen.shape[1]
    gram = np.triu(gram) + np.swapaxes(np.triu(gram, 1), 1, 2)
    gram *= seen[:, :, None] & seen[:, None, :]
    gram /= np.maximum(gram.trace(axis1=1, axis2=2), np.finfo(float).tiny)[:, None, None]
    equal = seen / seen.sum(axis=1, keepdims=True)
    projection = np.eye(V) * seen[:, :, None] - equal[:, :, None] * seen[:, None, :]
    values, vectors = np.linalg.eigh(projection @ gram @ projection)
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=values > _SAME**2)
    slope = np.einsum("nvw,nwx,nx->nv", projection, gram, equal)
    step = np.einsum("nvr,nr,nwr,nw->nv", vectors, inverse, vectors, slope, optimize=True)
    return np.asarray(((equal - step) * seen).T)


# A graph's rows projected on the simplex, edges only where they are allowed: the step between the eigenvectors.

# rows of about as many edges go together, so that one with many does not make all of them long
_ROWS = 256


class Edges:
    """Target of the projection of each row of a graph, and the positions at which the row may have edges.

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
    return project_simplex_rows(base - 0.5 * lam * distances_between_rows(F))


def distances_between_rows(F: NDArray[np.float64]) -> Square:
    """(n, n) norm(f_i - f_j)^2 for F (n, k) with orthonormal columns."""
    squares = np.einsum("ij,ij->i", F, F)
    return np.maximum(squares[:, None] + squares - 2.0 * (F @ F.T), 0.0)


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
