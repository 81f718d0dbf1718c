"""Error-robust multi-view clustering (Najafi, He and Yu 2017) and its three ablations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.markov_consensus import Consensus, Schedule, markov_consensus, markov_embedding
from mvarena.algorithms.graph.specs_spectral import EMVC as SPEC
from mvarena.algorithms.graph.specs_spectral import EMVC_G1, EMVC_L21, EMVC_TRACE
from mvarena.algorithms.graph.split_errors import SplitErrors, total_by_rows
from mvarena.algorithms.graph.view_graphs import Square, transition_probabilities, view_graphs
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.scaling import unit_rows

_LEAST_NORM = 1e-150  # of those whose square is a number
# of a transition matrix: with more on the diagonal on average, a view says next to nothing about clusters
_ALONE = 0.5
PAPER_SCHEDULE = Schedule(mu=1e-6, rho=1.9, tol=1e-8, absolute=True)


class GroupErrors:
    """beta norm21(E) + lam norm_G1(E): whole rows, and whole columns within a view, are in error together.

    One reweighted step per call (Eq. 15): the weights 1 / (2 norm) come from the previous E, and only its row
    and column norms are kept. The factor 1/2 is the paper's; with the 1/2 of Eq. 13 the fixed point minimises
    half the stated penalties. floor : the least norm to divide by; the paper has none.
    """

    def __init__(self, beta: float, lam: float, start: Sequence[Square], floor: float = 0.0) -> None:
        self.beta, self.lam, self.floor = beta, lam, floor
        self._start = start
        self._rows = [np.linalg.norm(E, axis=1) for E in start]
        self._columns = [np.linalg.norm(E, axis=0) for E in start]
        self._new_rows = [np.zeros(len(E)) for E in start]
        self._new_columns: list[dict[int, NDArray[np.float64]]] = [{} for _ in start]

    def start(self, view: int, rows: slice, T: Square) -> Square:
        """The given start."""
        del T
        return self._start[view][rows]

    def shrink(self, view: int, rows: slice, G: Square, mu: float) -> Square:
        """Eq. 15: E = B / (1 + beta / mu / (2 norm(e^i)) + lam / mu / (2 norm(e_l^j))), entry by entry."""
        weights = 1.0 + self._half_inverse(self._rows[view][rows], self.beta / mu)[:, None]
        E = weights + self._half_inverse(self._columns[view], self.lam / mu)
        np.divide(G, E, out=E)
        squares = E * E
        self._new_rows[view][rows] = np.sqrt(squares.sum(axis=1))
        self._new_columns[view][rows.start or 0] = squares.sum(axis=0)
        return E

    def penalty(self) -> float:
        """beta norm21(E) + lam norm_G1(E); the norms become the weights of the next step."""
        self._rows = [norms.copy() for norms in self._new_rows]
        self._columns = [np.sqrt(total_by_rows(squares)) for squares in self._new_columns]
        return self.beta * float(np.sum(self._rows)) + self.lam * float(np.sum(self._columns))

    def _half_inverse(self, norms: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
        return np.asarray(weight / (2.0 * np.maximum(norms, max(self.floor, _LEAST_NORM))))


def emvc(
    T: Sequence[NDArray[np.floating]],
    beta: float,
    lam: float,
    start: Sequence[Square],
    schedule: Schedule = PAPER_SCHEDULE,
    *,
    floor: float = 0.0,
) -> Consensus:
    """min norm_*(P) + beta norm21(E) + lam norm_G1(E), E_v = T_v - P, rows of P on the simplex.

    T : V transition matrices (n, n), in double or single precision; start : the errors E_v to begin with (the paper:
    uniform random, the published code: standard normal); floor : as for `GroupErrors`.
    Cost as `markov_consensus` with `SplitErrors`. Source: emvc.md, Eq. 6 and Algorithm 3, with
    B = P^(i) - P - Y^(i) / mu as Eq. 8 demands (Eq. 15 prints the other sign).
    """
    return markov_consensus(len(T[0]), SplitErrors(T, GroupErrors(beta, lam, start, floor)), schedule)


class EMVC(SquareClusterer):
    """Low-rank shared transition matrix with row-wise and column-wise errors, then Markov spectral clustering.

    Parameters
    ----------
    beta, lam : weights of the row-wise (L2,1) and column-wise (group L1) errors; the paper searches 1e-9 to 1e9 by
        ground truth and finds values above 1e-3 stable.
    bandwidth : sigma^2 of the similarities exp(-d^2 / sigma^2). "median" (the paper's text: the median distance),
        "median-squared", which follows the scale of the data: with "median", 200 z-scored features leave every sample
        similar to itself alone; or a number: 100, on rows of unit length, is what the published code has.
    floor : the least norm that Eq. 15 divides by. 0, as published: while mu is small each step multiplies the errors by
        about mu / beta (down to norms of 1e-79 for beta = lam = 0.1 on the golden input), and by the time that they
        have grown again the growing mu has all but fixed P. A floor of 1e-3 keeps the errors alive and ends at a lower
        objective (1.97 instead of 2.26, 4.84 instead of 5.15, 1.13 instead of 1.66 on the golden input).
    unit_rows : give the rows of the embedding unit length, as the published code of RMSC does with the same chain; the
        paper's Algorithm 2 does not say so, but its figures are out of reach without (reports/emvc).
    max_iter : at most so many iterations. With 7 P is the published code's, which stops at the next one: V parts of the
        mean of the transition matrices and one of 1 / n, so that it has the eigenvectors of that mean (reports/emvc).

    The errors start from 1 everywhere instead of at random: a constant makes the result the same for any order of the
    samples. Cost as RMSC's with `solver="paper"`; (V + 6) n^2 doubles, as the transition matrices and the multipliers
    are kept in single precision. Status: verified, from the published code's start to its hundredth iteration. That
    code stops at the first iteration (the eighth) that does not lower its objective, when P does not depend on beta and
    lam yet; here the paper's rule holds: iterate until the constraints do. After the eighth iteration the objective
    rises, although the paper's theorem says that it falls.
    """

    spec: ClassVar[AlgorithmSpec] = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        beta: float = 0.1,
        lam: float = 0.1,
        bandwidth: str | float = "median",
        floor: float = 0.0,
        unit_rows: bool = True,
        max_iter: int = 300,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.lam = lam
        self.bandwidth = bandwidth
        self.floor = floor
        self.unit_rows = unit_rows
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return n_views + 6

    def _weights(self) -> tuple[float, float]:
        return self.beta, self.lam

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        width = self._width()
        if self.max_iter < 1:
            raise InvalidSetting(f"max_iter must be at least 1, not {self.max_iter}.")
        beta, lam = self._weights()
        if beta < 0 or lam < 0:
            raise InvalidSetting(f"beta and lam must not be negative, and they are {beta} and {lam}.")
        if self.floor < 0:
            raise InvalidSetting(f"floor must not be negative, and it is {self.floor}.")
        T = view_graphs(data, None, _in_single, width)
        alone = sum(np.trace(T_v) > _ALONE * len(T_v) for T_v in T)
        schedule = replace(PAPER_SCHEDULE, max_iter=self.max_iter)
        found = emvc(T, beta, lam, [np.broadcast_to(1.0, T_v.shape) for T_v in T], schedule, floor=self.floor)
        embedding = markov_embedding(found.P, k)
        return Representation(
            embedding=unit_rows(embedding) if self.unit_rows else embedding,
            objective=found.objective,
            n_iter=found.n_iter,
            converged=found.converged,
            stopped_because=found.stopped_because + self._on_scale(alone),
        )

    def _width(self) -> Callable[[float], float]:
        """sigma^2 from the median distance."""
        bandwidth = self.bandwidth
        if bandwidth == "median":
            return lambda distance: distance
        if bandwidth == "median-squared":
            return lambda distance: distance**2
        if isinstance(bandwidth, str) or not 0 < bandwidth < np.inf:
            raise InvalidSetting(
                f"bandwidth must be 'median', 'median-squared' or a positive number (sigma^2), not {bandwidth!r}."
            )
        return lambda _: bandwidth

    def _on_scale(self, alone: int) -> str:
        """What to say when samples of so many views keep to themselves, as those of large scale do with "median"."""
        if not alone:
            return ""
        fits = self.bandwidth == "median-squared"
        advice = "" if fits else "; bandwidth='median-squared' follows the scale of the data"
        return f"; in {alone} of the views samples are hardly similar to any other{advice}"


def _in_single(similarity: Square) -> NDArray[np.floating]:
    return transition_probabilities(similarity).astype(np.float32)


class EMVCTrace(EMVC):
    """EMVC(*) of the paper's ablation: the trace norm alone, beta = lam = 0."""

    spec: ClassVar[AlgorithmSpec] = EMVC_TRACE

    def _weights(self) -> tuple[float, float]:
        return 0.0, 0.0


class EMVCG1(EMVC):
    """EMVC(g1) of the paper's ablation: no row-wise errors, beta = 0."""

    spec: ClassVar[AlgorithmSpec] = EMVC_G1

    def _weights(self) -> tuple[float, float]:
        return 0.0, self.lam


class EMVCL21(EMVC):
    """EMVC(2,1) of the paper's ablation: no column-wise errors, lam = 0."""

    spec: ClassVar[AlgorithmSpec] = EMVC_L21

    def _weights(self) -> tuple[float, float]:
        return self.beta, 0.0
