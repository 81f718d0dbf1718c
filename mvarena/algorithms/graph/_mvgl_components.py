"""Graphs on the simplex with exactly k connected components: lambda is doubled or halved until there are as many.

Graphs are dense, or csr arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from mvarena.algorithms.graph._mvgl_graphs import Graph
from mvarena.algorithms.graph.view_graphs import Square
from mvarena.contracts.algorithm import Representation
from mvarena.numerics.eigen import leading_eigenpairs, start_block
from mvarena.numerics.iteration import History

_ROUNDS = 30  # doublings or halvings of lambda
# above it a few eigenvectors come from solutions with one factor, which costs less than LAPACK's search
_DENSE_LIMIT, _GUARD, _TOL = 400, 8, 1e-13
# with more of its entries the factor of a sparse Laplacian is hardly sparse
_SPARSE = 0.05


def until_components(
    project: Callable[[NDArray[np.float64], float], Graph], F: NDArray[np.float64], k: int, tolerance: float
) -> Graph:
    """Projects for F (n, k), again and again, until the Laplacian of the graph has exactly k eigenvalues of zero.

    Where the components are more than k, or k that no weak edge holds together, no eigenvalue needs to be computed.
    """
    lam = 1.0
    for _ in range(_ROUNDS):
        graph = project(F, lam)
        symmetric = symmetrised(graph)
        pieces, labels = _pieces(symmetric != 0)
        if pieces > k:
            lam /= 2
            continue
        # the second eigenvalue of m vertices that edges of a weight w connect is 4 w / m^2 at least (Mohar 1991)
        if pieces == k and _pieces(symmetric >= tolerance * len(F) ** 2 / 2)[0] == k:
            break
        result, values = _smallest_by_pieces(symmetric, k, labels, near=F)
        if values[:k].sum() > tolerance:
            lam *= 2
            F = result
        elif values[: k + 1].sum() < tolerance:
            lam /= 2
        else:
            break
    return graph


def symmetrised(graph: Graph) -> Graph:
    """(W + W^T) / 2."""
    return (graph + graph.T) / 2


def smallest_eigenpairs(
    graph: Graph, k: int, near: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k smallest eigenvectors of the Laplacian D - W, and the k + 1 smallest eigenvalues.

    near : (n, k) vectors not far from them, if known.

    Time O(n^3), n being the vertices of the largest component where there are at most k: 1/3 n^3 for a factor where
    n > 400, and O(n^2 k) per step of a block search with it; less of a sparse graph with few edges.
    """
    return _smallest_by_pieces(graph, k, _pieces(graph != 0)[1], near)


