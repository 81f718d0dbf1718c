"""OPMC: one-pass multi-view clustering for large-scale data (Liu et al., ICCV 2021).

    min  sum_v b_v |X_v - Y C_v W_v|^2,   W_v W_v^T = I,

over the clusters Y (n, k), an indicator, C_v (k, k), W_v (k, d_v) with orthonormal rows, and weights b_v = g_v^2 with g
on the simplex. Each step is the exact minimiser, so the objective never rises. It matches the authors' program from its
start.

Departures. In the program the update of the weights is commented out, and b_v is 1 / V, the default here: `weighting`.
It takes the best of 100 random starts; here Y starts at k-means clusters of a low-rank fit of all views, or at the best
of several random ones (`start`). A cluster that empties keeps a centre of zeros, as there. A view with fewer than k
features counts as one with further features that are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.bandwidth import mean_length_one
from mvarena.algorithms.nmf.masked_start import masked_clusters
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import squared_norm
from mvarena.numerics.polar import completed_polar
from mvarena.numerics.simplex import inverse_weights
from mvarena.system.threads import one_linear_algebra_thread

Array = NDArray[np.float64]
Weighting: TypeAlias = Literal["learned", "equal"]

# A view that clusters fit to less than this share of |X_v|^2 weighs as if they left that much. Beside a weight near 1
# the others' would vanish in its rounding, and rounding would choose among clusters that it cannot tell apart.
_FITTED = 1e-5


@dataclass(frozen=True, eq=False, slots=True)
class Centres:
    """C (k, k) and W (max(d, k), k), the transpose of the equations' W_v: the centres of a view are C W^T."""

    C: Array
    W: Array

    @property
    def squares(self) -> Array:
        """(k,) the squared lengths of the centres; a start's W need not be orthonormal."""
        return np.asarray(np.einsum("ij,jl,il->i", self.C, self.W.T @ self.W, self.C))

    def rows(self, d: int) -> Array:
        """(k, d) the centres, in the view's own features."""
        return np.asarray(self.C @ self.W[:d].T)


@dataclass(frozen=True, eq=False, slots=True)
class OnePassClusters:
    """labels : (n,). weights : (V,) b. history : the objective, that of the start first."""

    labels: NDArray[np.int64]
    weights: Array
    history: History


def opmc(
    views: Sequence[Any],
    labels: NDArray[np.int64],
    centres: Sequence[Centres],
    stopping: Stopping,
    *,
    weighting: Weighting = "equal",
) -> OnePassClusters:
    """OPMC from clusters (n,) and the views' C and W, for views (n, d_v), dense or CSR.

    weighting : b_v = 1 / V ("equal"), or updated after each step ("learned"; b starts at 1 / V^2). What is learned is
        the minimum, save for views of which the clusters leave less than 1e-5.
    Cost O(sum_v nnz(X_v) k + sum_v d_v k^2) per iteration, memory O(n k + sum_v d_v k).
    """
    k, n_views = len(centres[0].C), len(views)
    norms = np.array([squared_norm(X) for X in views])
    b = np.full(n_views, 1.0 / n_views if weighting == "equal" else 1.0 / n_views**2)
    sums, counts = _sums(views, labels, k)
    history = History(stopping, start=float(b @ _residuals(norms, sums, counts, centres)))
    while not history.ended:
        centres = [_updated(total, counts, item) for total, item in zip(sums, centres, strict=True)]
        labels = _nearest(views, centres, b)
        sums, counts = _sums(views, labels, k)
        residuals = _residuals(norms, sums, counts, centres)
        if weighting == "learned":
            b = inverse_weights(np.maximum(residuals, _FITTED * norms)) ** 2
        history.add(float(b @ residuals))
    return OnePassClusters(labels, b, history)


def _sums(views: Sequence[Any], labels: NDArray[np.int64], k: int) -> tuple[list[Array], Array]:
    """Y^T X_v (k, d_v) per view, and the sizes (k,) of the clusters."""
    Y = np.eye(k)[labels]
    return [np.asarray(X.T @ Y).T for X in views], Y.sum(axis=0)


