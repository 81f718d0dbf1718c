"""MIC: weighted joint nonnegative factorisation with L2,1 regularisation (Shao, He and Yu, ECML PKDD 2015).

    min  sum_i |W_i (X_i - U_i V_i^T)|^2 + alpha |W_i (U_i - U*)|^2 + beta |U_i|_{2,1},   U_i, V_i, U* >= 0

(Eq. 4) with the columns of V_i summing to 1. W_i is diagonal: 1 for an observed sample, the fraction observed for a
filled one.

Where this departs from the paper, and the published code from it:

- Eq. 13 lacks the weights in its denominator; they follow from Eq. 10 and are there in the code.
- Eq. 18 restores the constraint on V_i by rescaling U_i too, which changes the alpha and beta terms: the objective
  rises in about half of the steps. Here each column of V_i moves to the exact minimum of Eq. 14 on the simplex, so
  the constraint always holds and the objective never rises. `literal=True` keeps the published form.
- Algorithm 1 divides each view by the sum of its entries. U then has entries of order 1/n, the data term is of order
  1/n too or less, and beta = 0.01 swamps it: the representation collapses. A scale s multiplies the data and alpha
  terms by s^2 and the beta term by s, so it only sets what beta means. `MIC.scale` chooses it.
- The code's log sums |U_i| over columns where Eq. 4 sums over rows, and its convergence flag never stops the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf.filled_view import FilledView, filled_views
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import lee_seung, nndsvd, ratio_step, side_by_side, unit_sum_columns
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.row_blocks import Pass, RowBlocks

Array = NDArray[np.float64]

_WARM_UP = 20


@dataclass(frozen=True, eq=False, slots=True)
class MICResult:
    """U : (n, k), V : (d_i, k) per view. consensus : U* (n, k). history : the objective from the start on."""

    U: list[Array]
    V: list[Array]
    consensus: Array
    history: History


def mic(
    views: Sequence[FilledView],
    weights: Sequence[Array],
    U: Sequence[Array],
    V: Sequence[Array],
    stopping: Stopping,
    *,
    alpha: float,
    beta: float,
    steps: int = 100,
    literal: bool = False,
) -> MICResult:
    """Algorithm 1 from explicit starts.

    Parameters
    ----------
    views : the filled views, already scaled. weights : (n,) positive sample weights per view. U : (n, k), V : (d_i, k)
        starts.
    alpha, beta : as in Eq. 4, the same for all views. steps : inner iterations per view and outer one.
    literal : the published code's form: rescaling instead of the constraint, and its objective, in which the last
        term sums column lengths.

    Without `literal` the objective (Eq. 4, after Eq. 7) never rises. Cost per iteration: `steps` times
    O(sum_i nnz(X_i) k + n V k^2 + sum_i d_i k (k + log d_i)), in one pass over the rows each. Memory: (V + 1) n k.
    """
    if not literal:
        V, U = zip(*(unit_sum_columns(v, u) for u, v in zip(U, V, strict=True)), strict=True)
    U, consensus = [np.array(u, order="C") for u in U], np.empty(U[0].shape)
    blocks = RowBlocks([view.matrix for view in views], U[0].shape[1])
    stars, squared = blocks.of(consensus), [blocks.of(np.square(w)) for w in weights]
    rows = [part for u, w in zip(U, squared, strict=True) for part in (blocks.of(u), w)]
    solve = rescaled_solve if literal else constrained_solve
    with blocks.side_by_side() as summed:
        factors = [
            ViewFactors.start(view.parts(blocks), blocks.of(u), w, v, view.weighted_norm(np.concatenate(w)), summed)
            for view, u, w, v in zip(views, U, squared, V, strict=True)
        ]

        def agree() -> float:
            apart, sizes = summed(partial(consensus_pass, literal=literal), stars, *rows)  # Eq. 7
            data = sum(view.residual() for view in factors)
            return data + alpha * float(apart.sum()) + beta * float((np.sqrt(sizes) if literal else sizes).sum())

        history = History(stopping, start=agree())
        while not history.ended:
            for view in factors:
                solve(view, stars, summed, alpha=alpha, beta=beta, steps=steps)
            history.add(agree())
    return MICResult(U, [view.V for view in factors], consensus, history)


def joint_starts(views: Sequence[FilledView], k: int) -> tuple[list[Array], list[Array]]:
    """U (n, k), the same for all views, and V (d_i, k): a joint factorisation of the views side by side.

    Missing rows count as zero here. One U for all views makes their columns mean the same from the start.
    """
    joint = side_by_side([view.matrix for view in views])
    U, V = lee_seung(joint, *nndsvd(joint, k, fill="mean"), _WARM_UP)
    ends = np.cumsum([view.matrix.shape[1] for view in views])[:-1]
    return [U for _ in views], np.split(V, ends)


class MIC(MultiViewClusterer):
    """Multi-incomplete-view clustering (Shao et al. 2015): k-means on the consensus of weighted factorisations.

    Parameters
    ----------
    alpha, beta : weights of the disagreement with the consensus and of the L2,1 norm (0.01 both in the paper).
    scale : "mean-entry" divides each view by the mean of its entries, which suits beta up to about 0.1; "total" by
        their sum as Algorithm 1 says, under which counts collapse from beta = 1e-5 on.
    literal : the published code's steps, whose objective may rise; with scale="total", Algorithm 1 to the letter.
    max_iter, steps : outer iterations, and inner ones per view. tol : the relative change of the objective at the end.
        With missing rows 30 iterations, the published number, may end well before that: clusters far apart are then
        found in part, and nearly whole after 300.

    A missing sample is filled with the view's mean, weighted by the fraction of samples that the view observes.
    Sparse views stay sparse: the filling is never written. Raises InvalidSetting for a view of zeros.
    """

    alpha: Positive = 0.01
    beta: NonNegative = 0.01
    scale: Literal["mean-entry", "total"] = "mean-entry"
    literal: bool = False
    max_iter: Count = 30
    steps: Count = 10
    tol: NonNegative = 1e-4

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = [
            view.scaled((view.size if self.scale == "mean-entry" else 1) / view.total) for view in filled_views(data)
        ]
        weights = [np.where(observed, 1.0, observed.mean()) for observed in data.mask.T]
        U, V = joint_starts(views, n_clusters)
        stopping = Stopping(self.max_iter, self.tol)
        views = [view.written() for view in views]
        result = mic(views, weights, U, V, stopping, alpha=self.alpha, beta=self.beta, steps=self.steps,
                    literal=self.literal)  # fmt: skip
        bases = {f"basis_{view.name}": v for view, v in zip(data.views, result.V, strict=True)}
        return Representation(embedding=result.consensus, history=result.history, details=bases)


# The steps of MIC for one view: Eqs. 7 to 18, with the weights that Eq. 13 lacks and the constraint on V held.
#
# What they do to rows of U is done block by block (`numerics.row_blocks`); the sums X^T W U and U^T W U, by which V
# follows, come from the same pass.

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
    value = (strengths / np.sqrt(np.where(extreme, 1.0, squares)))[:, None] * U
    if extreme.any():
        rows = U[extreme]
        lengths = row_lengths(rows)[:, None]
        rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        value[extreme] = strengths[extreme, None] * rows
    return np.asarray(value)


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
