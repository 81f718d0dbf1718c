"""Co-regularised graph clustering (Cheng, Zhang, Guo, Wu, Sullivan and Wang 2013) on partly shared samples.

    min  sum_v |A_v - H_v H_v^T|^2 + lam sum_(v<w) |S_vw H_v - H_w|^2

over H_v (n, k) >= 0, for affinities A_v (n, n); S_vw maps samples that both views observe to themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import Square, gaussian_similarity, observed_graphs, symmetric_normalized
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData, View
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.spectral import top_eigenvectors

_TINY = 1e-300


def cgc(
    A: Sequence[Square],
    mask: NDArray[np.bool_],
    start: Sequence[NDArray[np.float64]],
    stopping: Stopping,
    *,
    lam: float,
) -> tuple[list[NDArray[np.float64]], History]:
    """(H, history): min over H_v >= 0 of sum_v norm(A_v - H_v H_v^T)^2 + lam sum_(v<w) norm(S_vw H_v - H_w)^2.

    Parameters
    ----------
    A : V nonnegative symmetric affinities (n, n), zero in the rows and columns of samples that the view misses.
    mask : (n, V) True where observed. S_vw maps each sample that both views observe to itself; the norm runs over
        these samples, so that a sample without a partner is not drawn to zero.
    start : V positive (n, k). H : V nonnegative (n, k), zero where the view misses the sample.

    Multiplicative updates with a fourth root, view after view; the objective, known from the start on, never rises.
    Cost O(V n^2 k + V^2 n k) per iteration.
    """
    H = [H_v * mask[:, [v]] for v, H_v in enumerate(start)]
    squares = [float(np.einsum("ij,ij->", A_v, A_v)) for A_v in A]
    products = [A_v @ H_v for A_v, H_v in zip(A, H, strict=True)]
    history = History(stopping, start=_objective(squares, products, H, mask, lam))
    while not history.ended:
        for v, A_v in enumerate(A):
            # Gradient: 4 (H H^T H - A H) + 2 lam sum_w D_vw (H_v - H_w), D_vw the samples that v and w share.
            pull, shared = np.zeros_like(H[v]), np.zeros(len(mask))
            for w in range(len(A)):
                if w != v:
                    both = mask[:, v] & mask[:, w]
                    pull += both[:, None] * H[w]
                    shared += both
            above = products[v] + 0.5 * lam * pull
            below = H[v] @ (H[v].T @ H[v]) + 0.5 * lam * shared[:, None] * H[v]
            H[v] = H[v] * (above / np.maximum(below, _TINY)) ** 0.25
            products[v] = A_v @ H[v]
        history.add(_objective(squares, products, H, mask, lam))
    return H, history


def _objective(
    squares: list[float],
    products: list[NDArray[np.float64]],
    H: list[NDArray[np.float64]],
    mask: NDArray[np.bool_],
    lam: float,
) -> float:
    """norm(A - H H^T)^2 = norm(A)^2 - 2 tr(H^T A H) + norm(H^T H)^2, without an n x n matrix."""
    total = 0.0
    for v, H_v in enumerate(H):
        cross = float(np.einsum("ij,ij->", H_v, products[v]))
        total += squares[v] - 2 * cross + float(np.linalg.norm(H_v.T @ H_v) ** 2)
        for w in range(v):
            both = mask[:, v] & mask[:, w]
            total += lam * float(np.linalg.norm(H_v[both] - H[w][both]) ** 2)
    return total


def shared_start(A: Sequence[Square], mask: NDArray[np.bool_], k: int) -> NDArray[np.float64]:
    """(n, k) positive: the dominant sign part of the top eigenvectors of the mean affinity over the observing views.

    One start for all views, so that column c means the same cluster in each; no randomness, so the order of the
    samples does not matter. Cost O(V n^2 + n^2 k), 2 n^2.
    """
    total = np.zeros_like(A[0])
    for A_v in A:
        total += A_v
    seen = mask.astype(np.float64)
    total /= np.maximum(seen @ seen.T, 1.0)
    values, vectors = top_eigenvectors(total, k)
    positive, negative = np.maximum(vectors, 0), np.maximum(-vectors, 0)
    larger = np.linalg.norm(positive, axis=0) >= np.linalg.norm(negative, axis=0)
    H = np.where(larger, positive, negative) * np.sqrt(np.maximum(values, 0))
    # A zero stays zero under multiplicative updates: lift every entry a little.
    return np.asarray(H + 0.1 * H.mean() + 1e-6)


class CGC(SquareClusterer):
    """One nonnegative factor per view's graph, drawn together on the samples that two views share.

    Parameters
    ----------
    lam : weight of the agreement (1 in the original experiments and in those of MIC).
    sigma : of the edges exp(-d^2 / (2 sigma^2)); None: the median distance of the view's observed samples.
    max_iter : at most so many iterations. tol : the relative change of the objective at the end.

    Graphs are D^-1/2 K D^-1/2 over the observed samples, which puts both terms on one scale; the embedding of a
    sample is the mean of its rows of H_v over the views that observe it.
    """

    lam: NonNegative = 1.0
    sigma: Positive | None = None
    max_iter: Count = 300
    tol: NonNegative = 1e-6

    def squares(self, n_views: int) -> int:
        return n_views + 3

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        A = observed_graphs(data, self._graph)
        start = [shared_start(A, data.mask, n_clusters)] * data.n_views
        H, history = cgc(A, data.mask, start, Stopping(self.max_iter, self.tol, relative_to="old"), lam=self.lam)
        embedding = np.sum(H, axis=0) / data.mask.sum(axis=1, keepdims=True)
        return Representation(embedding=embedding, history=history)

    def _graph(self, view: View) -> Square:
        return symmetric_normalized(gaussian_similarity(view, self.sigma))
