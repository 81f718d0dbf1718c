"""The L1 norm of RMSC's errors, in two forms: with an E_v per view as published, and without one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mvarena.algorithms.graph.view_graphs import Square
from mvarena.numerics.simplex import simplex_median_rows, sorted_across


class AbsoluteErrors:
    """The `Errors` of `markov_consensus` for the penalty lam sum_v norm1(T_v - P): the best P is a median of all T_v.

    With no E_v there is no constraint but P = Q, no multiplier but that one, and far fewer iterations to the same
    optimum. T : V transition matrices (n, n). Memory V n^2 (T sorted across the views), or none with overwrite=True,
    which does that in place. Time O(V n^2) per iteration.
    """

    def __init__(self, T: Sequence[Square], lam: float, *, overwrite: bool = False) -> None:
        self.lam = lam
        self.ordered = sorted_across(T, overwrite=overwrite)
        self._shift = np.zeros(len(T[0]))
        self._penalties: dict[int, float] = {}

    def first(self, rows: slice, mu: float) -> Square:
        """The best P for Q = 0."""
        return self._best(rows, np.zeros_like(self.ordered[0][rows]), mu)

    def follow(
        self, rows: slice, P: Square, target: Square, mu: float, growth: float, watch: bool
    ) -> tuple[Square, float]:
        """The best P for this target; there is no constraint to watch."""
        del watch
        distance = sum(float(np.abs(T_v[rows] - P).sum()) for T_v in self.ordered)
        self._penalties[rows.start] = self.lam * distance
        return self._best(rows, target, mu * growth), 0.0

    def penalty(self) -> float:
        """lam sum_v norm1(T_v - P)."""
        return float(sum(self._penalties[start] for start in sorted(self._penalties)))

    def _best(self, rows: slice, target: Square, mu: float) -> Square:
        ordered = [T_v[rows] for T_v in self.ordered]
        return simplex_median_rows(ordered, target, self.lam / mu, self._shift[rows])


class SparseErrors:
    """lam sum abs(E): each entry of the errors is noise of its own."""

    def __init__(self, lam: float) -> None:
        self.lam = lam
        self._sums: dict[tuple[int, int], float] = {}

    def start(self, view: int, rows: slice, T: Square) -> float:
        """No errors: the start has no influence beyond rounding."""
        del view, rows, T
        return 0.0

    def shrink(self, view: int, rows: slice, G: Square, mu: float) -> Square:
        """Soft thresholding at lam / mu."""
        E = np.clip(G, -self.lam / mu, self.lam / mu)
        np.subtract(G, E, out=E)
        self._sums[view, rows.start] = float(np.abs(E).sum())
        return E

    def penalty(self) -> float:
        """lam sum abs(E)."""
        total = sum(self._sums[key] for key in sorted(self._sums))
        self._sums.clear()
        return self.lam * total
