"""PIMVC: projective incomplete multi-view clustering (Deng et al., IEEE TNNLS 2023).

    min  sum_v [ |X_v P_v^T - M_v Y|^2 + lambda |P_v|^2 ] + beta tr(Y^T L Y),   P_v (X_v^T X_v + lambda I) P_v^T = I,

with X_v (n, d_v) zero where missing, projections P_v (k, d_v), M_v = diag(m_v), the shared embedding Y (n, k), and L
the sum of the Laplacians of the views' graphs of nearest neighbours. Both steps are exact minimisers, so the objective
never rises. It matches the authors' program from its start.

Departures. P_v starts at the first k principal directions of the centred view, whose signs across views matter and are
LAPACK's in the program; here the largest entry of each is positive. A view of rank below k counts as one with further
features that are zero. Of more than 20,000 samples, those near to one another are looked for in a few cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.bandwidth import mean_length_one
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.conjugate_gradients import solve_positive
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.neighbours import neighbour_laplacian
from mvarena.numerics.nmf import squared_norm
from mvarena.numerics.polar import completed_polar
from mvarena.numerics.spectral import fix_signs, largest_signs

Array = NDArray[np.float64]


def pimvc(
    views: Sequence[RotatedView],
    mask: NDArray[np.bool_],
    laplacian: sparse.csr_array,
    P: Sequence[Array],
    stopping: Stopping,
    *,
    ridge: float,
    smoothness: float,
) -> tuple[Array, History]:
    """Y (n, k) of PIMVC from projections P_v (r_v, k), columns as directions, and the objective.

    laplacian : L (n, n). ridge, smoothness : lambda and beta. `stopping.tol` bounds the change of the objective, which
    is divided by sum_v |X_v|^2.

    Cost O(sum_v n r_v k) per iteration and the conjugate gradients for Y; memory O(n (sum_v r_v + k)).
    """
    P, k = list(P), P[0].shape[1]
    size = sum(squared_norm(view.rows) for view in views)
    system = sparse.csr_array(
        sparse.dia_array((mask.sum(axis=1)[None, :], [0]), laplacian.shape) + smoothness * laplacian
    )
    roots = [1.0 / np.sqrt(view.squares + ridge)[:, None] for view in views]
    history = History(stopping, measured="the objective, as a share of the data's squared size, changed by")
    Y, before = None, np.inf
    while True:
        Y = solve_positive(system, _projected(views, P), start=Y)
        P = [
            root * completed_polar(root * (view.rows.T @ Y), p / root)
            for root, view, p in zip(roots, views, P, strict=True)
        ]
        # |X_v P_v^T|^2 + lambda |P_v|^2 = k by the constraint
        fitted = k * len(views) - 2.0 * float(np.vdot(_projected(views, P), Y))
        seen = float(mask.sum(axis=1) @ np.square(Y).sum(axis=1))
        objective = (fitted + seen + smoothness * float(np.vdot(Y, laplacian @ Y))) / size
        history.add(objective, violation=abs(objective - before))
        before = objective
        if history.ended:
            return Y, history


def _projected(views: Sequence[RotatedView], P: Sequence[Array]) -> Array:
    """sum_v X_v P_v^T (n, k)."""
    total = views[0].rows @ P[0]
    for view, p in zip(views[1:], P[1:], strict=True):
        total += view.rows @ p
    return total


class PIMVC(MultiViewClusterer):
    """One embedding onto which every view's observed samples are projected, smooth over the views' neighbours.

    Parameters
    ----------
    ridge : lambda, in the constraint on the projections. smoothness : beta, the weight of the graphs. Views count as
        scaled by one number each, so that their rows have unit length on average.
    n_neighbors : of each view's graph; an edge where either of two samples is among the other's nearest.
    tol, max_iter : they end, from the fourth iteration on, where the objective, as a share of the data's squared size,
        changes by no more than `tol`, or after so many iterations.

    The embedding is Y, its rows as they are.
    """

    ridge: Positive = 1e5
    smoothness: NonNegative = 1.0
    n_neighbors: Count = 3
    tol: NonNegative = 1e-5
    max_iter: Count = 100

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: each view's rotated rows, and the largest view's Gram matrices."""
        shapes = [(int(seen.sum()), view.n_features) for view, seen in zip(data.views, data.mask.T, strict=True)]
        rotated_rows = 8 * data.n_samples * sum(min(shape) for shape in shapes)
        return rotated_rows + 8 * max(4 * min(shape) ** 2 + 2 * shape[0] * min(shape) for shape in shapes)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        matrices = mean_length_one(data)
        pairs = list(zip(matrices, data.mask.T, strict=True))
        laplacian = sum(
            (neighbour_laplacian(X, seen, self.n_neighbors) for X, seen in pairs[1:]),
            start=neighbour_laplacian(*pairs[0], self.n_neighbors),
        )
        views = [rotated(X, seen, n_clusters) for X, seen in pairs]
        Y, history = pimvc(
            views,
            data.mask,
            sparse.csr_array(laplacian),
            [view.principal for view in views],
            Stopping(self.max_iter, self.tol, earliest=4),
            ridge=self.ridge,
            smoothness=self.smoothness,
        )
        return Representation(embedding=Y, history=history)


# A view's rows in as few coordinates as they take, once.

_RANK = 1e-12


@dataclass(frozen=True, eq=False, slots=True)
class RotatedView:
    """rows : X V (n, r), zero where missing, X the view and V (d, r) the eigenvectors of X^T X; r is at least k.

    squares : (r,) the eigenvalues of X^T X. principal : (r, k) the first principal directions of the centred rows.
    """

    rows: Array
    squares: Array
    principal: Array


def rotated(matrix: Any, seen: NDArray[np.bool_], k: int) -> RotatedView:
    """The view (n, d), dense or CSR, with zero rows where `seen` (n,) is False.

    PIMVC knows rows by their inner products alone, so X V, which has no more columns than X has rank, stands for X;
    with columns of zeros where that is below k. Cost O(n d min(n, d) + min(n, d)^3), memory min(n, d)^2.
    """
    observed = matrix[np.flatnonzero(seen)]
    wide = observed.shape[1] > observed.shape[0]
    gram = observed @ observed.T if wide else observed.T @ observed
    squares, vectors = np.linalg.eigh(gram.toarray() if sparse.issparse(gram) else gram)
    kept = squares > _RANK * max(float(squares[-1]), np.finfo(float).tiny)
    squares, vectors = squares[kept][::-1], fix_signs(vectors[:, kept][:, ::-1])
    small = vectors * np.sqrt(squares) if wide else np.asarray(observed @ vectors)
    rank = len(squares)
    rows = np.zeros((len(seen), max(rank, k)))
    rows[seen, :rank] = small
    centred = small - small.mean(axis=0)
    value = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :k]
    # the sign is that of the features, whose largest entry is positive, as long as these are at hand
    signs = largest_signs(np.asarray(observed.T @ vectors) / np.sqrt(squares) @ value if wide else vectors @ value)
    principal = np.eye(max(rank, k), k)
    principal[:rank, : value.shape[1]] = value * signs
    return RotatedView(rows, np.append(squares, np.zeros(rows.shape[1] - rank)), principal)
