"""Error-robust multi-view clustering (Najafi, He and Yu 2017) and its three ablations.

    min  |P|_* + beta |E|_2,1 + lam |E|_G1,   T_v = P + E_v

over P (n, n) with rows on the simplex, for transition matrices T_v: |E|_2,1 sums the lengths of rows of the errors of
all views side by side, |E|_G1 those of the columns of each view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.markov_chains import complete_chains, count_isolating, markov_embedding
from mvarena.algorithms.graph.markov_consensus import MarkovConsensus, Schedule, SplitErrors, markov_consensus
from mvarena.algorithms.graph.view_graphs import Square, transition_probabilities, view_graphs
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.scaling import unit_embedding

_LEAST_NORM = 1e-300  # half of its inverse is a number
# squares that add up to less may have lost what matters to underflow
_LEAST_SQUARES = 1e-280
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
        self._rows = [_lengths(E, 1) for E in start]
        self._columns = [_lengths(E, 0) for E in start]
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
        self._new_rows[view][rows] = _root(squares, E, 1)
        self._new_columns[view][rows.start or 0] = _root(squares, E, 0)
        return E

    def penalty(self) -> float:
        """beta norm21(E) + lam norm_G1(E); the norms become the weights of the next step."""
        self._rows = [norms.copy() for norms in self._new_rows]
        self._columns = [np.hypot.reduce([parts[start] for start in sorted(parts)]) for parts in self._new_columns]
        return self.beta * float(np.sum(self._rows)) + self.lam * float(np.sum(self._columns))

    def _half_inverse(self, norms: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
        return np.asarray(weight / (2.0 * np.maximum(norms, max(self.floor, _LEAST_NORM))))


def _root(squares: Square, E: Square, axis: int) -> NDArray[np.float64]:
    """The lengths of E's rows (axis 1) or columns (axis 0), given the squares of its entries."""
    sums: NDArray[np.float64] = squares.sum(axis=axis)
    return np.sqrt(sums) if sums.min() > _LEAST_SQUARES else _lengths(E, axis)


def _lengths(E: Square, axis: int) -> NDArray[np.float64]:
    """The same without squares that underflow: each row or column is divided by its largest magnitude first."""
    largest = np.abs(E).max(axis=axis, keepdims=True)
    scaled = np.divide(E, largest, out=np.zeros(E.shape), where=largest > 0)
    return np.asarray(np.linalg.norm(scaled, axis=axis) * largest.squeeze(axis))


def emvc(
    T: Sequence[NDArray[np.floating]],
    beta: float,
    lam: float,
    start: Sequence[Square],
    schedule: Schedule = PAPER_SCHEDULE,
    *,
    floor: float = 0.0,
) -> MarkovConsensus:
    """min norm_*(P) + beta norm21(E) + lam norm_G1(E), E_v = T_v - P, rows of P on the simplex.

    T : V transition matrices (n, n), in double or single precision; start : the errors E_v to begin with (the paper:
    uniform random, the published code: standard normal); floor : as for `GroupErrors`.
    Cost as `markov_consensus` with `SplitErrors`. Source: the paper, Eq. 6 and Algorithm 3, with
    B = P^(i) - P - Y^(i) / mu as Eq. 8 demands (Eq. 15 prints the other sign).
    """
    return markov_consensus(len(T[0]), SplitErrors(T, GroupErrors(beta, lam, start, floor)), schedule)


class EMVC(SquareClusterer):
    """Low-rank shared transition matrix with row-wise and column-wise errors, then Markov spectral clustering.

    Parameters
    ----------
    beta, lam : weights of the row-wise (L2,1) and column-wise (group L1) errors; the paper finds values above 1e-3
        stable.
    squared_width : sigma^2 of the similarities exp(-d^2 / sigma^2). "median" (the paper's text: the median distance),
        "median-squared", which follows the scale of the data, or a number. The published code has t = 100 on rows of
        unit length but lacks the kernel that takes t: read as exp(-d^2 / (2 t^2)), as the reference numbers are, that
        is 20000; as exp(-d^2 / t) it is 100. Both are all but constant there, 1 - d^2 / squared_width.
    floor : the least norm that Eq. 15 divides by. 0 as published, when the errors all but vanish before P is fixed;
        1e-3 keeps them alive and ends at a lower objective.
    unit_rows : give the rows of the embedding unit length, as RMSC's published code does; the paper is silent.
    max_iter : at most so many iterations. With 7, P is what the published code stops at: it has the eigenvectors of the
        mean transition matrix, whatever beta and lam.

    Of a sample that a view misses that view's chain says nothing: see `complete_chains`.
    The errors start from 1 everywhere instead of at random: so the order of the samples does not matter. Iterations
    end when the constraints hold, as in the paper; meanwhile the objective may rise, although its theorem says not.
    """

    by_rows: ClassVar[bool] = True
    by_columns: ClassVar[bool] = True

    beta: NonNegative = 0.1
    lam: NonNegative = 0.1
    squared_width: Literal["median", "median-squared"] | Positive = "median"
    floor: NonNegative = 0.0
    unit_rows: bool = True
    max_iter: Count = 300

    def squares(self, n_views: int) -> int:
        return n_views + 6

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        T = view_graphs(data, None, _in_single, self._width)
        complete_chains(T, data.mask)
        result = emvc(
            T,
            self.beta * self.by_rows,
            self.lam * self.by_columns,
            [np.broadcast_to(1.0, T_v.shape) for T_v in T],
            replace(PAPER_SCHEDULE, max_iter=self.max_iter),
            floor=self.floor,
        )
        embedding = markov_embedding(result.P, n_clusters)
        if isolating := count_isolating(T, data.mask):
            result.history.remark(
                f"in {isolating} of the views samples are hardly similar to any other; "
                "a larger squared_width, such as 'median-squared' on data of large scale, brings them together"
            )
        return Representation(
            embedding=unit_embedding(embedding) if self.unit_rows else embedding, history=result.history
        )

    def _width(self, median: float) -> float:
        """sigma^2, given the median distance."""
        if isinstance(self.squared_width, str):
            return {"median": median, "median-squared": median**2}[self.squared_width]
        return self.squared_width


def _in_single(similarity: Square) -> NDArray[np.floating]:
    return transition_probabilities(similarity).astype(np.float32)


class EMVCTrace(EMVC):
    """EMVC(*) of the paper's ablation: the trace norm alone, beta = lam = 0; other parameters as for `EMVC`."""

    by_rows: ClassVar[bool] = False
    by_columns: ClassVar[bool] = False


class EMVCG1(EMVC):
    """EMVC(g1) of the paper's ablation: no row-wise errors, beta = 0; other parameters as for `EMVC`."""

    by_rows: ClassVar[bool] = False


class EMVCL21(EMVC):
    """EMVC(2,1) of the paper's ablation: no column-wise errors, lam = 0; other parameters as for `EMVC`."""

    by_columns: ClassVar[bool] = False