def _smallest_by_pieces(
    graph: Graph, k: int, labels: NDArray[np.int32], near: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same, given the component of each vertex.

    The components' own eigenvectors are those of the graph. Of more than k components any k vectors of one
    eigenspace would do, and the choice is left to the graph as a whole.
    """
    n, pieces = graph.shape[0], int(labels.max(initial=-1)) + 1
    if not 1 < pieces <= k:
        return _smallest_connected(graph, k, near)
    vectors, values = [], []
    for piece in range(pieces):
        members = np.flatnonzero(labels == piece)
        # each of the others has an eigenvalue of 0
        count = min(k + 1 - pieces + 1, len(members))
        result, own = _smallest_connected(
            _among(graph, members), count, None if near is None else _leading_directions(near[members], count), beyond=0
        )
        block = np.zeros((n, count))
        block[members] = result
        vectors.append(block)
        values.append(own)
    joined = np.concatenate(values)
    order = np.argsort(joined, kind="stable")[: k + 1]
    return np.hstack(vectors)[:, order[:k]], joined[order]


def _among(graph: Graph, members: NDArray[np.int64]) -> Graph:
    return graph[members][:, members] if sparse.issparse(graph) else graph[np.ix_(members, members)]


def _leading_directions(near: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Columns that span `near` on one component and are of use there: no more than a search may start from."""
    if near.shape[1] <= count + _GUARD:
        return near
    directions = np.linalg.eigh(near.T @ near)[1]
    return np.asarray(near @ directions[:, -count:])


def _smallest_connected(
    graph: Graph, k: int, near: NDArray[np.float64] | None, beyond: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """k eigenvectors and k + `beyond` eigenvalues, of a graph as a whole."""
    n = graph.shape[0]
    last = min(k + beyond, n) - 1
    by_solutions = n > max(_DENSE_LIMIT, 8 * (k + 1))
    if by_solutions and (result := _by_solutions(_laplacian(graph), last + 1, near)) is not None:
        return result[0][:, :k], result[1]
    dense = _laplacian(graph.toarray() if sparse.issparse(graph) else graph)
    values, vectors = linalg.eigh(dense, subset_by_index=(0, last), overwrite_a=True)
    return vectors[:, :k], values


def _laplacian(graph: Graph) -> Any:
    """D - W (n, n), as csc_array where that has few entries."""
    n = graph.shape[0]
    if sparse.issparse(graph):
        if graph.nnz <= _SPARSE * n * n:
            return sparse.csc_array(sparse.diags_array(graph.sum(axis=1)) - graph)
        graph = graph.toarray()
    return np.diag(graph.sum(axis=1)) - graph


def _by_solutions(
    laplacian: Any, count: int, near: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """(n, count) vectors and values, ascending, from the largest of (L + shift)^-1; None where they do not settle."""
    solve = shifted_solver(laplacian)
    if solve is None:
        return None
    start = start_block(laplacian.shape[0], count + _GUARD, near)
    result = leading_eigenpairs(solve, start, count, tol=_TOL, depth=2, max_rounds=30)
    if result.residual > _TOL:
        return None
    vectors = result.vectors[:, :count]
    values = np.einsum("ij,ij->j", vectors, laplacian @ vectors)
    order = np.argsort(values)
    return vectors[:, order], values[order]


def _pieces(edges: Any) -> tuple[int, NDArray[np.int32]]:
    """Number of connected components of a symmetric graph (n, n), True where an edge is, and (n,) the component of
    each vertex."""
    if not sparse.issparse(edges):
        rows, columns = np.nonzero(edges)
        edges = sparse.coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=edges.shape)
    count, labels = connected_components(edges, directed=False)
    return int(count), labels


def components_of(graph: Graph) -> NDArray[np.int64]:
    """(n,) which connected component of a symmetric graph each vertex is in."""
    return np.asarray(_pieces(graph != 0)[1], dtype=np.int64)


def component_clusters(
    graph: Square,
    components: NDArray[np.int64],
    n_clusters: int,
    history: History,
    weights: NDArray[np.float64] | None = None,
) -> Representation:
    """The components (n,) of a graph (n, n) as clusters; where there are other than `n_clusters`, which the history is
    told, the graph, to be clustered spectrally.

    weights : (V,) of the views or (V, n), for the details.
    """
    details = {"graph": graph}
    by_sample: dict[str, tuple[int, ...]] = {"graph": (0, 1)}
    if weights is not None:
        details["weights"] = weights
        if weights.ndim == 2:
            by_sample["weights"] = (1,)
    n_found = int(components.max()) + 1
    if n_found == n_clusters:
        return Representation(labels=components, history=history, details=details, by_sample=by_sample)
    history.remark(f"the graph has {n_found} components instead of {n_clusters}", converged=False)
    return Representation(affinity=(graph + graph.T) / 2, history=history, details=details, by_sample=by_sample)


# Solutions with a graph's Laplacian, moved a little above zero: one factor, many right sides.

Solve = Callable[[NDArray[np.float64]], NDArray[np.float64]]

# beside a Laplacian of degrees about 1; the eigenvalues asked for are below it, or not far above
_SHIFT = 1e-3


def shifted_solver(laplacian: Any) -> Solve | None:
    """X -> (L + shift)^-1 X for L (n, n), dense or csc, a thousandth of its mean degree being the shift.

    None where that is not positive definite, as of a graph without edges or with negative ones. Cost 1/3 n^3 and
    2 n^2 per column; of a sparse L what its factor takes, a tenth of that where rows have 50 edges of n = 2,000.
    """
    n, diagonal = laplacian.shape[0], laplacian.diagonal()
    shift = _SHIFT * float(diagonal.mean())
    if shift < np.finfo(float).eps:
        return None
    if sparse.issparse(laplacian):
        return _sparse_solver(sparse.csc_array(laplacian + shift * sparse.eye_array(n, format="csc")))
    shifted = laplacian.copy()
    shifted[np.diag_indices(n)] += shift
    try:
        factor = linalg.cho_factor(shifted.T, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return None
    return lambda block: np.asarray(linalg.cho_solve(factor, block, check_finite=False))


def _sparse_solver(shifted: sparse.csc_array) -> Solve | None:
    # with the pivots on the diagonal L U is Cholesky's factor and its transpose, scaled
    options = {"SymmetricMode": True}
    try:
        factor = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    except RuntimeError:  # exactly singular
        return None
    on_diagonal = np.array_equal(factor.perm_r, factor.perm_c)
    if not on_diagonal or factor.U.diagonal().min() <= 0:
        return None
    return lambda block: np.asarray(factor.solve(block))
