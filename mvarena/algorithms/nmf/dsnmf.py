"""DMF-MVC, deep semi-nonnegative factorisation of several views (Zhao, Ding and Fu, AAAI 2017); D-SNMF elsewhere.

    min  sum_v a_v^gamma (|X_v - H Z_vm^T .. Z_v1^T|^2 + beta tr(H^T L_v H)),   H >= 0,   sum_v a_v = 1,

X_v (n, d_v), H (n, p) shared, L_v the Laplacian of a heat-kernel graph. The hidden H_vi of the published code enter
neither its objective nor any other update; they are left out here.

For each H the layers reach the least-squares basis (d_v, p), of rank p: hidden layers of p columns or more restrict
nothing, and only decide where the fine-tuning starts. A view counts by a_v^gamma, in proportion to
cost_v^(-gamma / (gamma - 1)) for its cost in the sum above: cost_v^-2 for gamma = 2, cost_v^-1.2 for gamma = 6.

The published code departs from the paper: each view updates its own last H before the shared ratio multiplies it, so H
is not shared; its objective takes norms unsquared; gamma = 0.1, below 1, where the formula for a_v is a maximum and
weighs worse views more. `dsnmf(shared=False)` is that form, number for number. The default shares H and takes
gamma = 6: every step lowers the objective for each gamma above 1, and near 1 the view of least cost, often that with
the fewest features, decides alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Gt, Le, MinLen
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

from mvarena.algorithms.nmf.filled_view import symmetric_neighbour_graph
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import gaussian, row_blocks, squared_distances
from mvarena.numerics.low_rank import thin_qr, without_surplus_columns
from mvarena.numerics.neighbours import nearest_rows
from mvarena.numerics.nmf import (
    FLOOR,
    negative_part,
    nndsvd,
    positive_part,
    ratio_step,
    side_by_side,
    squared_norm,
    squared_residual,
)
from mvarena.numerics.simplex import power_weights
from mvarena.system.threads import one_linear_algebra_thread

Array = NDArray[np.float64]

_PRETRAINING = 100
_HIDDEN = 100  # columns of the layer before the last, by default
# a triangular factor of at least this reciprocal condition number is inverted without its singular values
_CERTAIN = 1e-10


@dataclass(frozen=True, eq=False, slots=True)
class DSNMFResult:
    """Z : per view its layers (d_v, l1), (l1, l2), ..; H : (n, p) per view, one where shared. weights : a_v."""

    Z: list[list[Array]]
    H: list[Array]
    weights: Array
    history: History


def heat_kernel_graph(X: Any, n_neighbors: int) -> Any:
    """Symmetric (n, n) CSR: exp(-d^2 / (2 t^2)) between nearest samples, t the mean distance of all pairs.

    Time O(n^2 d), memory one block of rows.
    """
    n = X.shape[0]
    reach = sum(float(np.sqrt(squared_distances(X[rows], X)).sum()) for rows in row_blocks(n, n)) / n**2
    indices, squared = nearest_rows(X, X, n_neighbors + 1)
    return symmetric_neighbour_graph(indices, gaussian(squared, 2.0 * reach**2))


def update_layers(X: Any, Z: Sequence[Array], H: Array) -> tuple[list[Array], Array]:
    """The layers of one view, each at its least-squares optimum in turn, and their product (d, p).

    X : (n, d). Z : layers from the data inwards. H : (n, p).

    With H = Q R and T = X^T Q = P S, layer i is pinv(T A_i) T pinv(R B_i^T)^T, where T A_i is the product of the layers
    before and B_i that of those after it. Both pseudo-inverses come from matrices of p rows, S A_i and R B_i^T,
    whatever n and d are; those of H B_i^T and T A_i themselves, whose rank is below their width where a hidden layer is
    wider than the last, may invert what rounding adds. Cost O(nnz(X) p + (n + d) p^2).
    """
    Z = list(Z)
    Q, R = thin_qr(H)
    inner = [R]
    for layer in Z[:0:-1]:
        inner.append(inner[-1] @ layer.T)
    fits = [linalg.pinv(hidden, check_finite=False).T for hidden in reversed(inner)]
    T, outer = np.asarray(X.T @ Q), fits[0]
    Z[0] = T @ outer
    S = thin_qr(T)[1] if len(Z) > 1 else None
    for i, fit in enumerate(fits[1:], 1):
        Z[i] = linalg.pinv(S @ outer, check_finite=False) @ (S @ fit)
        outer = outer @ Z[i]
    return Z, T @ outer


def halves(product: Array, gram: Array, H: Array) -> tuple[Array, Array]:
    """Attracting and repelling terms for H (n, p) in |X - H D^T|^2: the two halves of semi-NMF.

    product : (n, p) X D for the basis D. gram : (p, p) D^T D.
    """
    attracting = positive_part(product) + H @ negative_part(gram)
    return attracting, negative_part(product) + H @ positive_part(gram)


def least_squares_basis(X: Any, H: Array) -> Array:
    """(d, p) the basis D of least |X - H D^T|, the shortest where H (n, p) leaves a choice."""
    Q, R = thin_qr(H)
    T = np.asarray(X.T @ Q)
    if lapack.dtrcon(R)[0] > _CERTAIN:
        return np.asarray(linalg.solve_triangular(R, T.T, check_finite=False).T)
    return T @ linalg.pinv(R, check_finite=False).T


def semi_nmf(X: Any, H: Array, steps: int) -> tuple[Array, Array]:
    """Z (d, p) and H (n, p) >= 0 of min |X - H Z^T|^2 from a start of H (Ding, Li and Jordan 2010).

    Cost per step O(n min(n, d) p), or O(nnz(X) p) where X is sparse, and O((n + d) p^2).
    """
    rotated = without_surplus_columns(X)
    for _ in range(steps):
        basis = least_squares_basis(rotated, H)
        H = ratio_step(H, *halves(np.asarray(rotated @ basis), basis.T @ basis, H), root=True)
    return least_squares_basis(X, H), H


def view_costs(
    products: Sequence[Array],
    norms: Sequence[float],
    bases: Sequence[Array],
    H: Sequence[Array],
    graphs: Sequence[Any],
    beta: float,
    *,
    squared: bool,
) -> Array:
    """(n_views,) residual (squared or not) plus beta tr(H^T L H) of each view; products : X_v times its basis."""
    costs = []
    for product, norm, basis, h, graph in zip(products, norms, bases, H, graphs, strict=True):
        residual = squared_residual(norm, product, h, basis)
        smoothness = float(np.vdot(h, graph.sum(axis=1)[:, None] * h - graph @ h))
        costs.append((residual if squared else np.sqrt(residual)) + beta * smoothness)
    return np.array(costs)


def dsnmf(
    views: Sequence[Any],
    graphs: Sequence[Any],
    Z: Sequence[Sequence[Array]],
    H: Sequence[Array],
    stopping: Stopping,
    *,
    beta: float,
    gamma: float,
    shared: bool = True,
) -> DSNMFResult:
    """The fine-tuning from explicit starts.

    Parameters
    ----------
    views : (n, d_v), dense or CSR, any sign. graphs : (n, n) CSR. Z : layers per view. H : (n, p) >= 0 per view.
    shared : one H for all views (the first is taken) and squared norms; otherwise the published code's form.

    With `shared` and gamma > 1 the objective never rises. Cost per iteration: O(sum_v nnz(X_v) p + (n + d) p^2).
    """
    stacks, H = [list(layers) for layers in Z], [H[0] for _ in views] if shared else list(H)
    norms = [squared_norm(X) for X in views]
    bases: list[Array] = [np.empty(0)] * len(views)
    products = list(bases)
    weights = np.full(len(views), 1.0 / len(views))
    history = History(stopping)
    while not history.ended:
        attracting, repelling = np.zeros_like(H[0]), np.zeros_like(H[0])
        for v, X in enumerate(views):
            stacks[v], bases[v] = update_layers(X, stacks[v], H[v])
            products[v], gram = np.asarray(X @ bases[v]), bases[v].T @ bases[v]
            degrees, before = graphs[v].sum(axis=1)[:, None], H[v]
            if not shared:
                H[v] = ratio_step(H[v], *halves(products[v], gram, H[v]), root=True)
            plus, minus = halves(products[v], gram, H[v])
            attracting += weights[v] ** gamma * (plus + beta * (graphs[v] @ before))
            repelling += weights[v] ** gamma * np.maximum(minus + beta * degrees * before, FLOOR)
        H = [ratio_step(h, attracting, repelling, root=True, floor=0.0) for h in H]
        costs = view_costs(products, norms, bases, H, graphs, beta, squared=shared)
        if shared:
            weights = power_weights(costs, gamma, np.finfo(float).eps)
        history.add(float(weights**gamma @ costs))
        if not shared:
            weights = power_weights(costs, gamma, np.finfo(float).eps)
    return DSNMFResult(stacks, H, weights, history)


def pretrained(views: Sequence[Any], layers: Sequence[int]) -> tuple[list[list[Array]], Array]:
    """Layers per view and H (n, p), by semi-NMF layer after layer with hidden layers that the views share.

    Each starts from the nonnegative parts of leading singular vectors, so nothing is drawn at random.
    """
    X = side_by_side(views)
    ends = np.cumsum([view.shape[1] for view in views])[:-1]
    stacks: list[list[Array]] = [[] for _ in views]
    for i, size in enumerate(layers):
        H = nndsvd(X, size, fill="mean")[0]
        layer, H = semi_nmf(X, H, _PRETRAINING)
        for stack, part in zip(stacks, np.split(layer, ends) if i == 0 else [layer] * len(views), strict=True):
            stack.append(part)
        X = H
    return stacks, X


class DSNMF(MultiViewClusterer):
    """Deep semi-nonnegative matrix factorisation of several views (Zhao et al. 2017): k-means on the shared H.

    Parameters
    ----------
    layers : columns of each layer, at most the number of samples and of features in all views together. None: 100, then
        k, so that the shared H has a column for each cluster. One layer of k columns starts without the hidden one, in
        less than half of the time; it ends nearer to the classes on some data and further on others. Wider last
        layers, such as the (100, 50) that a comparison took for data with thousands of features, fit noise where there
        are few: of two views with 40 features each of well separated groups, (100, 50) finds 43 % of the samples and
        (100, k) 96 % (tests/algorithms/test_dsnmf.py has the case).
    beta : weight of the graphs (0.01 in the published code).
    gamma : exponent of the view weights, above 1 and at most 100, where cost_v^-1.01 is as good as its limit.
    n_neighbors : of the graphs (5).
    max_iter : iterations of the fine-tuning. tol : the relative change of the objective at its end.

    Takes values of either sign.
    """

    layers: Annotated[Sequence[Count], MinLen(1)] | None = None
    beta: NonNegative = 0.01
    gamma: Annotated[float, Gt(1), Le(100)] = 6.0
    n_neighbors: Count = 5
    max_iter: Count = 100
    tol: NonNegative = 1e-5

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = [view.matrix for view in data.views]
        widest = min(data.n_samples, sum(view.n_features for view in data.views))
        layers = self.layers or (max(_HIDDEN, n_clusters), n_clusters)
        stopping = Stopping(self.max_iter, self.tol)
        # hundreds of decompositions of a hundred columns, in which a second thread is waited for
        with one_linear_algebra_thread():
            Z, H = pretrained(views, [min(size, widest) for size in layers])
            graphs = [heat_kernel_graph(X, self.n_neighbors) for X in views]
            rotated = [without_surplus_columns(X) for X in views]
            result = dsnmf(rotated, graphs, Z, [H] * len(views), stopping, beta=self.beta, gamma=self.gamma)
        return Representation(embedding=result.H[0], history=result.history, details={"view_weights": result.weights})
