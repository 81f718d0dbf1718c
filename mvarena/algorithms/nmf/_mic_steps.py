"""The steps of MIC for one view: Eqs. 7 to 18, with the weights that Eq. 13 lacks and the constraint on V held."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf.filled_view import FilledView
from mvarena.numerics.factorization import ratio_step, squared_residual, unit_sum_columns
from mvarena.numerics.proximal import project_simplex_rows

Array = NDArray[np.float64]

# the published code's floor under its fractions
_TINY = 1e-30


def row_lengths(U: Array) -> Array:
    """(n,) Euclidean lengths of rows, right also for rows of 1e-200, whose squares vanish."""
    largest = np.abs(U).max(axis=1)
    safe = np.where(largest > 0, largest, 1.0)
    return np.asarray(largest * np.linalg.norm(U / safe[:, None], axis=1))


def consensus_of(U: Sequence[Array], weights: Sequence[Array]) -> Array:
    """Eq. 7 for one alpha: the mean of the U_i (n, k), weighted by the squares of the sample weights (n,)."""
    numerator = sum(w[:, None] * u for w, u in zip(weights, U, strict=True))
    return np.asarray(numerator / np.sum(weights, axis=0)[:, None])


def update_U(X: FilledView, U: Array, V: Array, consensus: Array, w: Array, alpha: float, beta: float) -> Array:
    """Eq. 13, with the weights that it lacks; w (n,) holds their squares. Cost O(nnz k + n k^2)."""
    w = w[:, None]
    lengths = row_lengths(U)[:, None]
    # D U of Eq. 11: rows of unit length, and zero where the row is zero, where any subgradient may stand
    direction = np.divide(U, lengths, out=np.zeros_like(U), where=lengths > 0)
    attracting = w * X.times(V) + alpha * w * consensus
    repelling = w * (U @ (V.T @ V)) + alpha * w * U + 0.5 * beta * direction
    return ratio_step(U, attracting, repelling, root=True, floor=_TINY)


def update_V_on_simplex(X: FilledView, U: Array, V: Array, w: Array) -> Array:
    """Eq. 14 column by column, each at its exact minimum among nonnegative columns that sum to 1.

    For one column the objective is |u|_w^2 |v - t|^2 + const, so its minimum is the projection of t.
    Cost O(nnz k + d k^2 + d k log d).
    """
    weighted = w[:, None] * U
    target, gram = X.transposed_times(weighted), U.T @ weighted
    V = V.copy()
    for column in range(V.shape[1]):
        if gram[column, column] > 0:
            step = (target[:, column] - V @ gram[:, column]) / gram[column, column]
            V[:, column] = project_simplex_rows((V[:, column] + step)[None, :])[0]
    return V


def view_objective(
    X: FilledView, U: Array, V: Array, consensus: Array, w: Array, alpha: float, beta: float, lengths: Array
) -> float:
    """Eq. 8 with beta times the sum of `lengths`; w (n,) holds the squared weights."""
    root = np.sqrt(w)[:, None]
    data = squared_residual(X.weighted_norm(w), root * X.times(V), root * U, V)
    return data + alpha * float(np.square(root * (U - consensus)).sum()) + beta * float(lengths.sum())


def constrained_solve(
    X: FilledView, U: Array, V: Array, consensus: Array, w: Array, *, alpha: float, beta: float, steps: int
) -> tuple[Array, Array]:
    """U (n, k) and V (d, k) of one view for a fixed consensus; V's columns sum to 1 before and after."""
    for _ in range(steps):
        U = update_U(X, U, V, consensus, w, alpha, beta)
        V = update_V_on_simplex(X, U, V, w)
    return U, V


def rescaled_solve(
    X: FilledView, U: Array, V: Array, consensus: Array, w: Array, *, alpha: float, beta: float, steps: int
) -> tuple[Array, Array]:
    """The literal form: Eqs. 13, 17 and 18 in turn, as in the published code. The objective may rise."""
    V, U = unit_sum_columns(V, U)
    for _ in range(steps):
        U = update_U(X, U, V, consensus, w, alpha, beta)
        weighted = w[:, None] * U
        V = ratio_step(V, X.transposed_times(weighted), V @ (U.T @ weighted), root=True, floor=_TINY)  # Eq. 17
        V, U = unit_sum_columns(V, U)  # Eq. 18
    return U, V
