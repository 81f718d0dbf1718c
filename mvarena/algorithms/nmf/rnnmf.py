"""rNNMF: robust neighbouring constraint factorisation (Chen, Li, Wang and Pan, 2019).

Eq. 4, per view:  min  |X - W H|_{2,1} + alpha |H R|_{2,1},   W, H >= 0,

where column j of H R is the difference between sample j and its nearest neighbour. The text calls one weight alpha and
sigma. X is (n, d) here and H (n, p): rows are the paper's columns. R has two entries per sample, so with N(j) the
neighbour of j and D2 diagonal, Eq. 10 needs no matrix product with R:

    H R_a: d2_j h_N(j)      H R_b: sum of d2_j h_j over j with N(j) = i
    H R_d: d2_j h_j         H R_c: h_i times the sum of d2_j over j with N(j) = i     (one neighbour each: diagonal)

Eq. 12 has no square root and Eq. 10 has one: as printed, both lower the objective, and so does taking the neighbours
anew, each being the one that makes its term smallest. But they may stall: d2 is 1 / |h_N(j) - h_j|, so samples that
come close weigh so much that later steps leave them where they are, and twins never move at all. Below a share of the
mean length of a row, `smoothing`, the term can therefore be made quadratic (Huber's function, whose weight is bounded).

The final graph has an edge of weight 1 between a sample and each of its k nearest ones, in either direction: with the
paper's heat kernel (sigma = 2) weights are all but equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.nmf.filled_view import symmetric_neighbour_graph
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.neighbours import nearest_other_row, nearest_rows
from mvarena.numerics.nmf import nndsvd, ratio_step
from mvarena.numerics.scaling import scale_rows

Array = NDArray[np.float64]

# a residual of length 0 would weigh infinitely; this is far below any that matters
_SHORTEST = 1e-10


@dataclass(frozen=True, eq=False, slots=True)
class RNNMFResult:
    """W (d, p), H (n, p). history : Eq. 4, smoothed, from the start on."""

    W: Array
    H: Array
    history: History


def residual_lengths(norms: Array, product: Array, W: Array, H: Array) -> Array:
    """(n,) |x_i - W h_i| from norms |x_i|^2 and product X W (n, p). Cost O(n p^2)."""
    squared = norms - 2.0 * (product * H).sum(axis=1) + ((H @ (W.T @ W)) * H).sum(axis=1)
    return np.sqrt(np.maximum(squared, 0.0))


class RNNMFState:
    """W (d, p) and H (n, p), with what the next step and the objective both need: X W (n, p) and |x_i - W h_i| (n,).

    norms : (n,) |x_i|^2.
    """

    def __init__(self, W: Array, H: Array, product: Array, norms: Array) -> None:
        self.W, self.H, self.product, self.norms = W, H, product, norms
        self.residuals = residual_lengths(norms, product, W, H)


def neighbour_terms(H: Array, neighbour: NDArray[np.int64], d2: Array) -> tuple[Array, Array]:
    """H (R_a + R_b) and H (R_c + R_d) of Eq. 10, each (n, p); d2 (n,) is the diagonal of D2. Cost O(n p)."""
    n = len(H)
    gathered = sparse.csr_array((d2, (neighbour, np.arange(n))), shape=(n, n)) @ H
    attracting = d2[:, None] * H[neighbour] + gathered
    chosen = np.bincount(neighbour, weights=d2, minlength=n)
    return attracting, (chosen + d2)[:, None] * H


def gap_lengths(H: Array, neighbour: NDArray[np.int64]) -> Array:
    """(n,) |h_N(j) - h_j|, the column lengths of H R."""
    return np.asarray(np.linalg.norm(H[neighbour] - H, axis=1))


def smoothed_sum(lengths: Array, shortest: float) -> float:
    """The sum of Huber's function of lengths (n,): themselves from `shortest` on, quadratic below it."""
    return float(np.where(lengths < shortest, (lengths**2 / shortest + shortest) / 2, lengths).sum())


