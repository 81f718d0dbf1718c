"""A shared transition matrix of low rank from several erroneous ones: the augmented Lagrangian of RMSC and EMVC.

min norm_*(Q) + sum_v penalty(E_v)  with  P_v = P + E_v,  P = Q,  rows of P on the simplex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.singular_threshold import SingularThreshold
from mvarena.numerics.spectral import top_eigenvectors

_TELEPORT = 1e-6
_BLOCK = 32


class ErrorStep(Protocol):
    """The penalty on the errors, met in blocks of rows so that what is worked on stays in the cache."""

    def start(self, view: int, T: Square) -> Square:
        """The errors to begin with."""

    def shrink(self, view: int, rows: slice, G: Square, mu: float) -> Square:
        """These rows of the new E, for penalty(E) / mu + norm(E - G)^2 / 2; G holds these rows only."""

    def penalty(self) -> float:
        """The penalty of all that was shrunk since the last call; asked once per iteration."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The penalty parameter: starts at mu, grows by rho after each iteration, up to mu_max.

    Stops when max(abs(P - Q)) and max(abs(P + E_v - P_v)) are at most tol / n (entries of P are of order 1 / n),
    or, with absolute=True, tol.
    """

    mu: float
    rho: float
    mu_max: float = 1e10
    tol: float = 1e-8
    absolute: bool = False
    max_iter: int = 300


@dataclass(frozen=True, eq=False, slots=True)
class Consensus:
    """P : (n, n) row-stochastic; Q : its low-rank twin; objective : norm_*(Q) + sum_v penalty(E_v) per iteration."""

    P: Square
    Q: Square
    objective: NDArray[np.float64]
    n_iter: int
    converged: bool
    stopped_because: str


def markov_consensus(T: Sequence[Square], errors: ErrorStep, schedule: Schedule) -> Consensus:
    """The consensus of the transition matrices T, V of (n, n), rows on the simplex.

    Multipliers are scaled, W = Z / mu and U_v = Y_v / mu, and E_v is not kept, so that beyond T the memory is
    (V + 4) n^2, and 3 n^2 more where the rank is so large that a full SVD is needed. For a constant mu this is the
    two-block ADMM (P against Q and all E_v), which converges to the optimum of a convex problem; a fast-growing mu
    stops short of it. Cost O(V n^2 + n^2 r) per iteration for a rank of r, O(n^3) when the rank is large.
    """
    n, V = T[0].shape[0], len(T)
    mu = schedule.mu
    bound = schedule.tol if schedule.absolute else schedule.tol / n
    U = [np.zeros((n, n)) for _ in T]
    W, Q = np.zeros((n, n)), np.zeros((n, n))
    gathered = np.zeros((n, n))
    for v, T_v in enumerate(T):
        gathered += T_v - errors.start(v, T_v)
    threshold = SingularThreshold()
    history: list[float] = []
    gap = np.inf
    while len(history) < schedule.max_iter and gap > bound:
        gathered += Q - W
        gathered /= V + 1
        P = project_simplex_rows(gathered)  # emvc.md eqs. 18-20
        growth = min(schedule.rho, schedule.mu_max / mu)
        gathered = np.zeros((n, n))
        gap = 0.0
        for start in range(0, n, _BLOCK):
            rows = slice(start, start + _BLOCK)
            for v, T_v in enumerate(T):
                G = T_v[rows] - P[rows]
                G -= U[v][rows]  # the B of emvc.md eq. 13, with the sign of eq. 8
                E = errors.shrink(v, rows, G, mu)
                np.subtract(E, G, out=G)  # eq. 22: U + P + E - T
                U[v][rows] -= G
                gap = max(gap, float(np.abs(U[v][rows]).max()))
                G /= growth
                U[v][rows] = G
                G += E
                gathered[rows] += T_v[rows]
                gathered[rows] -= G
        W += P
        Q, trace_norm = threshold(W, 1.0 / mu)  # eq. 11
        W -= Q  # eq. 21
        W /= growth
        gap = max(gap, float(np.abs(P - Q).max()))
        mu *= growth
        history.append(trace_norm + errors.penalty())
    converged = gap <= bound
    reason = (
        f"P = Q and P_v = P + E_v hold to {gap:.1e}"
        if converged
        else f"{schedule.max_iter} iterations were done; the constraints hold to {gap:.1e}"
    )
    return Consensus(P, Q, np.array(history), len(history), converged, reason)


def stationary_distribution(P: Square, *, tol: float = 1e-12, max_iter: int = 10_000) -> NDArray[np.float64]:
    """(n,) pi > 0 with pi P = pi for a row-stochastic P, restarted anywhere with a probability of 1e-6.

    The restart makes the answer unique and positive where the chain falls apart. Cost O(n^2) per iteration.
    """
    n = len(P)
    pi = np.full(n, 1.0 / n)
    for _ in range(max_iter):
        # Half a step: a chain of period two converges as well.
        following = 0.5 * pi + 0.5 * ((1 - _TELEPORT) * (pi @ P) + _TELEPORT / n)
        if np.abs(following - pi).sum() < tol:
            return np.asarray(following)
        pi = following
    return pi


def symmetric_walk(P: Square) -> tuple[Square, NDArray[np.float64]]:
    """((D^1/2 P D^-1/2 + its transpose) / 2, sqrt(pi)) for a row-stochastic P, D = diag(pi). Cost O(n^2), 2 n^2."""
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
