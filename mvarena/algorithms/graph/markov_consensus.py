"""A shared transition matrix of low rank from several erroneous ones: the augmented Lagrangian of RMSC and EMVC.

min norm_*(Q) + penalty(T_1 - P, .., T_V - P)  with  P = Q,  rows of P on the simplex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.singular_threshold import SingularThreshold, Thresholded
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.numerics.threads import side_by_side_tasks

_TELEPORT = 1e-6
# rows of Q at a time, as products of fewer are slow, and of these the rows that stay in the cache from pass to pass
_TASK, _CACHED = 256, 32
# the search for Q may be this much less exact than P = Q is, and within these bounds
_INNER_TOL, _LEAST_INNER_TOL, _LARGEST_INNER_TOL = 1e-3, 1e-8, 1e-5


class Errors(Protocol):
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

    Stops when max(abs(P - Q)), and max(abs(P + E_v - T_v)) where E_v is kept apart, are at most tol / n (entries of P
    are of order 1 / n), or, with absolute=True, tol.
    """

    mu: float
    rho: float
    mu_max: float = 1e10
    tol: float = 1e-8
    absolute: bool = False
    max_iter: int = 300


@dataclass(frozen=True, eq=False, slots=True)
class Consensus:
    """P : (n, n) row-stochastic; objective : norm_*(Q) + penalty(T_v - P) per iteration."""

    P: Square
    objective: NDArray[np.float64]
    n_iter: int
    converged: bool
    stopped_because: str


def markov_consensus(n: int, errors: Errors, schedule: Schedule) -> Consensus:
    """The consensus of transition matrices (n, n), rows on the simplex, that `errors` knows.

    The multiplier is scaled, W = Z / mu, and Q is kept as factors. Beyond what `errors` keeps the memory is 2 n^2 and
    4 n r for a rank of r of Q, or 5 n^2 where the rank is so large that all eigenvectors are needed.
    Cost per iteration: what `errors` takes, O(n^2 r), or O(n^3) when the rank is large.
    """
    mu = schedule.mu
    bound = schedule.tol if schedule.absolute else schedule.tol / n
    P = np.empty((n, n))
    for rows in _slices(n, _CACHED):
        P[rows] = errors.first(rows, mu)
    W = np.zeros((n, n))
    threshold = SingularThreshold()
    history: list[float] = []
    gap, tol = np.inf, _LARGEST_INNER_TOL
    while len(history) < schedule.max_iter and gap > bound:
        W += P
        Q = threshold(W, 1.0 / mu, tol=tol)
        growth = min(schedule.rho, schedule.mu_max / mu)
        move = partial(_move, P=P, W=W, Q=Q, errors=errors, mu=mu, growth=growth, bound=bound)
        with side_by_side_tasks(n // _TASK) as each:
            gaps, squares = zip(*each(move, _slices(n, _TASK)), strict=True)
        history.append(Q.trace_norm + errors.penalty())
        del Q, move
        gap = max(gaps)
        tol = min(max(_INNER_TOL * np.sqrt(sum(squares)), _LEAST_INNER_TOL), _LARGEST_INNER_TOL)
        mu *= growth
    converged = gap <= bound
    unfinished = "" if converged else f"{schedule.max_iter} iterations were done; "
    reason = f"{unfinished}the constraints hold to {gap:.1e}"
    return Consensus(P, np.array(history), len(history), converged, reason)


def _slices(n: int, length: int, first: int = 0) -> Iterator[slice]:
    for start in range(first, n, length):
        yield slice(start, min(n, start + length))


def _move(
    rows: slice, *, P: Square, W: Square, Q: Thresholded, errors: Errors, mu: float, growth: float, bound: float
) -> tuple[float, float]:
    """These rows of W and P one iteration on; (largest violation at the P before, norm(P - Q)^2).

    Where P = Q is violated beyond the bound, the constraints of the errors are not looked at.
    """
    gap, squares = 0.0, 0.0
    Q_rows = Q.rows(rows)
    for part in _slices(rows.stop, _CACHED, rows.start):
        target = Q_rows[part.start - rows.start : part.stop - rows.start]
        W_part, P_part = W[part], P[part]
        W_part -= target  # emvc.md eq. 21, as W holds W + P
        difference = P_part - target
        gap = max(gap, largest(difference))
        squares += float(np.vdot(difference, difference))
        W_part /= growth
        target -= W_part
        P[part], violation = errors.follow(part, P_part, target, mu, growth, gap <= bound)
        gap = max(gap, violation)
    return gap, squares


def largest(matrix: NDArray[np.float64]) -> float:
    """The largest magnitude, without a copy of the matrix."""
    return max(float(matrix.max()), -float(matrix.min()))


def stationary_distribution(P: Square) -> NDArray[np.float64]:
    """(n,) pi > 0 with pi P = pi and sum 1 for a row-stochastic P, restarted anywhere with a probability of 1e-6.

    The restart makes the answer unique and positive where the chain falls apart. Solved directly, as a chain that
    hardly moves would take a million steps: cost 2/3 n^3, 2 n^2.
    """
    n = len(P)
    system = P.T * (_TELEPORT - 1.0)
    system[np.diag_indices(n)] += 1.0
    pi = np.linalg.solve(system, np.full(n, _TELEPORT / n))
    return np.asarray(pi / pi.sum())


def symmetric_walk(P: Square) -> tuple[Square, NDArray[np.float64]]:
    """((D^1/2 P D^-1/2 + its transpose) / 2, sqrt(pi)) for a row-stochastic P, D = diag(pi). Cost O(n^3), 2 n^2."""
    root = np.sqrt(stationary_distribution(P))
    S = P * root[:, None] / root
    return (S + S.T) / 2, root


def markov_embedding(P: Square, k: int) -> NDArray[np.float64]:
    """The k smallest generalised eigenvectors of L u = lambda D u, L = D - (D P + P^T D) / 2, D = diag(pi): (n, k).

    Source: emvc.md, Algorithm 2 (with pi P = pi; the paper prints pi = P pi), after Zhou, Huang and Schölkopf
    (2005). Cost O(n^2) per product, 1 n^2.
    """
    S, root = symmetric_walk(P)
    return np.asarray(top_eigenvectors(S, k)[1] / root[:, None])
