"""GMC: graph-based multi-view clustering (Wang, Yang and Liu, IEEE TKDE 2020).

Each view has a graph S_v of adaptive neighbours, drawn towards one graph U of all views, which is drawn towards k
connected components: they are the clusters. Everything is learned together,

    min  sum_v sum_i (sum_j d_v,ij s_v,ij + alpha_vi |s_vi|^2) + sum_v w_v |U - S_v|^2 + 2 lambda tr(F^T L(U) F)

over rows of S_v and U on the simplex and F (n, k) with orthonormal columns, with w_v = 1 / (2 |U - S_v|) and alpha_vi
such that each sample has m neighbours. It matches the authors' program step by step.

As published, the distances alone choose the neighbours, once; the rows of U follow all views alike, with the pull of F
divided by w_v; a row of S_v of which an entry would be negative sums to a little more than 1; and lambda is doubled or
halved from step to step, so that no stated objective falls.

Departures. A view whose graph is U itself keeps its weight, where the program divides by 0. Where U has other than k
components at the end, which the program only prints, it is clustered spectrally.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph._mvgl_components import component_clusters, components_of, smallest_eigenpairs
from mvarena.algorithms.graph._mvgl_graphs import distances_between_rows
from mvarena.algorithms.graph.view_graphs import Square, squared_distances, standard_sample_distances
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.simplex import project_simplex_support

Array = NDArray[np.float64]

_ZERO = 1e-10  # sums of eigenvalues below count as 0
_SAME = 1e-12  # a share of a graph's norm: what differs by less is rounding noise


@dataclass(frozen=True, eq=False, slots=True)
class NearestOthers:
    """indices : (n, m) the m nearest others of each sample. gaps : (n, m) d_(m+1) - d_j. next_one : (n,) the next."""

    indices: NDArray[np.int64]
    gaps: Array
    next_one: NDArray[np.int64]

    @classmethod
    def among(cls, squared: Square, n_neighbors: int) -> NearestOthers:
        """By (n, n) squared distances, n >= 3, of which the diagonal is overwritten; m is at most n - 2."""
        m = min(n_neighbors, len(squared) - 2)
        np.fill_diagonal(squared, np.inf)
        order = np.argsort(squared, axis=1, kind="stable")[:, : m + 1]
        near = np.take_along_axis(squared, order, axis=1)
        return cls(order[:, :m].copy(), near[:, m:] - near[:, :m], order[:, m].copy())

    def weights(self, U: Square | None = None, weight: float = 0.0) -> Array:
        """(n, m) rows that sum to 1, or more where an entry is cut off at 0, drawn towards U (n, n) by `weight`."""
        pulled = self.gaps
        if U is not None:
            own = np.arange(len(U))
            pulled = pulled + 2.0 * weight * (U[own[:, None], self.indices] - U[own, self.next_one, None])
        total = pulled.sum(axis=1, keepdims=True)
        # of neighbours that are all equally near, none is preferred
        equal = np.full_like(pulled, 1.0 / pulled.shape[1])
        return np.divide(np.maximum(pulled, 0.0), total, out=equal, where=total > _SAME * np.abs(pulled).max())


@dataclass(frozen=True, eq=False, slots=True)
class ConsensusGraph:
    """U : (n, n), rows on the simplex. weights : (V,) w. components : (n,) of U.

    history : the objective of the last lambda's problem but for the alpha terms; it need not fall.
    """

    U: Square
    weights: Array
    components: NDArray[np.int64]
    history: History


def gmc(views: Sequence[NearestOthers], k: int, stopping: Stopping, *, first_lambda: float = 1.0) -> ConsensusGraph:
    """GMC from each view's nearest others, until U has k connected components.

    Cost O(n^3) for the eigenvectors and O(V n^2) per step, memory some 8 n^2.
    """
    S = [view.weights() for view in views]
    U = _mean(views, S)
    F = smallest_eigenpairs((U + U.T) / 2, k)[0]
    weights, lam = np.full(len(views), 1.0 / len(views)), first_lambda
    history = History(stopping, measured="the components differ from as many as clusters by")
    while not history.ended:
        S = [view.weights(U, w) for view, w in zip(views, weights, strict=True)]
        distances = _apart(views, S, U)
        told_apart = distances > _SAME * np.linalg.norm(U)
        weights = np.where(told_apart, 0.5 / np.where(told_apart, distances, 1.0), weights)
        pull = distances_between_rows(F)
        U = _mean(views, S)
        U = project_simplex_support(U - lam * float(np.mean(0.5 / weights)) / len(views) * pull, U > 0)
        result, values = smallest_eigenpairs((U + U.T) / 2, k)
        fitted = float(weights @ _apart(views, S, U) ** 2)
        history.add(fitted + lam * float(np.vdot(U, pull)), violation=_surplus(values, k))
        if values[:k].sum() > _ZERO:
            lam, F = lam * 2, result
        elif history.converged:
            F = result
        else:
            lam /= 2
    return ConsensusGraph(U, weights, components_of((U + U.T) / 2), history)


def _surplus(values: Array, k: int) -> float:
    """By how many those of the Laplacian's smallest eigenvalues, ascending, that are zero differ from k."""
    zeros = int((np.cumsum(np.maximum(values, 0.0)) <= _ZERO).sum())
    return float(abs(zeros - k))


def _mean(views: Sequence[NearestOthers], S: Sequence[Array]) -> Square:
    n = len(S[0])
    total = np.zeros((n, n))
    for view, weights in zip(views, S, strict=True):
        total[np.arange(n)[:, None], view.indices] += weights
    total /= len(S)
    return total


def _apart(views: Sequence[NearestOthers], S: Sequence[Array], U: Square) -> Array:
    """(V,) |U - S_v|, from what the rows of S_v hold."""
    squared_norm = float(np.vdot(U, U))
    result = np.empty(len(S))
    for v, (view, weights) in enumerate(zip(views, S, strict=True)):
        held = np.take_along_axis(U, view.indices, axis=1)
        outside = max(squared_norm - float(np.vdot(held, held)), 0.0)
        result[v] = np.sqrt(outside + float(np.square(held - weights).sum()))
    return result


class GMC(SquareClusterer):
    """One graph with k connected components, learned together with the views' graphs and their weights.

    Parameters
    ----------
    n_neighbors : adaptive neighbours per sample in each view's graph; the paper has 15.
    first_lambda : the first weight of the components, doubled or halved from step to step.
    standardize : whether each sample is standardised over its features first, as in the authors' program. Of a sample
        with two features it leaves which one is larger, of one with three features an angle, of a single feature
        nothing: False keeps such views. Distance and kernel views are taken as they are.
    max_iter : at most so many steps; they end where the graph has as many components as clusters.

    It ends in labels, the components; where there are other than k, in the graph, which is clustered spectrally.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count = 15
    first_lambda: Positive = 1.0
    standardize: bool = True
    max_iter: Count = 20

    def squares(self, n_views: int) -> int:
        return n_views + 9

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        if data.n_samples < 3:
            raise InvalidSetting(f"gmc needs at least 3 samples and there are {data.n_samples}.")
        views = [NearestOthers.among(self._squared(view), self.n_neighbors) for view in data.views]
        result = gmc(views, n_clusters, Stopping(self.max_iter), first_lambda=self.first_lambda)
        return component_clusters(result.U, result.components, n_clusters, result.history, result.weights)

    def _squared(self, view: View) -> Square:
        standard = self.standardize and view.kind == "features"
        return standard_sample_distances(view) if standard else squared_distances(view)
