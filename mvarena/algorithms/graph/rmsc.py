"""Robust multi-view spectral clustering (Xia, Pan, Du and Yin 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from mvarena.algorithms.graph.absolute_errors import AbsoluteErrors
from mvarena.algorithms.graph.markov_consensus import Consensus, Schedule, markov_consensus, markov_embedding
from mvarena.algorithms.graph.specs_spectral import RMSC as SPEC
from mvarena.algorithms.graph.split_errors import SplitErrors
from mvarena.algorithms.graph.view_graphs import Square, transition_probabilities, view_graphs
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.scaling import unit_rows

PAPER_SCHEDULE = Schedule(mu=1e-3, rho=1.9, tol=1e-8, absolute=True)
DEFAULT_SCHEDULE = Schedule(mu=3.0, rho=1.15, tol=1e-4)


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


def rmsc(
    T: Sequence[Square], lam: float, schedule: Schedule = DEFAULT_SCHEDULE, *, overwrite: bool = False
) -> Consensus:
    """min norm_*(P) + lam sum_v norm1(T_v - P), rows of P on the simplex.

    T : V transition matrices (n, n); with overwrite=True their place is used, which saves V n^2.
    The P-step takes all errors at once (`AbsoluteErrors`), so that P = Q is the only constraint; 40 to 70 iterations
    with slowly rising mu come within 1e-5 to 1e-4 of the optimum. Source: the paper, equation 3.
    """
    return markov_consensus(len(T[0]), AbsoluteErrors(T, lam, overwrite=overwrite), schedule)


def rmsc_published(T: Sequence[Square], lam: float, schedule: Schedule = PAPER_SCHEDULE) -> Consensus:
    """The same problem as published: E_v and a multiplier per view, and a fast-growing mu.

    The published schedule stops short of the optimum (1.2282 where 1.2083 is possible).
    Source: the paper, Algorithm 2.
    """
    return markov_consensus(len(T[0]), SplitErrors(T, SparseErrors(lam)), schedule)


def rmsc_objective(P: Square, T: Sequence[Square], lam: float) -> float:
    """norm_*(P) + lam sum_v norm1(T_v - P). Cost O(n^3)."""
    return float(np.linalg.norm(P, "nuc")) + lam * sum(float(np.abs(T_v - P).sum()) for T_v in T)


class RMSC(SquareClusterer):
    """Low-rank shared transition matrix with sparse errors, then Markov spectral clustering of rows of unit length.

    Parameters
    ----------
    lam : weight of the errors (the paper: 0.005). The errors sum over n^2 entries of order 1 / n, the trace norm does
        not grow with n: on small data a small lam leaves nothing but the uniform chain.
    sigma : Gaussian bandwidth; None: each view's median distance.
    solver : "exact" (default) treats all errors in one step; "paper" splits them and grows mu from 1e-3 1.9-fold,
        which stops short of the optimum.

    Cost O(V n^2 + n^2 r) per iteration for a consensus of rank r; (V + 3) n^2 doubles while r is small beside n,
    at most (V + 6) n^2, and V n^2 more for "paper". Source: Xia, Pan, Du and Yin, AAAI 2014. The published code keeps
    the symmetric walk (D^1/2 P D^-1/2 + its transpose) / 2, D = diag(pi), whose rows do not sum to 1; here P itself.
    Status: verified.
    """

    spec: ClassVar[AlgorithmSpec] = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        lam: float = 0.005,
        sigma: float | None = None,
        solver: str = "exact",
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.sigma = sigma
        self.solver = solver
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return n_views + 6 + (n_views if self.solver == "paper" else 0)

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        if self.solver not in ("exact", "paper"):
            raise InvalidSetting(f"solver must be 'exact' or 'paper', not '{self.solver}'.")
        if self.lam < 0:
            raise InvalidSetting(f"lam must not be negative, and it is {self.lam}.")
        T = view_graphs(data, self.sigma, transition_probabilities)
        found = rmsc_published(T, self.lam) if self.solver == "paper" else rmsc(T, self.lam, overwrite=True)
        return Representation(
            embedding=unit_rows(markov_embedding(found.P, k)),
            objective=found.objective,
            n_iter=found.n_iter,
            converged=found.converged,
            stopped_because=found.stopped_because,
        )
