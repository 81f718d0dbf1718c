"""DAIMC: doubly aligned incomplete multi-view clustering (Hu and Chen, IJCAI 2018).

    min  sum_v |W_v (X_v - V U_v^T)|^2 + alpha (|B_v^T U_v - I|^2 + beta |B_v|_{2,1}),   V >= 0,

with X_v (n, d_v) and W_v zero for missing samples, one otherwise: one V (n, k) for all views, U_v and B_v (d_v, k)
free. The solver matches the authors' code number for number, without any d x d matrix: the Sylvester equation for
U_v and the inverse for B_v only involve matrices of rank k. Two features of that code are kept because they belong
to the solution: the columns of V are rescaled to sum 1 after each V step (U_v takes the scale), and the L2,1 norm is
smoothed by 1e-10. The rescaling changes the alignment term, so the objective may rise a little; `rescale=False`
leaves it out, and then the (smoothed) objective never rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.algorithms.nmf.masked_start import masked_clusters
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import negative_part, positive_part, ratio_step, squared_norm, squared_residual
from mvarena.numerics.row_blocks import RowBlocks

Array = NDArray[np.float64]

_SMOOTHING = 1e-10
# directions of V that a view's observed samples do not tell apart: far below what a solution has, far above rounding
_RANK_TOLERANCE = 1e-12
_START_RANK = 1e-6
_V_STOPPING = Stopping(30, 1e-4, relative_to="old")


@dataclass(frozen=True, eq=False, slots=True)
class DAIMCResult:
    """U : (d_v, k) per view. V : (n, k). history : the objective after each iteration."""

    U: list[Array]
    V: Array
    history: History


def update_U(product: Array, gram: Array, B: Array, alpha: float) -> Array:
    """U (d, k) solving alpha B B^T U + U G = P + alpha B, for P = X^T W V (d, k) and G = V^T W V (k, k).

    In the span of B the equation is k x k, and orthogonal to it U G = P. Where G is singular (an empty column of V, or
    columns that agree on the observed samples), P is zero but for rounding and is taken for zero, and what B leaves
    open as well gets the minimum-norm solution. Cost O(d k^2).
    """
    Q, R = np.linalg.qr(B)
    values, rotation = linalg.eigh(gram)
    values = _without_noise(values)
    strengths, axes = linalg.eigh(R @ R.T)
    rotated = np.where(values > 0, product @ rotation, 0.0)
    inner = Q.T @ rotated
    outside = np.divide(rotated - Q @ inner, values, out=np.zeros_like(rotated), where=values > 0)
    right = axes.T @ (inner + alpha * (R @ rotation))
    total = alpha * _without_noise(strengths)[:, None] + values
    inside = np.divide(right, total, out=np.zeros_like(right), where=total > 0)
    return np.asarray((outside + Q @ (axes @ inside)) @ rotation.T)


def _without_noise(values: Array) -> Array:
    """Eigenvalues of a positive semi-definite matrix, zero where they are no more than rounding."""
    return np.where(values > _RANK_TOLERANCE * values.max(initial=0.0), values, 0.0)


def update_V(products: Sequence[Array], grams: Sequence[Array], masks: Sequence[Array], norm: float, V: Array) -> Array:
    """V (n, k) >= 0 by at most 30 multiplicative steps, until the data term settles to 1e-4.

    products : X_v U_v (n, k), zero where missing. grams : U_v^T U_v. masks : (n, 1) 1 where observed.
    norm : sum_v |X_v|^2. Every step lowers the data term. Cost O(V n k^2) per step, in one pass over the rows.
    """
    V = np.array(V, order="C")
    blocks = RowBlocks([V], V.shape[1])
    attracting = sum(positive_part(p) for p in products)
    repelling = sum(negative_part(p) for p in products)
    rows = [blocks.of(array) for array in (V, sum(products), attracting, repelling, *masks)]
    step = partial(_move_rows, grams=[(g, positive_part(g), negative_part(g)) for g in grams])
    history = History(_V_STOPPING)
    with blocks.side_by_side() as summed:
        while not history.ended:
            shared, fitted = summed(step, *rows)
            history.add(norm - 2.0 * shared + fitted)
    return V


def _move_rows(
    V: Array, product: Array, attracting: Array, repelling: Array, *masks: Array, grams: Sequence[tuple[Array, ...]]
) -> tuple[float, float]:
    """One multiplicative step of rows of V (b, k), in place; then <P, V> and sum_v |W_v V U_v^T|^2.

    product : P, the sum of the views' X_v U_v. attracting, repelling : those of their positive and negative parts.
    grams : per view U_v^T U_v, its positive part and its negative part.
    """
    plus = sum(m * (V @ positive) for m, (_, positive, _) in zip(masks, grams, strict=True))
    minus = sum(m * (V @ negative) for m, (_, _, negative) in zip(masks, grams, strict=True))
    V[:] = ratio_step(V, attracting + minus, repelling + plus, root=True)
    fitted = sum(float(np.vdot(m * V, V @ gram)) for m, (gram, _, _) in zip(masks, grams, strict=True))
    return float(np.vdot(product, V)), fitted


def update_B(U: Array, scales: Array, beta: float) -> Array:
    """B (d, k) = (U U^T + beta/2 D)^-1 U for D = diag(1 / scales), by the k x k form. Cost O(d k^2)."""
    weighted = (2.0 / beta) * scales[:, None] * U
    return np.asarray(np.linalg.solve(U.T @ weighted + np.eye(U.shape[1]), weighted.T).T)


def smoothed_lengths(B: Array) -> Array:
    """(d,) sqrt(|b|^2 + 1e-10) of the rows of B: their sum is the smoothed L2,1 norm."""
    return np.sqrt(np.square(B).sum(axis=1) + _SMOOTHING)


def daimc(
    views: Sequence[Any],
    mask: NDArray[np.bool_],
    U: Sequence[Array],
    V: Array,
    B: Sequence[Array],
    stopping: Stopping,
    *,
    alpha: float,
    beta: float,
    rescale: bool = True,
) -> DAIMCResult:
    """Algorithm 1 from explicit starts.

    Parameters
    ----------
    views : (n, d_v), dense or CSR, zero rows where missing. mask : (n, n_views). U, B : (d_v, k). V : (n, k) >= 0.
    rescale : restore unit column sums of V after each V step, as the authors' code does.

    Cost per iteration: O(sum_v nnz(X_v) k + V-steps n V k^2 + sum_v d_v k^2).
    """
    masks = [observed.astype(np.float64)[:, None] for observed in mask.T]
    norms = [squared_norm(X) for X in views]
    U, B = list(U), list(B)
    history = History(stopping)
    while not history.ended:
        for v, X in enumerate(views):
            U[v] = update_U(np.asarray(X.T @ V), V.T @ (masks[v] * V), B[v], alpha)
        products = [np.asarray(X @ u) for X, u in zip(views, U, strict=True)]
        V = update_V(products, [u.T @ u for u in U], masks, sum(norms), V)
        if rescale:
            sums = np.maximum(V.sum(axis=0), np.finfo(float).tiny)
            V, U = V / sums, [u * sums for u in U]
            products = [p * sums for p in products]
        objective = 0.0
        for v, u in enumerate(U):
            B[v] = update_B(u, smoothed_lengths(B[v]), beta)
            alignment = squared_norm(B[v].T @ u - np.eye(u.shape[1])) + beta * smoothed_lengths(B[v]).sum()
            objective += squared_residual(norms[v], products[v], masks[v] * V, u) + alpha * float(alignment)
        history.add(objective)
    return DAIMCResult(U, V, history)


def clustered_starts(views: Sequence[Any], mask: NDArray[np.bool_], k: int) -> tuple[list[Array], Array, list[Array]]:
    """`starts_from` the indicator, plus 0.2, of k-means clusters of a low-rank fit of what the views observe."""
    return starts_from(np.eye(k)[masked_clusters(views, mask, k)] + 0.2, views, mask)


def starts_from(V: Array, views: Sequence[Any], mask: NDArray[np.bool_]) -> tuple[list[Array], Array, list[Array]]:
    """U, V, B for a first V (n, k) >= 0: its columns scaled to sum 1, U_v fitted to the data, B_v to invert U_v."""
    V = V / V.sum(axis=0)
    U = []
    for X, observed in zip(views, mask.T, strict=True):
        gram = V.T @ (observed[:, None] * V)
        U.append(np.asarray(X.T @ V) @ np.linalg.pinv(gram, rcond=_RANK_TOLERANCE, hermitian=True))
    return U, V, [np.linalg.pinv(u, rcond=_START_RANK).T for u in U]


class DAIMC(MultiViewClusterer):
    """Doubly aligned incomplete multi-view clustering (Hu and Chen 2018): k-means on V.

    Parameters
    ----------
    alpha, beta : weights of the alignment and of its L2,1 norm. Two pairs circulate: (1e-4, 1e4), the default here,
        and (10, 1).
    max_iter : iterations at most (30 in the authors' code). tol : the relative change of the objective at the end.
    rescale : restore unit column sums of V after each V step, as the authors' code does.

    Missing rows have weight zero.
    """

    alpha: Positive = 1e-4
    beta: Positive = 1e4
    max_iter: Count = 30
    tol: NonNegative = 1e-4
    rescale: bool = True

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = [view.matrix for view in data.views]
        U, V, B = clustered_starts(views, data.mask, n_clusters)
        stopping = Stopping(self.max_iter, self.tol)
        result = daimc(views, data.mask, U, V, B, stopping, alpha=self.alpha, beta=self.beta, rescale=self.rescale)
        bases = {f"basis_{view.name}": u for view, u in zip(data.views, result.U, strict=True)}
        return Representation(embedding=result.V, history=result.history, details=bases)
