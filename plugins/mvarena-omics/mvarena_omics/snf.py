"""SNF: similarity network fusion (Wang et al., Nature Methods 2014).

Per view, with Euclidean distances d_ij, neighbourhoods N_i of K samples and

    e_ij = (mean of d(i, N_i) + mean of d(j, N_j) + d_ij) / 3,    W_ij = exp(-d_ij^2 / (mu e_ij)),

P holds W_ij / (2 sum_{l != i} W_il) and 1/2 on the diagonal, and S the entries of W in N_i, rows with sum 1. All views
at once step to P_v = S_v (mean of P_u, u != v) S_v^T, normalised as before and made symmetric. The network is the
mean of all P_v, rows with sum 1, made symmetric, plus the identity; it is clustered spectrally.

Departures. The unit of features counts in W, as printed; the programs take the density of a normal distribution with
deviation mu e_ij: `similarity`. Of equally distant neighbours the first count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.kernels import squared_distances
from numpy.typing import NDArray
from scipy import sparse

from mvarena_omics.neighbourhoods import local_scale, nearest_others

Array = NDArray[np.float64]
Similarity: TypeAlias = Literal["paper", "normal"]


def network(distances: Array, n_neighbors: int, mu: float, similarity: Similarity) -> tuple[Array, sparse.csr_array]:
    """P (n, n), and S (n, n) with `n_neighbors` entries in a row, from Euclidean distances (n, n).

    Both only depend on W up to a factor for each row, so each row of W is divided by its largest entry off the
    diagonal: none vanishes. Time O(n^2 log n), memory 4 n^2.
    """
    n = len(distances)
    near = nearest_others(distances, n_neighbors)
    scale = mu * local_scale(distances, near)
    scale = np.where(scale > 0, scale, 1.0)  # equal samples, whose distance is 0
    logarithm = -(distances**2) / scale if similarity == "paper" else -((distances / scale) ** 2) / 2 - np.log(scale)
    np.fill_diagonal(logarithm, -np.inf)
    W = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
    kept = np.take_along_axis(W, near, axis=1)
    # a neighbour by distance may have a similarity that vanishes beside the largest of the row
    sums = kept.sum(axis=1, keepdims=True)
    local = np.divide(kept, sums, out=np.full_like(kept, 1.0 / n_neighbors), where=sums > 0)
    S = sparse.csr_array((local.ravel(), near.ravel(), np.arange(0, near.size + 1, n_neighbors)), shape=(n, n))
    return balanced(W), S


def balanced(W: Array) -> Array:
    """W (n, n) with 1/2 on the diagonal, and off it rows with sum 1/2; a row without similarities keeps none."""
    result = W.copy()
    np.fill_diagonal(result, 0.0)
    sums = result.sum(axis=1, keepdims=True)
    result /= np.where(sums > 0, 2.0 * sums, 1.0)
    np.fill_diagonal(result, 0.5)
    return result


def fused(P: Sequence[Array], S: Sequence[sparse.csr_array], steps: int) -> Array:
    """The fused network (n, n), symmetric, of at least two views. Time O(V steps n^2 K), memory (2 V + 3) n^2."""
    P = list(P)
    for _ in range(steps):
        total = np.sum(P, axis=0)
        moved = []
        for p, s in zip(P, S, strict=True):
            new = balanced(s @ (s @ ((total - p) / (len(P) - 1))).T)  # the mean of the others is symmetric
            moved.append((new + new.T) / 2)
        P = moved
    mean = np.mean(P, axis=0)
    mean /= mean.sum(axis=1, keepdims=True)
    return np.asarray((mean + mean.T) / 2 + np.eye(len(mean)))


class SNF(MultiViewClusterer):
    """The views' similarity networks, diffused through one another, and spectral clustering of the result.

    Parameters
    ----------
    n_neighbors : K, at most n - 1 of which count; the paper's range is 10 to 30.
    mu : width of the similarities; the paper's range is 0.3 to 0.8.
    n_steps : t, how often the networks are diffused.
    similarity : exp(-d^2 / (mu e)) ("paper"), or the density at d of a "normal" distribution with deviation mu e.

    All n x n matrices are dense.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count = 10
    mu: Positive = 0.5
    n_steps: Count = 20
    similarity: Similarity = "paper"

    def memory_needed(self, data: MultiViewData) -> int:
        return 8 * (2 * data.n_views + 8) * data.n_samples**2

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        m = min(self.n_neighbors, data.n_samples - 1)
        if m == 0:
            return Representation(affinity=np.ones((1, 1)))
        networks = [
            network(np.sqrt(squared_distances(view.matrix)), m, self.mu, self.similarity) for view in data.views
        ]
        starts, neighbourhoods = zip(*networks, strict=True)
        P = [(start + start.T) / 2 for start in starts]
        return Representation(affinity=fused(P, neighbourhoods, self.n_steps))
