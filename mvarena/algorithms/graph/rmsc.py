"""Robust multi-view spectral clustering (Xia, Pan, Du and Yin 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mvarena.algorithms.graph.markov_consensus import Consensus, Schedule, markov_consensus, markov_embedding
from mvarena.algorithms.graph.specs_spectral import RMSC as SPEC
from mvarena.algorithms.graph.view_graphs import Square, transition_probabilities, view_similarities
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

PAPER_SCHEDULE = Schedule(mu=1e-3, rho=1.9, tol=1e-8, absolute=True)
DEFAULT_SCHEDULE = Schedule(mu=1.0, rho=1.1, tol=1e-4)


@dataclass(slots=True)
class SparseErrors:
    """lam sum abs(E): each entry of the errors is noise of its own."""

    lam: float
    _total: float = 0.0

    def start(self, view: int, T: Square) -> Square:
        """No errors: the start has no influence beyond rounding."""
        del view
        return np.zeros_like(T)

    def shrink(self, view: int, rows: slice, G: Square, mu: float) -> Square:
        """Soft thresholding at lam / mu."""
        del view, rows
        E = np.clip(G, -self.lam / mu, self.lam / mu)
        np.subtract(G, E, out=E)
        self._total += float(np.abs(E).sum())
        return E

    def penalty(self) -> float:
        """lam sum abs(E)."""
        total, self._total = self._total, 0.0
        return self.lam * total


def rmsc(T: Sequence[Square], lam: float, schedule: Schedule = DEFAULT_SCHEDULE) -> Consensus:
    """min norm_*(P) + lam sum_v norm1(T_v - P), rows of P on the simplex, by `markov_consensus`.

    The published code's schedule, PAPER_SCHEDULE, stops short of the optimum (1.2282 where 1.2083 is possible);
    DEFAULT_SCHEDULE raises mu slowly. Source: the paper, equation 3 and Algorithm 2.
    """
    return markov_consensus(T, SparseErrors(lam), schedule)


def rmsc_objective(P: Square, T: Sequence[Square], lam: float) -> float:
    """norm_*(P) + lam sum_v norm1(T_v - P). Cost O(n^3)."""
    return float(np.linalg.norm(P, "nuc")) + lam * sum(float(np.abs(T_v - P).sum()) for T_v in T)


class RMSC(SquareClusterer):
    """Low-rank shared transition matrix with sparse errors, then Markov spectral clustering.

    Parameters
    ----------
    lam : weight of the errors (the paper: 0.005). The errors sum over n^2 entries of order 1 / n, the trace norm does
        not grow with n: on small data a small lam leaves nothing but the uniform chain.
    sigma : Gaussian bandwidth; None: each view's median distance.
    schedule : "slow" (default) or "paper", mu from 1e-3 growing 1.9-fold.

    Cost O(V n^2 + n^2 r) per iteration for a consensus of rank r; (2 V + 7) n^2 doubles. Source: Xia, Pan, Du and
    Yin, AAAI 2014. The published code keeps the symmetric walk (D^1/2 P D^-1/2 + its transpose) / 2,
    D = diag(pi), whose rows do not sum to 1; here P itself. Status: verified.
    """

    spec: ClassVar[AlgorithmSpec] = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        lam: float = 0.005,
        sigma: float | None = None,
        schedule: str = "slow",
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.sigma = sigma
        self.schedule = schedule
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return 2 * n_views + 7

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        schedules = {"slow": DEFAULT_SCHEDULE, "paper": PAPER_SCHEDULE}
        if self.schedule not in schedules:
            raise InvalidSetting(f"schedule must be 'slow' or 'paper', not '{self.schedule}'.")
        if self.lam < 0:
            raise InvalidSetting(f"lam must not be negative, and it is {self.lam}.")
        T = [transition_probabilities(S) for S in view_similarities(data, self.sigma)]
        found = rmsc(T, self.lam, schedules[self.schedule])
        return Representation(
            embedding=markov_embedding(found.P, k),
            objective=found.objective,
            n_iter=found.n_iter,
            converged=found.converged,
            stopped_because=found.stopped_because,
        )
