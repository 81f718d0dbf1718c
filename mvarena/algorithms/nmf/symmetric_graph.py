"""A symmetric sparse graph from the nearest neighbours of each sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.neighbours import neighbour_graph


def symmetric_neighbour_graph(indices: NDArray[np.int64], weights: NDArray[np.float64]) -> sparse.csr_array:
    """(n, n) CSR: the larger of both directions' `weights` (n, m) to the neighbours `indices` (n, m); no loops."""
    n = len(indices)
    graph = neighbour_graph(indices, weights, n, np.arange(n), n)
    graph.setdiag(0.0)
    graph.eliminate_zeros()
    return sparse.csr_array(graph.maximum(graph.T))
