"""AWP: multiview clustering via adaptively weighted Procrustes (Nie, Tian and Li, KDD 2018).

    min  sum_v |Y - F_v R_v|_F

over the clusters Y (n, k), an indicator, and orthogonal R_v (k, k), for spectral embeddings F_v (n, k). Clusters follow
the rotated embeddings, each weighted by 1 / |Y - F_v R_v|, and rotations follow the clusters; both are exact steps of
the reweighted problem, so the objective never rises. It matches the collected program from its start.

Departures. The program starts at R_v = I, so that the arbitrary rotation of eigenvectors decides. Here the k leading
left singular vectors of all F_v side by side are turned towards an indicator, by the rows that QR with pivoting picks
(Damle, Minden and Ying 2019), and each F_v starts at the rotation that brings it nearest to the result: a column means
the same cluster in every view. Where the first step has converged already the program divides 0 by 0 and goes on; here
it ends where the clusters repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.algorithms.graph.view_graphs import Square, observed_graphs, squared_distances, symmetric_normalized
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData, View
from mvarena.numerics import kernels
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.polar import completed_polar, polar_factor
from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]

_FITS = 1e-12


@dataclass(frozen=True, eq=False, slots=True)
class Procrustes:
    """labels : (n,). distances : (V,) |Y - F_v R_v|. history : their sum."""

    labels: NDArray[np.int64]
    distances: Array
    history: History


def awp(F: Sequence[Array], stopping: Stopping) -> Procrustes:
    """AWP from R_v = I and equal weights, for V embeddings (n, k), until no sample changes its cluster.

    Cost O(V n k^2) per iteration, memory O(n k). Directions that an empty cluster leaves open are zero.
    """
    k = F[0].shape[1]
    rotations, distances = [np.eye(k)] * len(F), np.ones(len(F))
    labels = np.full(len(F[0]), -1)
    history = History(stopping, measured="the samples that changed their clusters are")
    while not history.ended:
        before = labels
        # an embedding that fits all but exactly outweighs all others
        scores = sum(f @ r / max(p, _FITS) for f, r, p in zip(F, rotations, distances, strict=True))
        labels = np.argmax(np.asarray(scores), axis=1)
        Y = np.eye(k)[labels]
        rotations = [polar_factor(f.T @ Y) for f in F]
        distances = np.array([float(np.linalg.norm(Y - f @ r)) for f, r in zip(F, rotations, strict=True)])
        history.add(float(distances.sum()), violation=float(np.count_nonzero(labels != before)))
    return Procrustes(labels, distances, history)


def towards_an_indicator(F: Array) -> Array:
    """F (n, k) turned so that the k rows that QR with pivoting of F^T picks come near the k unit vectors.

    The result does not depend on how the columns of F are rotated, but for their order. Cost O(n k^2).
    """
    pivots = linalg.qr(F.T, mode="economic", pivoting=True)[2][: F.shape[1]]
    return np.asarray(F @ polar_factor(F[pivots].T))


def turned_together(F: Sequence[Array]) -> list[Array]:
    """The V embeddings F_v (n, k), each turned to be nearest to one matrix (n, k) that is near an indicator.

    That one is the k leading left singular vectors of all F_v side by side, turned towards an indicator. The result
    does not depend on how the columns of each F_v are rotated, but for their order, the same in all. Cost O(n V^2 k^2).
    """
    k = F[0].shape[1]
    shared = towards_an_indicator(np.linalg.svd(np.hstack(F), full_matrices=False)[0][:, :k])
    return [f @ completed_polar(f.T @ shared, np.eye(k)) for f in F]


def neighbour_similarities(squared: Square, n_neighbors: int) -> Square:
    """(n, n) (A + A^T) / 2 of A_ij = exp(-d_ij^2 / (2 s^2)) for the nearest others, s their mean distance.

    `squared` is overwritten. Neighbours equally far as the last one all count. Cost O(n^2), 1 n^2.
    """
    n = len(squared)
    m = min(n_neighbors, n - 1)
    if m < 1:
        return np.zeros((n, n))
    np.fill_diagonal(squared, np.inf)
    total, count = 0.0, 0
    for rows in kernels.cached_blocks(n):
        block = squared[rows]
        block[block > np.partition(block, m - 1, axis=1)[:, m - 1, None]] = np.inf
        near = np.isfinite(block)
        total, count = total + float(np.sqrt(block[near]).sum()), count + int(near.sum())
    width = 2.0 * (total / count) ** 2
    A = np.exp(-squared / width) if width > 0 else np.isfinite(squared).astype(np.float64)
    return np.asarray((A + A.T) / 2)


class AWP(SquareClusterer):
    """Clusters that all views' spectral embeddings, each rotated and weighted by its fit, agree on.

    Parameters
    ----------
    n_neighbors : of each view's graph. Edges are Gaussian, their width the mean distance of neighbours.
    max_iter : at most so many iterations; they end where no sample changes its cluster.

    It ends in labels. Where neighbours or rows tie, rounding decides: hence canonical.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count = 15
    max_iter: Count = 300

    def squares(self, n_views: int) -> int:
        return n_views + 4

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        def graph(view: View) -> Square:
            return symmetric_normalized(neighbour_similarities(squared_distances(view), self.n_neighbors))

        embeddings = [top_eigenvectors(W, n_clusters, direct=True)[1] for W in observed_graphs(data, graph)]
        result = awp(turned_together(embeddings), Stopping(self.max_iter))
        return Representation(labels=result.labels, history=result.history, details={"distances": result.distances})