def _updated(total: Array, counts: Array, old: Centres) -> Centres:
    """W, then C, for Y^T X (k, d)."""
    d = total.shape[1]
    product = np.zeros_like(old.W)
    product[:d] = total.T @ old.C
    W = completed_polar(product, old.W)
    return Centres((total @ W[:d]) / np.maximum(counts, 1.0)[:, None], W)


def _nearest(views: Sequence[Any], centres: Sequence[Centres], b: Array) -> NDArray[np.int64]:
    """(n,) the cluster with the nearest centre."""
    costs = np.zeros((views[0].shape[0], len(centres[0].C)))
    for X, item, weight in zip(views, centres, b, strict=True):
        rows = item.rows(X.shape[1])
        costs += weight * (np.square(item.C).sum(axis=1) - 2.0 * np.asarray(X @ rows.T))
    return np.argmin(costs, axis=1)


def _residuals(norms: Array, sums: Sequence[Array], counts: Array, centres: Sequence[Centres]) -> Array:
    """(V,) |X_v - Y C_v W_v|^2, at least 0."""
    values = [
        norm - 2.0 * float(np.vdot(total, item.rows(total.shape[1]))) + float(counts @ item.squares)
        for norm, total, item in zip(norms, sums, centres, strict=True)
    ]
    return np.maximum(values, 0.0)


class OPMC(MultiViewClusterer):
    """Clusters of all views at once, each view with its own centres in a space of k dimensions.

    Parameters
    ----------
    weighting : of the views: "equal", b_v = 1 / V, as in the authors' program; "learned", as in the paper, in
        proportion to 1 / |X_v - Y C_v W_v|^4. A view that clusters fit well since it has few features, or few different
        rows, then decides, whether or not its groups are those sought; where it is constant, or its groups are fewer
        than k, the other views decide what it leaves open. Views count as scaled by one number each, so that their rows
        have unit length on average.
    start : "clusters": k-means on a low-rank fit of all views; "random": clusters drawn at random.
    n_starts : how many random starts, of which the one that ends lowest is taken.
    tol, max_iter : they end, from the third iteration on, where the objective changes by this share of itself, or after
        so many iterations.

    It ends in labels.
    """

    weighting: Weighting = "equal"
    start: Literal["clusters", "random"] = "clusters"
    n_starts: Count = 100
    tol: NonNegative = 1e-5
    max_iter: Count = 100

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        # rounding decides between centres that are equally near, and a second thread rounds otherwise
        with one_linear_algebra_thread():
            views = mean_length_one(data)
            stopping = Stopping(self.max_iter, self.tol, relative_to="old", earliest=3)
            runs = (
                opmc(views, labels, self._centres(views, labels, n_clusters), stopping, weighting=self.weighting)
                for labels in self._starts(data, views, n_clusters)
            )
            values = min(runs, key=lambda run: float(run.history.objective[-1]))
        return Representation(labels=values.labels, history=values.history, details={"weights": values.weights})

    def _starts(self, data: MultiViewData, views: list[Any], k: int) -> list[NDArray[np.int64]]:
        if self.start == "clusters":
            return [masked_clusters(views, data.mask, k)]
        position = np.argsort(canonical_order(*views))
        drawn = np.random.default_rng(self.random_state).integers(0, k, (self.n_starts, data.n_samples))
        return list(drawn[:, position])

    def _centres(self, views: list[Any], labels: NDArray[np.int64], k: int) -> list[Centres]:
        """The centres of the clusters, with W the space nearest to them."""
        sums, counts = _sums(views, labels, k)
        result = []
        for total in sums:
            product = np.zeros((max(total.shape[1], k), k))
            product[: total.shape[1]] = (total / np.maximum(counts, 1.0)[:, None]).T
            W = completed_polar(product, np.eye(*product.shape))
            result.append(Centres(product.T @ W, W))
        return result
