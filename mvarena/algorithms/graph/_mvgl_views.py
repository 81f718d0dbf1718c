"""The views' graphs and their weighted sum: the step of MVGL that fits weights, on sparse graphs and on dense ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.graph._mvgl_edges import rows_of, with_data
from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.kernels import cached_blocks

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


def best_weights(gram: NDArray[np.float64], seen: NDArray[np.bool_]) -> Weights:
    """(V, n) weights, per column i: argmin norm(sum_v w_v (a_i - s_vi))^2 with sum 1, which is G^-1 1 normalised.

    gram : (n, V, V) inner products of the columns of A - S_v, the upper triangles.
    seen : (n, V) True where observed: the sum runs over the views that see sample i, and the others get 0.
    Where G is singular (two views agree in a column) the weights of least norm are taken. Cost O(V^3 n).
    """
    n, V = seen.shape
    gram = np.triu(gram) + np.swapaxes(np.triu(gram, 1), 1, 2)
    # Stationarity: 2 G w + eta 1 = 0 and 1^T w = 1, solved together, which a singular G allows.
    system = np.zeros((n, V + 1, V + 1))
    scale = np.maximum(gram.trace(axis1=1, axis2=2), np.finfo(float).tiny)
    # where a row and its column are zero, pinv makes the weight zero, but for rounding
    system[:, :V, :V] = gram / scale[:, None, None] * (seen[:, :, None] & seen[:, None, :])
    system[:, :V, V] = system[:, V, :V] = seen
    right = np.zeros(V + 1)
    right[V] = 1.0
    solution = np.linalg.pinv(system, rcond=1e-13, hermitian=True) @ right
    return np.asarray((solution[:, :V] * seen).T)