def step(
    X: Any,
    state: RNNMFState,
    neighbour: NDArray[np.int64],
    alpha: float,
    shortest: float = _SHORTEST,
) -> RNNMFState:
    """W by Eq. 12 (no root), then H by Eq. 10 (root), with |h_N(j) - h_j| at least `shortest` in D2.

    Cost O(nnz(X) p + (n + d) p^2): two products with X.
    """
    W, H, norms = state.W, state.H, state.norms
    d1 = 1.0 / np.maximum(state.residuals, _SHORTEST)
    weighted = d1[:, None] * H
    W = ratio_step(W, np.asarray(X.T @ weighted), W @ (H.T @ weighted), root=False)  # Eq. 12
    product = np.asarray(X @ W)
    d1 = 1.0 / np.maximum(residual_lengths(norms, product, W, H), _SHORTEST)
    d2 = 1.0 / np.maximum(gap_lengths(H, neighbour), shortest)
    attracting, repelling = neighbour_terms(H, neighbour, d2)
    attracting = d1[:, None] * product + alpha * attracting
    repelling = d1[:, None] * (H @ (W.T @ W)) + alpha * repelling
    return RNNMFState(W, ratio_step(H, attracting, repelling, root=True), product, norms)  # Eq. 10


def rnnmf(X: Any, W: Array, H: Array, stopping: Stopping, *, alpha: float, smoothing: float = 0.0) -> RNNMFResult:
    """Algorithm 1 for one view from explicit starts.

    Parameters
    ----------
    X : (n, d) nonnegative, dense or CSR. W : (d, p), H : (n, p) nonnegative starts. alpha : the neighbours' weight.
    smoothing : the share of the mean length of the rows of the start H below which a difference counts quadratically.

    The neighbours are those in X at first and those in H from then on. The (smoothed) objective never rises. Cost per
    iteration: O(nnz(X) p + (n + d) p^2 + n^2 p); no n x n matrix.
    """
    state = RNNMFState(W, H, np.asarray(X @ W), squared_norms(X))
    neighbour = nearest_other_row(X)
    shortest = max(smoothing * float(np.linalg.norm(H, axis=1).mean()), _SHORTEST)

    def objective() -> float:
        return float(state.residuals.sum() + alpha * smoothed_sum(gap_lengths(state.H, neighbour), shortest))

    history = History(stopping, start=objective())
    while not history.ended:
        state = step(X, state, neighbour, alpha, shortest)
        neighbour = nearest_other_row(state.H)  # Eq. 2
        history.add(objective())
    return RNNMFResult(state.W, state.H, history)


def neighbour_cut_graph(H: Array, n_neighbors: int) -> sparse.csr_array:
    """Symmetric CSR (n, n) with 1 where one of two samples is among the `n_neighbors` nearest of the other."""
    indices, _ = nearest_rows(H, H, n_neighbors + 1)
    return symmetric_neighbour_graph(indices, np.ones(indices.shape))


class RNNMF(MultiViewClusterer):
    """Robust neighbouring constraint NMF (Chen et al. 2019): a cut of the graph of nearest representations.

    Parameters
    ----------
    alpha : weight of the neighbours (the paper's sigma: .1 for digits, .05 for 3Sources, .001 for Washington).
    n_components : p, the columns of each view's H (60 in the paper, 20 for 3Sources and Washington), at most what
        the view's shape allows.
    n_neighbors : k of the final graph (5; 7 for Washington).
    smoothing : see the module; 0, the default, is Eq. 10 as printed, and 0.01 keeps close samples moving.
    scale : "maximum" divides each view by its largest entry, "none" leaves it. The paper does not say.
    max_iter : iterations per view. tol : the relative change of the objective at the end.
    """

    alpha: NonNegative = 0.1
    n_components: Count = 60
    n_neighbors: Count = 5
    smoothing: NonNegative = 0.0
    scale: Literal["maximum", "none"] = "maximum"
    max_iter: Count = 100
    tol: NonNegative = 1e-6

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        del n_clusters
        values = [self._factorised(view.matrix) for view in data.views]
        H = np.hstack([result.H for result in values])  # Eq. 20
        histories = [(view.name, result.history) for view, result in zip(data.views, values, strict=True)]
        return Representation(
            affinity=neighbour_cut_graph(H, self.n_neighbors),
            history=History.joined(histories),
            details={"representation": H},
            by_sample={"representation": (0,)},
        )

    def _factorised(self, X: Any) -> RNNMFResult:
        largest = float(X.max())
        if self.scale == "maximum" and largest > 0:
            X = scale_rows(X, np.full(X.shape[0], 1.0 / largest))
        H, W = nndsvd(X, min(self.n_components, *X.shape))
        return rnnmf(X, W, H, Stopping(self.max_iter, self.tol), alpha=self.alpha, smoothing=self.smoothing)
