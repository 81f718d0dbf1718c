"""A shared transition matrix of low rank from several erroneous ones: the augmented Lagrangian of RMSC and EMVC.

min norm_*(Q) + penalty(T_1 - P, .., T_V - P)  with  P = Q,  rows of P on the simplex.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.iteration import History, Stopping, largest_magnitude
from mvarena.numerics.low_rank import LowRankMatrix, SingularThreshold
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.system.threads import side_by_side_tasks

# rows of Q at a time, as products of fewer are slow, and of these the rows that stay in the cache from pass to pass
_TASK, _CACHED = 256, 32
# of the rank of Q in an iteration; it is a tenth with the schedules here
_GROWTH = 1 / 7
# the search for Q may be this much less exact than P = Q is, and within these bounds
_INNER_TOL, _LEAST_INNER_TOL, _LARGEST_INNER_TOL = 1e-3, 1e-8, 1e-5


class Errors(typing.Protocol):
    """The penalty on the errors T_v - P. Blocks of rows, so that they stay in the cache, may come in any order."""

    def first(self, rows: slice, mu: float) -> Square:
        """These rows of the first P, for Q = 0."""

    def follow(
        self, rows: slice, P: Square, target: Square, mu: float, growth: float, watch: bool
    ) -> tuple[Square, float]:
        """(these rows of the next P, the largest violation of a constraint of the errors at P, or 0 without `watch`).

        target : Q - Z / mu' for the multiplier Z of P = Q and mu' = growth mu; the next P minimises
            penalty + mu' norm(P - target)^2 / 2 over the simplex, or takes a step towards that.
        """

    def penalty(self) -> float:
        """The penalty at all P handed to `follow` since the last call; asked once per iteration."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The penalty parameter: starts at mu, grows by rho after each iteration, up to mu_max.

    Iterations end when max(abs(P - Q)), and max(abs(P + E_v - T_v)) where E_v is kept apart, are at most tol / n
    (entries of P are of order 1 / n), or, with absolute=True, tol. With errors_alone=True, P = Q is not asked, and the
    answer is the P at which P + E_v = T_v was measured, not the one that follows from it: 1 n^2 more.
    """

    mu: float
    rho: float
    mu_max: float = 1e10
    tol: float = 1e-8
    absolute: bool = False
    errors_alone: bool = False
    max_iter: int = 300

    def stopping(self, n: int) -> Stopping:
        """The rule for matrices of n rows."""
        return Stopping(self.max_iter, self.tol if self.absolute else self.tol / n)


@dataclass(frozen=True, eq=False, slots=True)
class MarkovConsensus:
    """P : (n, n) row-stochastic. history : of norm_*(Q) + penalty(T_v - P)."""

    P: Square
    history: History


def markov_consensus(n: int, errors: Errors, schedule: Schedule) -> MarkovConsensus:
    """The consensus of transition matrices (n, n), rows on the simplex, that `errors` knows.

    The multiplier is scaled, W = Z / mu, and Q is kept as factors. Beyond what `errors` keeps the memory is 2 n^2 and
    4 n r for a rank of r of Q, or 5 n^2 where the rank is so large that all eigenvectors are needed.
    Cost per iteration: what `errors` takes, O(n^2 r), or O(n^3) when the rank is large.
    """
    mu = schedule.mu
    P = np.empty((n, n))
    for rows in _slices(n, _CACHED):
        P[rows] = errors.first(rows, mu)
    W = np.zeros((n, n))
    following = np.empty((n, n)) if schedule.errors_alone else P
    threshold = SingularThreshold(growth=_GROWTH)
    history = History(schedule.stopping(n))
    tol = _LARGEST_INNER_TOL
    while True:
        W += P
        Q = threshold(W, 1.0 / mu, tol=tol)
        growth = min(schedule.rho, schedule.mu_max / mu)
        move = partial(_move, P=P, W=W, Q=Q, into=following, errors=errors, mu=mu, growth=growth, schedule=schedule)
        with side_by_side_tasks(n // _TASK) as each:
            gaps, squares = zip(*each(move, _slices(n, _TASK)), strict=True)
        if history.add(Q.trace_norm + errors.penalty(), violation=max(gaps)):
            return MarkovConsensus(P, history)
        P, following = following, P
        del Q, move
        tol = min(max(_INNER_TOL * np.sqrt(sum(squares)), _LEAST_INNER_TOL), _LARGEST_INNER_TOL)
        mu *= growth


def _slices(n: int, length: int, first: int = 0) -> Iterator[slice]:
    for start in range(first, n, length):
        yield slice(start, min(n, start + length))


def _move(
    rows: slice,
    *,
    P: Square,
    W: Square,
    Q: LowRankMatrix,
    into: Square,
    errors: Errors,
    mu: float,
    growth: float,
    schedule: Schedule,
) -> tuple[float, float]:
    """These rows of W, and of the next P in `into`; (largest violation at the P before, norm(P - Q)^2).

    Where P = Q is asked and violated beyond the bound, the constraints of the errors are not looked at.
    """
    gap, squares, bound = 0.0, 0.0, schedule.stopping(len(P)).tol
    Q_rows = Q.rows(rows)
    for part in _slices(rows.stop, _CACHED, rows.start):
        target = Q_rows[part.start - rows.start : part.stop - rows.start]
        W_part, P_part = W[part], P[part]
        W_part -= target  # Najafi, He and Yu (2017), Eq. 21, as W holds W + P
        difference = P_part - target
        if not schedule.errors_alone:
            gap = max(gap, largest_magnitude(difference))
        squares += float(np.vdot(difference, difference))
        W_part /= growth
        target -= W_part
        watched = schedule.errors_alone or gap <= bound
        into[part], violation = errors.follow(part, P_part, target, mu, growth, watched)
        gap = max(gap, violation)
    return gap, squares


def largest_row_sum(matrix: NDArray[np.float64]) -> float:
    """The largest sum of magnitudes in a row."""
    return float(np.abs(matrix).sum(axis=1).max())


# Errors kept apart from the consensus: P_v = P + E_v with a multiplier each, as RMSC and EMVC are published.


class ErrorStep(typing.Protocol):
    """The penalty on the errors of all views, met in blocks of rows."""

    def start(self, view: int, rows: slice, T: Square) -> Square | float:
        """These rows of the errors to begin with; T holds these rows only."""

    def shrink(self, view: int, rows: slice, G: Square, mu: float) -> Square:
        """These rows of the new E, in an array of their own, for penalty(E) / mu + norm(E - G)^2 / 2; so with G."""

    def penalty(self) -> float:
        """The penalty of all that was shrunk since the last call; asked once per iteration."""


class SplitErrors:
    """The `Errors` of `markov_consensus` with one E_v and one scaled multiplier U_v = Y_v / mu per view.

    T : V transition matrices (n, n). measure : how far rows of P + E_v - T_v are from 0.
    Of E_v nothing is kept; U_v is in the precision of T_v, so that the memory is V n^2 beyond T in double
    precision and half of both in single. What is computed from them is in double precision.
    Time O(V n^2) per iteration.
    For a constant mu this is the alternating direction method of two blocks, P against Q and all E_v, which converges
    to the optimum of a convex problem; a fast-growing mu stops short of it.
    """

    def __init__(
        self, T: Sequence[NDArray[np.floating]], step: ErrorStep, measure: Callable[[Square], float] = largest_magnitude
    ) -> None:
        self.T, self.step, self.measure = T, step, measure
        self.U = [np.zeros_like(T_v) for T_v in T]

    def first(self, rows: slice, mu: float) -> Square:
        """The mean over Q = 0 and all T_v - E_v, on the simplex."""
        del mu
        gathered = np.zeros(self.T[0][rows].shape)
        for v, T_v in enumerate(self.T):
            T_rows = T_v[rows].astype(np.float64, copy=False)
            gathered += T_rows - self.step.start(v, rows, T_rows)
        gathered /= len(self.T) + 1
        return project_simplex_rows(gathered)

    def follow(
        self, rows: slice, P: Square, target: Square, mu: float, growth: float, watch: bool
    ) -> tuple[Square, float]:
        """One step of each E_v and U_v, and the next P: Eq. 15, 22 and 18 to 20 of Najafi, He and Yu (2017)."""
        gap, G = 0.0, np.empty(P.shape)
        for v, T_v in enumerate(self.T):
            U = self.U[v][rows]
            G[:] = T_v[rows]
            target += G
            G -= P
            G -= U  # their B of Eq. 13, with the sign of Eq. 8
            E = self.step.shrink(v, rows, G, mu)
            target -= E
            E -= G  # Eq. 22: U + P + E - T
            if watch:
                gap = max(gap, self.measure(E - U))
            E *= 1.0 / growth
            U[:] = E
            target -= E
        target /= len(self.T) + 1
        return project_simplex_rows(target), gap

    def penalty(self) -> float:
        """Penalty of the step."""
        return self.step.penalty()
