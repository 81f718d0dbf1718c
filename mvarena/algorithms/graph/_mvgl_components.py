"""Graphs on the simplex with exactly k connected components: lambda is doubled or halved until there are as many."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.block_krylov import leading_eigenpairs, start_block
from mvarena.numerics.proximal import project_simplex_rows

_ROUNDS = 30  # doublings or halvings of lambda
# above it a few eigenvectors come from solutions with one Cholesky factor, which costs less than LAPACK's search
_DENSE_LIMIT, _GUARD, _TOL = 400, 8, 1e-13
# beside a Laplacian of degrees about 1; the eigenvalues asked for are below it, or not far above
_SHIFT = 1e-3


class Edges:
    """Where a graph (n, n) may have edges, or everywhere, and what a row of it is projected on.

    allowed : (n, n) True where an edge may be, or None for everywhere.
    """

    def __init__(self, base: Square, allowed: NDArray[np.bool_] | None) -> None:
        self.base, self.n = base, len(base)
        self.columns: NDArray[np.int64] | None = None
        if allowed is not None:
            counts = allowed.sum(axis=1)
            width = max(int(counts.max(initial=0)), 1)
            self.columns = np.argsort(~allowed, axis=1, kind="stable")[:, :width]
            self.kept = np.arange(width) < counts[:, None]
            self._base = np.take_along_axis(base, self.columns, axis=1)

    def projected(self, F: NDArray[np.float64], lam: float) -> Square:
        """(n, n) each row's nearest point on the simplex to base - lam / 2 norm(f_i - f_j)^2, 0 where no edge may be.

        F : (n, k). A sample that may have no edge has none. Time O(n w k), w being the edges that a row may have.
        """
        squares = np.einsum("ij,ij->i", F, F)
        if self.columns is None:
            distances = np.maximum(squares[:, None] + squares - 2 * (F @ F.T), 0.0)
            return project_simplex_rows(self.base - 0.5 * lam * distances)
        inner = np.einsum("ik,iwk->iw", F, F[self.columns])
        distances = np.maximum(squares[:, None] + squares[self.columns] - 2 * inner, 0.0)
        values = self._base - 0.5 * lam * distances
        # entries far below every allowed one project to zero
        lowest = np.where(self.kept, values, np.inf).min(axis=1)
        floor = np.where(self.kept.any(axis=1), lowest, 0.0) - 2.0
        rows = project_simplex_rows(np.where(self.kept, values, floor[:, None]))
        graph = np.zeros((self.n, self.n))
        graph[np.nonzero(self.kept)[0], self.columns[self.kept]] = rows[self.kept]
        return graph


def until_components(
    project: Callable[[NDArray[np.float64], float], Square], F: NDArray[np.float64], k: int, tolerance: float
) -> Square:
    """Projects for F (n, k), again and again, until the Laplacian of the graph has exactly k eigenvalues of zero.

    Where the components are more than k, or k that no weak edge holds together, no eigenvalue needs to be computed.
    """
    lam = 1.0
    for _ in range(_ROUNDS):
        graph = project(F, lam)
        symmetric = (graph + graph.T) / 2
        pieces, labels = _pieces(symmetric)
        if pieces > k:
            lam /= 2
            continue
        # the second eigenvalue of m vertices that edges of a weight w connect is 4 w / m^2 at least (Mohar 1991)
        if pieces == k and _pieces(symmetric >= tolerance * len(graph) ** 2 / 2)[0] == k:
            break
        found, values = _smallest_by_pieces(symmetric, k, labels, near=F)
        if values[:k].sum() > tolerance:
            lam *= 2
            F = found
        elif values[: k + 1].sum() < tolerance:
            lam /= 2
        else:
            break
    return graph


def smallest_eigenpairs(
    graph: Square, k: int, near: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k smallest eigenvectors of the Laplacian D - W, and the k + 1 smallest eigenvalues.

    near : (n, k) vectors not far from them, if known.

    Time O(n^3), n being the vertices of the largest component where there are at most k: 1/3 n^3 for a Cholesky factor
    where n > 400, and O(n^2 k) per step of a block search with it.
    """
    return _smallest_by_pieces(graph, k, _pieces(graph)[1], near)


def _smallest_by_pieces(
    graph: Square, k: int, labels: NDArray[np.int32], near: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same, given the component of each vertex.

    The components' own eigenvectors are those of the graph. Of more than k components any k vectors of one
    eigenspace would do, and the choice is left to the graph as a whole.
    """
    n, pieces = len(graph), int(labels.max(initial=-1)) + 1
    if not 1 < pieces <= k:
        return _smallest_connected(graph, k, near)
    vectors, values = [], []
    for piece in range(pieces):
        members = np.flatnonzero(labels == piece)
        # each of the others has an eigenvalue of 0
        count = min(k + 1 - pieces + 1, len(members))
        found, own = _smallest_connected(
            graph[np.ix_(members, members)], count, None if near is None else near[members], beyond=0
        )
        block = np.zeros((n, count))
        block[members] = found
        vectors.append(block)
        values.append(own)
    joined = np.concatenate(values)
    order = np.argsort(joined, kind="stable")[: k + 1]
    return np.hstack(vectors)[:, order[:k]], joined[order]


def _smallest_connected(
    graph: Square, k: int, near: NDArray[np.float64] | None, beyond: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """k eigenvectors and k + `beyond` eigenvalues, of a graph as a whole."""
    n, last = len(graph), min(k + beyond, len(graph)) - 1
    laplacian = np.diag(graph.sum(axis=1)) - graph
    if n > max(_DENSE_LIMIT, 8 * (k + 1)):
        found = _by_solutions(laplacian, last + 1, near)
        if found is not None:
            return found[0][:, :k], found[1]
    values, vectors = linalg.eigh(laplacian, subset_by_index=(0, last), overwrite_a=True)
    return vectors[:, :k], values


def _by_solutions(
    laplacian: Square, count: int, near: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """(n, count) vectors and values, ascending, from the largest of (L + shift)^-1; None where they do not settle."""
    n = len(laplacian)
    shift = _SHIFT * float(laplacian.diagonal().mean())
    if shift < np.finfo(float).eps:
        return None
    shifted = laplacian.copy()
    shifted[np.diag_indices(n)] += shift
    try:
        factor = linalg.cho_factor(shifted.T, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return None

    def solve(block: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(linalg.cho_solve(factor, block, check_finite=False))

    found = leading_eigenpairs(solve, start_block(n, count + _GUARD, near), count, tol=_TOL, depth=2, max_rounds=30)
    if found.residual > _TOL:
        return None
    vectors = found.vectors[:, :count]
    values = np.einsum("ij,ij->j", vectors, laplacian @ vectors)
    order = np.argsort(values)
    return vectors[:, order], values[order]


def _pieces(graph: NDArray[np.float64] | NDArray[np.bool_]) -> tuple[int, NDArray[np.int32]]:
    """How many connected components a symmetric graph (n, n) has, and (n,) which of them each vertex is in."""
    rows, columns = np.nonzero(graph != 0)
    edges = sparse.coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=graph.shape)
    count, labels = connected_components(edges, directed=False)
    return int(count), labels


def components_of(graph: Square) -> NDArray[np.int64]:
    return np.asarray(_pieces(graph)[1], dtype=np.int64)
