"""Graphs on the simplex with exactly k connected components: lambda is doubled or halved until there are as many."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.proximal import project_simplex_rows

_ROUNDS = 30  # doublings or halvings of lambda


def until_components(
    project: Callable[[Square, float], Square], F: NDArray[np.float64], k: int, tolerance: float
) -> Square:
    """Projects with the distances between the rows of F, again and again, until L has exactly k zero eigenvalues."""
    lam = 1.0
    for _ in range(_ROUNDS):
        squares = np.einsum("ij,ij->i", F, F)
        distances = np.maximum(squares[:, None] + squares - 2 * (F @ F.T), 0.0)
        graph = project(distances, lam)
        found, values = smallest_eigenpairs((graph + graph.T) / 2, k)
        if values[:k].sum() > tolerance:
            lam *= 2
            F = found
        elif values[: k + 1].sum() < tolerance:
            lam /= 2
        else:
            break
    return graph


def on_simplex(B: Square, allowed: NDArray[np.bool_] | None) -> Square:
    """Rows onto the simplex, with zeros where an edge is not allowed; a sample with no allowed edge keeps none."""
    if allowed is None:
        return project_simplex_rows(B)
    # Entries far below every allowed one project to zero, so that one projection serves all rows.
    kept = allowed.any(axis=1)
    lowest = np.where(allowed, B, np.inf).min(axis=1, initial=np.inf)
    floor = np.where(kept, lowest, 0.0) - 2.0
    projected = project_simplex_rows(np.where(allowed, B, floor[:, None]))
    projected[~allowed] = 0.0
    return projected


def smallest_eigenpairs(graph: Square, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k smallest eigenvectors of the Laplacian D - W, and the k + 1 smallest eigenvalues."""
    laplacian = np.diag(graph.sum(axis=1)) - graph
    last = min(k, len(graph) - 1)
    values, vectors = linalg.eigh(laplacian, subset_by_index=(0, last))
    return vectors[:, :k], values


def components_of(graph: Square) -> NDArray[np.int64]:
    return np.asarray(connected_components(sparse.csr_array(graph), directed=False)[1], dtype=np.int64)
