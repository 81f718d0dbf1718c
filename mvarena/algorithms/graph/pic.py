"""PIC: perturbation-oriented incomplete multi-view clustering (Wang et al., IJCAI 2019).

    min  w^T (C + beta Q) w / 2 - f^T w

over weights w on the simplex of the graphs' mean sum_v w_v N_v; C, Q and f say how the graphs perturb one another.

Each view's graph of adaptive neighbours is completed by rows of the other views', all graphs are normalised, and their
mean is taken with weights by which the views' eigenspaces perturb it little; its leading eigenvectors are clustered.

Departures. The authors' program divides each row of the eigenvectors by the sum of its entries, which depends on
LAPACK's arbitrary signs, so the weights do too. Rows are of unit length here, as those of n eigenvectors are anyway.
Graphs and their completion match the program number for number; weights and clusters cannot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import (
    adaptive_rows,
    among_all,
    of_observed,
    squared_distances,
    standard_sample_distances,
    symmetric_normalized,
)
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.simplex import simplex_quadratic_rows
from mvarena.numerics.spectral import NO_RANK, top_eigenvectors

Square = NDArray[np.float64]


def completed_graphs(rows: Sequence[Square], mask: NDArray[np.bool_]) -> list[Square]:
    """S_v (n, n), symmetric: where a view misses a sample, its row is the mean of its rows in the views that see it.

    rows : per view (n, n), each observed row summing to 1, other rows and columns zero. The mean of rows on the simplex
    is on it, so nothing is left to rescale. Cost O(V n^2 n_missing), V n^2 memory.
    """
    total = np.sum(rows, axis=0) / mask.sum(axis=1)[:, None]
    completed = []
    for W, seen in zip(rows, mask.T, strict=True):
        S = np.where(seen[:, None], W, total)
        completed.append((S + S.T) / 2)
    return completed


class PIC(SquareClusterer):
    """Completed graphs, weighted by how little they perturb one another's eigenspaces.

    Parameters
    ----------
    n_neighbors : adaptive neighbours per sample in each view's graph; 13 in a survey's program, 15 in the authors'.
    smoothness : beta, the weight of the angles between the views' eigenspaces; the paper has 0.1.
    standardize : whether each sample is standardised over its features first, as in the authors' program. Of a sample
        with two features it leaves which one is larger, of one with three features an angle, of a single feature
        nothing: False keeps such views. Distance and kernel views are taken as they are.

    The embedding is the k leading eigenvectors of the weighted mean of the normalised graphs, rows of unit length.
    """

    n_neighbors: Count = 13
    smoothness: NonNegative = 0.1
    standardize: bool = True

    def squares(self, n_views: int) -> int:
        # rows and their completion, then normalised graphs with the eigenvectors of one of them and its magnitude
        return 2 * n_views + 5

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        rows = [self._rows(view, seen) for view, seen in zip(data.views, data.mask.T, strict=True)]
        N = [symmetric_normalized(S) for S in completed_graphs(rows, data.mask)]
        del rows
        products = np.array([[float(np.vdot(a, b)) for b in N] for a in N])
        bases, magnitudes = [], np.empty_like(products)
        for m, graph in enumerate(N):
            values, vectors = np.linalg.eigh(graph)
            bases.append(vectors[:, ::-1][:, :n_clusters].copy())
            magnitude = (vectors * np.abs(values)) @ vectors.T
            magnitudes[:, m] = [float(np.vdot(other, magnitude)) for other in N]
        weights = view_weights(products, magnitudes, angle_gaps(bases), self.smoothness)
        mean = np.zeros_like(N[0])
        for weight, graph in zip(weights, N, strict=True):
            mean += weight * graph
        values, H = top_eigenvectors(mean, n_clusters, direct=True)
        return Representation(embedding=unit_embedding(H[:, np.abs(values) > NO_RANK]), details={"weights": weights})

    def _rows(self, view: View, seen: NDArray[np.bool_]) -> Square:
        own = of_observed(view, seen)
        standard = self.standardize and view.kind == "features"
        squared = standard_sample_distances(own) if standard else squared_distances(own)
        return among_all(adaptive_rows(squared, self.n_neighbors), seen)


# PIC's weights: how near the views' eigenspaces are to one another decides how much each graph counts.

_RIDGE = 1e-10


def angle_gaps(bases: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """(V, V) pi less the largest canonical angle between two of the `bases` (n, k); zero on the diagonal.

    Cosines are divided by the largest of them, as the authors' program does.
    """
    n_views = len(bases)
    phi = np.zeros((n_views, n_views))
    for i in range(n_views):
        for j in range(i):
            cosines = np.linalg.svd(bases[i].T @ bases[j], compute_uv=False)
            largest = max(float(cosines[0]), np.finfo(float).tiny)
            phi[i, j] = phi[j, i] = np.pi - np.arccos(np.clip(cosines[-1] / largest, 0.0, 1.0))
    return phi


def view_weights(
    products: NDArray[np.float64], magnitudes: NDArray[np.float64], phi: NDArray[np.float64], smoothness: float
) -> NDArray[np.float64]:
    """(V,) the minimiser over the simplex of w^T (C + b Q) w / 2 - f^T w.

    Parameters
    ----------
    products : (V, V) tr(N_i N_j). magnitudes : (V, V) tr(N_i |N_m|). phi : (V, V) as of `angle_gaps`. smoothness : b.

    With complete orthonormal sets of eigenvectors E_m the paper's A_m = E_m E_m^T is the identity and B_m = |N_m|, so
    that C = V products and f_i is the i-th row sum of `magnitudes`. Q, the Laplacian of phi, is scaled to the Frobenius
    norm of C.
    """
    C = len(phi) * products
    Q = np.diag(phi.sum(axis=1)) - phi
    size = float(np.linalg.norm(Q))
    if size > 0:
        C = C + smoothness * float(np.linalg.norm(C)) / size * Q
    f = magnitudes.sum(axis=1)
    # of several minimisers, as those of equal views, the shortest
    ridge = _RIDGE * max(float(np.abs(C).max()), float(np.abs(f).max()), np.finfo(float).tiny)
    return simplex_quadratic_rows(C + ridge * np.eye(len(f)), f[None])[0]
