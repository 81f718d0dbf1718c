"""The methods with orthonormal anchors: X_v near Z A_v^T, rows of Z on the simplex, weighted views.

Arrays have samples as rows: X_v (n, d_v) is zero where the view misses the sample, Z (n, m), A_v (d_v, m). Sparse views
are only ever multiplied by thin matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.bandwidth import mean_length_one
from mvarena.algorithms.nmf.masked_start import masked_clusters
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import leading_singular_triples, squared_norm
from mvarena.numerics.polar import completed_polar
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import inverse_weights

Array = NDArray[np.float64]
Start: TypeAlias = Literal["clusters", "first"]
Weighting: TypeAlias = Literal["squared", "norm"]


class IncompleteViews:
    """V matrices (n, d_v) with zero rows where `mask` (n, V) is False, and what is computed of them but once."""

    def __init__(self, matrices: Sequence[Any], mask: NDArray[np.bool_]) -> None:
        self.matrices = list(matrices)
        self.mask = mask
        self.norms = np.array([squared_norm(X) for X in matrices])

    @classmethod
    def of(cls, data: MultiViewData) -> IncompleteViews:
        return cls(mean_length_one(data), data.mask)

    def times(self, A: Sequence[Array]) -> list[Array]:
        """X_v A_v (n, m). Rows of A_v beyond the view's features meet features that are zero."""
        return [np.asarray(X @ a[: X.shape[1]]) for X, a in zip(self.matrices, A, strict=True)]

    def transposed_times(self, v: int, Z: Array) -> Array:
        """X_v^T Z (d_v, m), with zero features added where the view has fewer than m."""
        product = np.asarray(self.matrices[v].T @ Z)
        return np.vstack([product, np.zeros((max(0, Z.shape[1] - len(product)), Z.shape[1]))])

    def residuals(self, products: Sequence[Array], Z: Sequence[Array]) -> Array:
        """(V,) |X_v - diag(m_v) Z_v A_v^T|^2 from the products X_v A_v, at least 0."""
        result = np.empty(len(self.matrices))
        for v, (product, z) in enumerate(zip(products, Z, strict=True)):
            seen = np.square(z).sum(axis=1) @ self.mask[:, v]
            result[v] = max(self.norms[v] - 2.0 * float(np.vdot(product, z)) + float(seen), 0.0)
        return result

    def leading_directions(self, m: int) -> list[Array]:
        """Per view (max(d_v, m), m) its leading right singular vectors; zero columns beyond its rank."""
        result = []
        for X in self.matrices:
            right = leading_singular_triples(X, m)[2]
            result.append(np.zeros((max(X.shape[1], m), m)))
            result[-1][: len(right), : right.shape[1]] = right
        return result


@dataclass(frozen=True, eq=False, slots=True)
class AnchorGraph:
    """Z : (n, m) rows on the simplex. weights : (V,) a. history : the objective."""

    Z: Array
    weights: Array
    history: History

    def represented_by(self, embedding: Array) -> Representation:
        """The embedding (n, p), with the anchor graph and the weights of the views as details."""
        details = {"weights": self.weights, "anchor_graph": self.Z}
        by_sample = {"anchor_graph": (0,)}
        return Representation(embedding=embedding, history=self.history, details=details, by_sample=by_sample)


def shared_rows(views: IncompleteViews, products: Sequence[Array], weights: Array, ridge: float) -> Array:
    """Z (n, m): the exact minimiser over the simplex of sum_v a_v^2 |x_vi - A_v z_i|^2 m_vi + ridge |z_i|^2."""
    total = weights[0] ** 2 * products[0]
    for product, weight in zip(products[1:], weights[1:], strict=True):
        total += weight**2 * product
    total /= (views.mask @ weights**2 + ridge)[:, None]
    return project_simplex_rows(total)


