"""The steps of MIC for one view: Eqs. 7 to 18, with the weights that Eq. 13 lacks and the constraint on V held.

What they do to rows of U is done block by block (`numerics.row_passes`); the sums X^T W U and U^T W U, by which V
follows, come from the same pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf.filled_view import FilledView
from mvarena.numerics.nmf import ratio_step, unit_sum_columns
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.row_blocks import Pass

Array = NDArray[np.float64]

# the published code's floor under its fractions
_TINY = 1e-30
# squares of such lengths neither vanish nor overflow
_SAFE_SQUARES = 1e-200, 1e300


def row_lengths(U: Array) -> Array:
    """(n,) Euclidean lengths of rows, right also for rows of 1e-200, whose squares vanish."""
    squares = np.einsum("ij,ij->i", U, U)
    lengths = np.sqrt(squares)
    if (extreme := _extreme(squares)).any():
        largest = np.abs(U[extreme]).max(axis=1)
        safe = np.where(largest > 0, largest, 1.0)
        lengths[extreme] = largest * np.linalg.norm(U[extreme] / safe[:, None], axis=1)
    return np.asarray(lengths)


def _extreme(squares: Array) -> NDArray[np.bool_]:
    return ~((squares > _SAFE_SQUARES[0]) & (squares < _SAFE_SQUARES[1]))


def unit_directions(U: Array, strengths: Array) -> Array:
    """Rows (n, k) of length `strengths` (n,) in the directions of those of U; zero where the row is zero."""
    squares = np.einsum("ij,ij->i", U, U)
    extreme = _extreme(squares)
    found = (strengths / np.sqrt(np.where(extreme, 1.0, squares)))[:, None] * U
    if extreme.any():
        rows = U[extreme]
        lengths = row_lengths(rows)[:, None]
        rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        found[extreme] = strengths[extreme, None] * rows
    return np.asarray(found)


def update_U(
    X: FilledView, U: Array, V: Array, curvature: Array, consensus: Array, w: Array, alpha: float, beta: float
) -> Array:
    """Eq. 13, with the weights that it lacks, for any rows; w (n,) holds their squares, all above 0.

    curvature : V^T V + alpha I (k, k). Both halves of the fraction are divided by w. Cost O(nnz k + n k^2).
    """
    attracting = X.times(V)
    attracting += alpha * consensus
    repelling = U @ curvature
    # D U of Eq. 11: rows of unit length, and zero where the row is zero, where any subgradient may stand
    repelling += unit_directions(U, 0.5 * beta / w)
    return ratio_step(U, attracting, repelling, root=True, floor=_TINY)


def update_V_on_simplex(V: Array, target: Array, gram: Array) -> Array:
    """Eq. 14 column by column, each at its exact minimum among nonnegative columns that sum to 1.

    For one column the objective is |u|_w^2 |v - t|^2 + const, so its minimum is the projection of t.
    Cost O(d k^2 + d k log d).
    """
    V = V.copy()
    for column in range(V.shape[1]):
        if gram[column, column] > 0:
            step = (target[:, column] - V @ gram[:, column]) / gram[column, column]
            V[:, column] = project_simplex_rows((V[:, column] + step)[None, :])[0]
    return V


def consensus_pass(consensus: Array, *blocks: Array, literal: bool = False) -> tuple[Array, Array]:
    """Write Eq. 7 for one alpha: the mean of the U_i, weighted by the squares of the sample weights w_i.

    Parameters
    ----------
    consensus : (b, k), written to. blocks : U_1, w_1, U_2, w_2, ...: (b, k) and (b,).

    Returns |W_i (U_i - U*)|^2 (V,) and the sum of the lengths of U_i's rows (V,); `literal`: of the squares in each
    column (V, k).
    """
    pairs = list(zip(blocks[::2], blocks[1::2], strict=True))
    np.divide(sum(w[:, None] * U for U, w in pairs), np.sum([w for _, w in pairs], axis=0)[:, None], out=consensus)
    apart = [float(w @ np.square(U - consensus).sum(axis=1)) for U, w in pairs]
    sizes = [np.einsum("ij,ij->j", U, U) if literal else row_lengths(U).sum() for U, _ in pairs]
    return np.array(apart), np.array(sizes)


@dataclass(eq=False, slots=True)
class ViewFactors:
    """One view and its factors: blocks of X, U (n, k) and the squared weights w (n,), V (d, k), the norm |W X|^2.

    target, gram : X^T W U (d, k) and U^T W U (k, k), of the U that is.
    """

    X: Sequence[FilledView]
    U: Sequence[Array]
    w: Sequence[Array]
    V: Array
    norm: float
    target: Array
    gram: Array

    @classmethod
    def start(
        cls, X: Sequence[FilledView], U: Sequence[Array], w: Sequence[Array], V: Array, norm: float, summed: Pass
    ) -> ViewFactors:
        return cls(X, U, w, V, norm, *summed(_sums, X, U, w))

    def residual(self) -> float:
        """|W (X - U V^T)|^2, accurate to about 1e-15 of the norm."""
        fitted = float(np.vdot(self.gram, self.V.T @ self.V))
        return max(self.norm - 2.0 * float(np.vdot(self.target, self.V)) + fitted, 0.0)

    def move_U(self, consensus: Sequence[Array], alpha: float, beta: float, summed: Pass) -> None:
        """Eq. 13 for all rows, and the sums that follow from them."""
        curvature = self.V.T @ self.V + alpha * np.eye(self.V.shape[1])

        def step(X: FilledView, U: Array, w: Array, star: Array) -> tuple[Array, Array]:
            U[:] = update_U(X, U, self.V, curvature, star, w, alpha, beta)
            return _sums(X, U, w)

        self.target, self.gram = summed(step, self.X, self.U, self.w, consensus)

    def rescale(self) -> None:
        """Eq. 18: V's columns sum to 1, and U takes the scale."""
        self.V, scales = unit_sum_columns(self.V, np.ones((1, self.V.shape[1])))
        for U in self.U:
            U *= scales
        self.target, self.gram = self.target * scales, self.gram * scales * scales.T


def _sums(X: FilledView, U: Array, w: Array) -> tuple[Array, Array]:
    weighted = w[:, None] * U
    return X.transposed_times(weighted), U.T @ weighted


def constrained_solve(
    view: ViewFactors, consensus: Sequence[Array], summed: Pass, *, alpha: float, beta: float, steps: int
) -> None:
    """`steps` updates of a view's U and V for a fixed consensus; V's columns sum to 1 before and after."""
    for _ in range(steps):
        view.move_U(consensus, alpha, beta, summed)
        view.V = update_V_on_simplex(view.V, view.target, view.gram)


def rescaled_solve(
    view: ViewFactors, consensus: Sequence[Array], summed: Pass, *, alpha: float, beta: float, steps: int
) -> None:
    """The literal form: Eqs. 13, 17 and 18 in turn, as in the published code. The objective may rise."""
    view.rescale()
    for _ in range(steps):
        view.move_U(consensus, alpha, beta, summed)
        view.V = ratio_step(view.V, view.target, view.V @ view.gram, root=True, floor=_TINY)  # Eq. 17
        view.rescale()
