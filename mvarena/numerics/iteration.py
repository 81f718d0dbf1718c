"""One way to iterate: a stopping rule, and the history of a solver, which ends with a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

# an objective that has fallen to this share of its first value has reached 0, and its last changes are rounding noise
_NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class Stopping:
    """Stopping rule of an iteration.

    max_iter : at most so many.
    tol : they end where the objective changes by no more than this share of itself, or, for a solver that reports
        one, where the violation of its constraints is at most `tol`; 0 runs to the limit, or to no violation at all.
    relative_to : the value of which `tol` is a share: the "old" one, before the iteration, or the "new" one.
    earliest : the first iteration that may be the last.
    ends_at_zero : whether an objective that fell to a billionth of its first value has converged, too.
    """

    max_iter: int
    tol: float = 0.0
    relative_to: Literal["old", "new"] = "new"
    earliest: int = 1
    ends_at_zero: bool = False


def largest_magnitude(matrix: NDArray[np.floating]) -> float:
    """The largest magnitude of any entry, as of a violation, without a copy of the matrix; 0 where there is none."""
    return max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)))


class History:
    """The objective of a solver, iteration by iteration, and how it ended.

    Parameters
    ----------
    rule : when to end.
    start : the objective before the first iteration, if it is known: then it is the first of `objective`.
    compared_with : what the first value is compared with where there is no start, as a published program may do.
    measured : what a violation is, as the sentence says it.

        history = History(Stopping(max_iter=100, tol=1e-4))
        while not history.ended:
            ...
            history.add(objective)
    """

    def __init__(
        self,
        rule: Stopping,
        *,
        start: float | None = None,
        compared_with: float | None = None,
        measured: str = "the constraints hold to",
    ) -> None:
        self.rule = rule
        self._met = False
        self._overruled: bool | None = None
        self._values = [] if start is None else [float(start)]
        self._n_before = len(self._values)
        self._compared_with = compared_with
        self._measured = measured
        self._violations: list[float] = []
        self._sentence = ""
        self._remarks: list[str] = []

    def add(self, objective: float, *, violation: float | None = None) -> bool:
        """Note the end of an iteration: the objective, and the largest violation of the constraints where that is
        what ends the solver. True if this was the last iteration."""
        self._values.append(float(objective))
        if violation is not None:
            self._violations.append(float(violation))
        self._met = self._settled() if violation is None else self._holds(violation)
        return self.ended

    @property
    def converged(self) -> bool:
        """True if the rule was met, unless a remark overruled it."""
        return self._met if self._overruled is None else self._overruled

    @property
    def ended(self) -> bool:
        """True if the iterations are over."""
        return self._met or self.n_iter >= self.rule.max_iter

    @property
    def n_iter(self) -> int:
        """The iterations done."""
        return len(self._values) - self._n_before

    @property
    def objective(self) -> NDArray[np.float64]:
        """(n_iter,) after each iteration; (n_iter + 1,) with the start where that is known."""
        return np.array(self._values)

    @property
    def violation(self) -> NDArray[np.float64]:
        """(n_iter,) the largest violation after each iteration; empty for a solver that reports none."""
        return np.array(self._violations)

    @property
    def stopped_because(self) -> str:
        """Sentence on why the iteration stopped."""
        return "; ".join([self._sentence or self._reason(), *self._remarks])

    def remark(self, text: str, *, converged: bool | None = None) -> None:
        """Add to the sentence what the reader must know; `converged` overrules the rule."""
        self._remarks.append(text)
        if converged is not None:
            self._overruled = converged

    @classmethod
    def joined(cls, parts: Iterable[tuple[str, History]]) -> History:
        """One history of several solvers, by name: the objectives added up (one that ended early keeps its last
        value), as many iterations as the longest, converged if all are."""
        named = list(parts)
        longest = max((history for _, history in named), key=lambda history: len(history._values))
        length = len(longest._values)
        full = cls(longest.rule)
        padded = [np.pad(history.objective, (0, length - len(history._values)), mode="edge") for _, history in named]
        full._values = np.sum(padded, axis=0).tolist()
        full._n_before = longest._n_before
        full._met = all(history.converged for _, history in named)
        full._sentence = "; ".join(f"{name}: {history.stopped_because}" for name, history in named)
        return full

    def _settled(self) -> bool:
        """True if the last change of the objective is small."""
        if self.rule.tol <= 0 or self.n_iter < self.rule.earliest:
            return False
        new = self._values[-1]
        old = self._values[-2] if len(self._values) > 1 else self._compared_with
        if old is None:
            return False
        reference = old if self.rule.relative_to == "old" else new
        small = abs(new - old) <= self.rule.tol * abs(reference)
        return small or (self.rule.ends_at_zero and abs(new) <= _NOISE * abs(self._values[0]))

    def _holds(self, violation: float) -> bool:
        return self.n_iter >= self.rule.earliest and violation <= self.rule.tol

    def _reason(self) -> str:
        limit = f"the limit of {self.rule.max_iter} iterations was reached"
        if self._violations:
            held = f"{self._measured} {self._violations[-1]:.1e}"
            return f"{held} after {self.n_iter} iterations" if self._met else f"{limit}; {held}"
        if not self._met:
            return limit
        if self.rule.ends_at_zero and abs(self._values[-1]) <= _NOISE * abs(self._values[0]):
            return f"the objective fell to nothing in iteration {self.n_iter}"
        return f"the objective changed by no more than {self.rule.tol:g} of its value in iteration {self.n_iter}"
