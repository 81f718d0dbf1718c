"""Graph learning for multi-view clustering (Zhan, Zhang, Guan and Wang 2018): a graph with exactly k components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph._mvgl_components import Edges, components_of, smallest_eigenpairs, until_components
from mvarena.algorithms.graph.view_graphs import Square, among_all, of_observed, squared_distances
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import cached_blocks


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
    S: Sequence[Square], k: int, stopping: Stopping, *, local: bool = True, mask: NDArray[np.bool_] | None = None
) -> MVGLResult:
    """min over A, w of sum_i norm(a_i - sum_v w_vi s_vi)^2, columns i, with k components in A and sum_v w_vi = 1.

    Parameters
    ----------
    S : V symmetric nonnegative graphs (n, n).
    local : edges only where the weighted graph has a positive one; otherwise anywhere.
    mask : (n, V) True where observed; None: everywhere. A view has no weight in the column of a sample that it misses.

    The two steps do not share one objective (A's rows are projected, the weights fit columns), so the objective
    need not fall. As in the published loop, which has no cap, its first value is compared with 10.
    Cost O(V n^2 + n^3) per iteration and change of lambda, (V + 10) n^2.
    """
    seen = np.ones((len(S[0]), len(S)), dtype=bool) if mask is None else mask
    combined = _combine(S, (seen / seen.sum(axis=1, keepdims=True)).T)
    history = History(stopping, compared_with=10.0)
    while not history.ended:
        A = _with_components(combined, k, local)
        weights = view_weights(A, S, seen)
        combined = _combine(S, weights)
        history.add(float(((A - combined) ** 2).sum()))
    components = components_of((A + A.T) / 2)
    if components.max() + 1 != k:
        history.remark(f"the graph has {components.max() + 1} components instead of {k}", converged=False)
    return MVGLResult(A, weights, components, history)


def _combine(S: Sequence[Square], weights: NDArray[np.float64]) -> Square:
    """sum_v of S_v with its columns weighted."""
    combined = np.zeros_like(S[0])
    for w, S_v in zip(weights, S, strict=True):
        combined += w * S_v
    return combined


def view_weights(A: Square, S: Sequence[Square], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(V, n) weights, per column i: argmin norm(sum_v w_v (a_i - s_vi))^2 with sum 1, which is G^-1 1 normalised.

    seen : (n, V) True where observed: the sum runs over the views that see sample i, and the others get 0.
    Where G is singular (two views agree in a column) the weights of least norm are taken. Cost O(V^2 n^2 + V^3 n).
    """
    V, n = len(S), len(A)
    gram = np.zeros((n, V, V))
    for rows in cached_blocks(n * V):
        apart = [A[rows] - S_v[rows] for S_v in S]
        for v in range(V):
            for w in range(v, V):
                gram[:, v, w] += np.einsum("ij,ij->j", apart[v], apart[w])
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


def learned_graph(squared: Square, k: int, n_neighbors: int, *, local: bool = False) -> Square:
    """One view's symmetric graph (n, n) with k components, from squared distances.

    Starts from the adaptive neighbours of Nie, Wang and Huang (2014): a_ij proportional to d_(i, m+1) - d_ij. From
    then on, as in the published code, only the distances between rows of F count; local keeps edges to the
    m nearest neighbours. Fewer than 3 samples have no edge. Cost O(n^3) per change of lambda, 6 n^2.
    """
    n = len(squared)
    if n < 3:
        return np.zeros((n, n))
    m = min(n_neighbors, n - 2)
    order = np.argsort(squared, axis=1, kind="stable")
    neighbours = order[:, 1 : m + 2]
    rows = np.arange(n)[:, None]
    near = squared[rows, neighbours]
    closer = near[:, -1:] - near
    A = np.zeros((n, n))
    # a sum of differences, not a difference of sums: it is 0, and the row empty, where all neighbours are equally near
    A[rows, neighbours] = closer / (closer.sum(axis=1, keepdims=True) + np.finfo(float).eps)
    allowed = None
    if local:
        allowed = np.zeros((n, n), dtype=bool)
        allowed[rows, neighbours[:, :m]] = True

    edges = Edges(np.zeros((n, n)), allowed)

    def graph_for(F: NDArray[np.float64], lam: float) -> Square:
        graph = edges.projected(F, lam)
        return (graph + graph.T) / 2

    start = (A + A.T) / 2
    return until_components(graph_for, smallest_eigenpairs(start, k)[0], k, tolerance=1e-11)


def _with_components(combined: Square, k: int, local: bool) -> Square:
    """The nearest graph to `combined` with rows on the simplex and k components, lambda doubled until it has them.

    A combined graph that falls into k components already is taken as it is, as in the published code: its rows need
    not sum to 1.
    """
    base = combined - np.diag(np.diag(combined))
    allowed = base > 0 if local else None
    F, values = smallest_eigenpairs((base + base.T) / 2, k)
    if values[:k].sum() < 1e-10:
        return base
    return until_components(Edges(base, allowed).projected, F, k, tolerance=1e-10)


class MVGL(SquareClusterer):
    """Global graph with exactly k connected components, fitted to each view's learned graph.

    Parameters
    ----------
    n_neighbors : neighbours in each view's first graph.
    local_views, local_global : keep edges to neighbours only, in the views' graphs and in the global one (the
        published demo sets both by data set).
    max_iter : at most so many iterations; they end where the objective changes by a thousandth of its value.

    The clusters are the components; where lambda finds no graph with exactly k, the graph is clustered spectrally.
    The order of the views does not matter. A sample that a view misses is isolated in its graph, and that view has no
    weight for it.
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
        S = [self._learned(data, v, n_clusters) for v in range(data.n_views)]
        rule = Stopping(self.max_iter, 1e-3, relative_to="old")
        found = mvgl(S, n_clusters, rule, local=self.local_global, mask=data.mask)
        details = {"weights": found.weights, "graph": found.A}
        if found.components.max() + 1 == n_clusters:
            return Representation(labels=found.components, history=found.history, details=details)
        return Representation(affinity=(found.A + found.A.T) / 2, history=found.history, details=details)

    def _learned(self, data: MultiViewData, v: int, k: int) -> Square:
        """View v's graph of the samples that it observes; the others stay isolated."""
        seen = data.mask[:, v]
        squared = squared_distances(of_observed(data.views[v], seen))
        return among_all(learned_graph(squared, k, self.n_neighbors, local=self.local_views), seen)