def anchor_graph(
    views: IncompleteViews,
    Z: Array,
    bases: Callable[[Array, Array], Sequence[Array]],
    stopping: Stopping,
    *,
    ridge: float = 0.0,
    weighting: Weighting = "squared",
    rows: Callable[[IncompleteViews, Sequence[Array], Array, float], Array] = shared_rows,
) -> AnchorGraph:
    """min sum_v a_v^2 |X_v - diag(m_v) Z A_v^T|^2 + ridge |Z|^2, from a graph Z (n, m) and equal weights a.

    Parameters
    ----------
    bases : the step of A_v (d_v, m), given Z and a: anchors of each view's own, or of a space that the views share.
    weighting : a_v proportional to 1 / residual^2 ("squared", the minimiser) or to 1 / residual ("norm").
    rows : the step of Z, given the products X_v A_v, a and the ridge.

    Cost O(m sum_v nnz(X_v) + n V m log m) per iteration and that of the bases, memory O(n V m).
    """
    n_views = len(views.matrices)
    weights = np.full(n_views, 1.0 / n_views)
    history = History(stopping)
    while not history.ended:
        products = views.times(bases(Z, weights))
        Z = rows(views, products, weights, ridge)
        residuals = views.residuals(products, [Z] * n_views)
        weights = inverse_weights(residuals if weighting == "squared" else np.sqrt(residuals))
        history.add(float(weights**2 @ residuals) + ridge * float(np.square(Z).sum()))
    return AnchorGraph(Z, weights, history)


def anchor_bases(views: IncompleteViews, Z: Sequence[Array], near: Sequence[Array]) -> list[Array]:
    """A_v = the orthonormal columns (d_v, m) that fit best, polar(X_v^T Z_v); what is left open is as in `near`."""
    return [completed_polar(views.transposed_times(v, z), near[v]) for v, z in enumerate(Z)]


class SharedSpace:
    """Bases A_v = W_v A of projections W_v (d_v, d) and anchors A (d, m), both with orthonormal columns.

    Each step takes W_v = polar(X_v^T Z A^T), then A = polar(sum a_v^2 W_v^T X_v^T Z); what is left open stays as it
    was. Cost O(m sum_v nnz(X_v) + d m sum_v d_v).
    """

    def __init__(self, views: IncompleteViews, W: Sequence[Array], A: Array) -> None:
        self.views, self.W, self.A = views, list(W), A

    @classmethod
    def started(cls, views: IncompleteViews, d: int, m: int, start: Start | Literal["program"]) -> SharedSpace:
        """A = 0 and W_v columns of the identity for the "program"; else A = I and the views' leading directions."""
        if start == "program":
            return cls(views, [np.eye(max(X.shape[1], d), d) for X in views.matrices], np.zeros((d, m)))
        return cls(views, views.leading_directions(d), np.eye(d, m))

    def __call__(self, Z: Array, weights: Array) -> list[Array]:
        products = [self.views.transposed_times(v, Z) for v in range(len(self.W))]
        pairs = zip(products, self.W, strict=True)
        self.W = [completed_polar(_tall(product @ self.A.T, w), w) for product, w in pairs]
        crossed = sum(a**2 * w[: len(p)].T @ p for a, w, p in zip(weights, self.W, products, strict=True))
        near = self.A if self.A.any() else np.eye(*self.A.shape)
        self.A = completed_polar(np.asarray(crossed), near)
        return [w @ self.A for w in self.W]


def _tall(product: Array, like: Array) -> Array:
    """The product with rows of zeros below, as many as `like` has more."""
    return np.vstack([product, np.zeros((len(like) - len(product), product.shape[1]))])


class SortedFromClusters:
    """`canonical` of a method: samples are sorted by their values, unless it starts from the first as given."""

    def __get__(self, instance: Any, owner: Any) -> bool:
        """True for the class, and for an instance whose `start` is "clusters"."""
        del owner
        return instance is None or bool(instance.start == "clusters")


def first_graph(views: IncompleteViews, m: int, start: Start | Literal["program"]) -> Array:
    """Z (n, m) with one 1 in some rows, and zeros elsewhere: the first anchors are means of the rows of a column.

    start : "clusters": of the m k-means clusters of a low-rank fit of what the views observe, as DAIMC starts here.
        Else of one sample each, the first m, as the published programs.
    """
    n = len(views.mask)
    Z = np.zeros((n, m))
    if start == "clusters":
        Z[np.arange(n), masked_clusters(views.matrices, views.mask, min(m, n))] = 1.0
    else:
        rows = np.arange(min(m, n))
        Z[rows, rows] = 1.0
    return Z
