"""Robust multi-view spectral clustering (Xia, Pan, Du and Yin 2014).

    min  |P|_* + lam sum_v |T_v - P|_1

over P (n, n) with rows on the simplex, for the views' transition matrices T_v.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from mvarena.algorithms.graph.markov_chains import complete_chains, markov_embedding
from mvarena.algorithms.graph.markov_consensus import (
    MarkovConsensus,
    Schedule,
    SplitErrors,
    largest_row_sum,
    markov_consensus,
)
from mvarena.algorithms.graph.view_graphs import Square, transition_probabilities, view_graphs
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.proximal import soft_threshold
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.simplex import simplex_median_rows, sorted_across

PAPER_SCHEDULE = Schedule(mu=1e-3, rho=1.9, tol=1e-6, absolute=True, errors_alone=True)
DEFAULT_SCHEDULE = Schedule(mu=3.0, rho=1.15, tol=1e-4)


def rmsc(
    T: Sequence[Square], lam: float, schedule: Schedule = DEFAULT_SCHEDULE, *, overwrite: bool = False
) -> MarkovConsensus:
    """min norm_*(P) + lam sum_v norm1(T_v - P), rows of P on the simplex.

    T : V transition matrices (n, n); with overwrite=True their place is used, which saves V n^2.
    The P-step takes all errors at once (`AbsoluteErrors`), so that P = Q is the only constraint; 40 to 70 iterations
    with slowly rising mu come within 1e-5 to 1e-4 of the optimum. Source: the paper, equation 3.
    """
    return markov_consensus(len(T[0]), AbsoluteErrors(T, lam, overwrite=overwrite), schedule)


def rmsc_published(T: Sequence[Square], lam: float, schedule: Schedule = PAPER_SCHEDULE) -> MarkovConsensus:
    """The same problem as published: E_v and a multiplier per view, and a fast-growing mu.

    As in the published code, iterations end when the largest row sum of abs(P + E_v - T_v) is at most 1e-6 in every
    view; P = Q is not asked. The schedule stops short of the optimum (1.2282 where 1.2083 is possible).
    Source: the paper, Algorithm 2.
    """
    return markov_consensus(len(T[0]), SplitErrors(T, SparseErrors(lam), largest_row_sum), schedule)


def default_weight(n: int, n_views: int, k: int) -> float:
    """max(1 / (2 sqrt(n V)), k / (n V)): errors stay errors, and clusters become visible.

    The trace norm gives way along a pattern G of signs where lam times its spectral norm exceeds 1. Errors that are
    independent from entry to entry and view to view have V patterns with a sum of spectral norm 2 sqrt(n V): the first
    term is the largest lam that keeps them out of P, as 1 / sqrt(n) does in robust PCA (Candès, Li, Ma and Wright,
    2011). The pattern of k equal clusters that all views show, plus within and minus between, has 2 n V / k on vectors
    of sum 0: below k / (2 n V) P is uniform. The second term is twice that, and counts where clusters are small,
    k > sqrt(n V) / 2.
    """
    return max(0.5 / float(np.sqrt(n * n_views)), k / (n * n_views))


class RMSC(SquareClusterer):
    """Low-rank shared transition matrix with sparse errors, then Markov spectral clustering of rows of unit length.

    Parameters
    ----------
    lam : weight of the errors. None: `default_weight`, which falls as n grows. The paper's 0.005 suits a thousand
        samples and more; on small data it leaves nothing but the uniform chain.
    sigma : of the similarities exp(-d^2 / (2 sigma^2)); None: each view's median distance.
    solver : "exact" (default) treats all errors in one step; "paper" splits them and grows mu from 1e-3 1.9-fold,
        which stops short of the optimum.
    max_iter : at most so many iterations; they end when the constraints hold.

    The published code keeps the symmetric walk (D^1/2 P D^-1/2 + its transpose) / 2, D = diag(pi), whose rows do not
    sum to 1; here P itself. Of a sample that a view misses that view's chain says nothing: see `complete_chains`.
    """

    lam: NonNegative | None = None
    sigma: Positive | None = None
    solver: Literal["exact", "paper"] = "exact"
    max_iter: Count = 300

    def squares(self, n_views: int) -> int:
        return n_views + 6 + (n_views + 1 if self.solver == "paper" else 0)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        T = view_graphs(data, self.sigma, transition_probabilities)
        complete_chains(T, data.mask)
        lam = default_weight(data.n_samples, len(T), n_clusters) if self.lam is None else self.lam
        if self.solver == "paper":
            result = rmsc_published(T, lam, replace(PAPER_SCHEDULE, max_iter=self.max_iter))
        else:
            result = rmsc(T, lam, replace(DEFAULT_SCHEDULE, max_iter=self.max_iter), overwrite=True)
        return Representation(embedding=unit_embedding(markov_embedding(result.P, n_clusters)), history=result.history)


# The L1 norm of RMSC's errors, in two forms: with an E_v per view as published, and without one.


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
        E = soft_threshold(G, self.lam / mu)
        self._sums[view, rows.start] = float(np.abs(E).sum())
        return E

    def penalty(self) -> float:
        """lam sum abs(E)."""
        total = sum(self._sums[key] for key in sorted(self._sums))
        self._sums.clear()
        return self.lam * total
