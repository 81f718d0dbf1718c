"""Graph learning for multi-view clustering (Zhan, Zhang, Guan and Wang 2018): a graph with exactly k components.

    min  sum_i |a_i - sum_v w_vi s_vi|^2

over weights with sum_v w_vi = 1 and graphs A with k connected components, a_i the columns of A and s_vi of the views'
graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.graph._mvgl_components import (
    component_clusters,
    components_of,
    smallest_eigenpairs,
    symmetrised,
    until_components,
)
from mvarena.algorithms.graph._mvgl_graphs import (
    DenseViews,
    Edges,
    Graph,
    SparseViews,
    projected_anywhere,
    rows_of,
    with_data,
)
from mvarena.algorithms.graph.view_graphs import Square, among_all, of_observed, squared_distances
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.neighbours import smallest_in_rows
from mvarena.system.threads import one_linear_algebra_thread, side_by_side_tasks


@dataclass(frozen=True, eq=False, slots=True)
class MVGLResult:
    """A : (n, n) global graph. weights : (V, n), columns sum to 1. history : of the distance to the weighted graph.

    The rows of A are on the simplex, unless the weighted graph had k components by itself and was taken as it was.

    components : (n,) connected component of each sample in (A + A^T) / 2.
    """

    A: Square
    weights: NDArray[np.float64]
    components: NDArray[np.int64]
    history: History


def mvgl(
    S: Sequence[Graph], k: int, stopping: Stopping, *, local: bool = True, mask: NDArray[np.bool_] | None = None
) -> MVGLResult:
    """min over A, w of sum_i norm(a_i - sum_v w_vi s_vi)^2, columns i, with k components in A and sum_v w_vi = 1.

    Parameters
    ----------
    S : V symmetric nonnegative graphs (n, n), dense or csr.
    local : edges only where the weighted graph has a positive one; otherwise anywhere.
    mask : (n, V) True where observed; None: everywhere. A view has no weight in the column of a sample that it misses.

    The two steps do not share one objective (A's rows are projected, the weights fit columns), so the objective
    need not fall. As in the published loop, which has no cap, its first value is compared with 10.
    Cost O(V n^2 + n^3) per iteration and change of lambda, (V + 10) n^2; with `local`, e edges in all views and
    a sparse factor of l entries O(V^2 e) and O(l k), memory O(V e + l).
    """
    n, V = S[0].shape[0], len(S)
    seen = np.ones((n, V), dtype=bool) if mask is None else mask
    views = SparseViews(S) if local else DenseViews(S)
    combined = views.combined((seen / seen.sum(axis=1, keepdims=True)).T)
    history = History(stopping, compared_with=10.0)
    while not history.ended:
        A = _with_components(combined, k)
        weights = views.weights(A, seen)
        combined = views.combined(weights)
        history.add(float(((A - combined) ** 2).sum()))
    components = components_of(symmetrised(A))
    return MVGLResult(A.toarray() if sparse.issparse(A) else A, weights, components, history)


def learned_graph(squared: Square, k: int, n_neighbors: int, *, local: bool = False) -> Square:
    """Result of `learned_edges`, dense."""
    graph = learned_edges(squared, k, n_neighbors, local=local)
    return np.asarray(graph.toarray()) if sparse.issparse(graph) else graph


def learned_edges(squared: Square, k: int, n_neighbors: int, *, local: bool = False) -> Graph:
    """One view's symmetric graph (n, n) with k components, from squared distances; csr where it is local.

    Starts from the adaptive neighbours of Nie, Wang and Huang (2014): a_ij proportional to d_(i, m+1) - d_ij. From
    then on, as in the published code, only the distances between rows of F count; local keeps edges to the
    m nearest neighbours. Fewer than 3 samples have no edge. Cost O(n^3) per change of lambda, 6 n^2; with `local`
    O(n^2) and what a sparse factor takes, 2 n^2.
    """
    n = len(squared)
    if n < 3:
        return sparse.csr_array((n, n)) if local else np.zeros((n, n))
    m = min(n_neighbors, n - 2)
    neighbours, near = smallest_in_rows(squared, m + 2)
    neighbours, near = neighbours[:, 1:], near[:, 1:]
    closer = near[:, -1:] - near
    # a sum of differences, not a difference of sums: it is 0, and the row empty, where all neighbours are equally near
    A = _of_neighbours(neighbours, closer / (closer.sum(axis=1, keepdims=True) + np.finfo(float).eps))
    F = smallest_eigenpairs(symmetrised(A), k)[0]
    if local:
        nowhere = _of_neighbours(neighbours[:, :m], np.zeros((n, m)))
        project: Callable[..., Graph] = Edges(nowhere, np.ones(nowhere.nnz, dtype=bool)).projected
    else:
        project = partial(projected_anywhere, np.zeros((n, n)))
    return until_components(lambda F, lam: symmetrised(project(F, lam)), F, k, tolerance=1e-11)


def _of_neighbours(neighbours: NDArray[np.int64], values: NDArray[np.float64]) -> sparse.csr_array:
    """(n, n) the graph of m neighbours (n, m) of each sample; zeros among the values are stored."""
    n, m = neighbours.shape
    graph = sparse.csr_array((values.ravel(), neighbours.ravel(), m * np.arange(n + 1)), shape=(n, n))
    graph.sort_indices()
    return graph


def _with_components(combined: Graph, k: int) -> Graph:
    """The nearest graph to `combined` with rows on the simplex and k components, lambda doubled until it has them.

    One that is sparse gets edges only where it has positive ones. A combined graph that falls into k components already
    is taken as it is, as in the published code: its rows need not sum to 1.
    """
    if sparse.issparse(combined):
        on_diagonal = rows_of(combined) == combined.indices
        base: Graph = with_data(combined, np.where(on_diagonal, 0.0, combined.data))
    else:
        base = combined - np.diag(np.diag(combined))
    F, values = smallest_eigenpairs(symmetrised(base), k)
    if values[:k].sum() < 1e-10:
        return base
    project = Edges(base, base.data > 0).projected if sparse.issparse(base) else partial(projected_anywhere, base)
    return until_components(project, F, k, tolerance=1e-10)


class MVGL(SquareClusterer):
    """Global graph with exactly k connected components, fitted to each view's learned graph.

    Parameters
    ----------
    n_neighbors : neighbours in each view's first graph.
    local_views, local_global : keep edges to neighbours only, in the views' graphs and in the global one (the
        published demo sets both by data set).
    max_iter : at most so many iterations; they end where the objective changes by a thousandth of its value.

    Departure. The program takes G^-1 1 for the weights of a column. Where the graphs of two views nearly agree in
    it, these weights are some 10^5 with opposite signs, and the graph is what rounding makes of them: two ways to
    compute G^-1 1 gave graphs with entries up to 40 apart. Here the weights of least norm are taken there. On 16
    drawn inputs the graph was the program's to 2e-15 with `local_views` (the default). Without it, as in the demo's
    first setting, columns that nearly agree are common: on 14 of 32 inputs entries of the graph were .03 to .16
    from those of G^-1 1.

    The clusters are the components, each of two samples or more: more than n / 2 clusters raise InvalidSetting.
    Where lambda finds no graph with exactly k, the graph is clustered spectrally. The order of the views does not
    matter. A sample that a view misses is isolated in its graph, and that view has no weight for it.
    """

    n_neighbors: Count = 15
    local_views: bool = True
    local_global: bool = True
    max_iter: Count = 30

    def squares(self, n_views: int) -> int:
        return n_views + 10

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        if data.n_samples < 3:
            raise InvalidSetting(f"mvgl needs at least 3 samples and there are {data.n_samples}.")
        if 2 * n_clusters > data.n_samples:
            raise InvalidSetting(
                f"mvgl's graph joins each sample to another, so that {data.n_samples} samples fall into at most "
                f"{data.n_samples // 2} components; {n_clusters} clusters were asked for. Ask for fewer, or take a "
                "method whose clusters are not components, such as sc-average.",
                field="n_clusters",
                value=n_clusters,
            )
        rule = Stopping(self.max_iter, 1e-3, relative_to="old")
        with side_by_side_tasks(data.n_views) as each:
            S = list(each(lambda v: self._learned(data, v, n_clusters), range(data.n_views)))
        # steps on a few hundred samples, for which threads would wait for one another
        with one_linear_algebra_thread():
            result = mvgl(S, n_clusters, rule, local=self.local_global, mask=data.mask)
        return component_clusters(result.A, result.components, n_clusters, result.history, result.weights)

    def _learned(self, data: MultiViewData, v: int, k: int) -> Graph:
        """View v's graph of the samples that it observes; the others stay isolated."""
        seen = data.mask[:, v]
        with one_linear_algebra_thread():
            squared = squared_distances(of_observed(data.views[v], seen))
            graph = learned_edges(squared, k, self.n_neighbors, local=self.local_views)
        return _among_all_sparse(graph, seen) if sparse.issparse(graph) else among_all(graph, seen)


def _among_all_sparse(graph: sparse.csr_array, seen: NDArray[np.bool_]) -> sparse.csr_array:
    n, own = len(seen), np.flatnonzero(seen)
    return sparse.csr_array((graph.data, (own[rows_of(graph)], own[graph.indices])), shape=(n, n))
