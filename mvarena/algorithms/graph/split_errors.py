"""Errors kept apart from the consensus: P_v = P + E_v with a multiplier each, as RMSC and EMVC are published."""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.markov_consensus import largest
from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.proximal import project_simplex_rows


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
        self, T: Sequence[NDArray[np.floating]], step: ErrorStep, measure: Callable[[Square], float] = largest
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
        """That of the step."""
        return self.step.penalty()
