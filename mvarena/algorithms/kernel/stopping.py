"""When the kernel methods stop: the relative change of the objective, as their authors' programs measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mvarena.algorithms.kernel.base import require_at_least

# an objective that has fallen to this share of its first value has reached 0, and its last changes are rounding noise
_NOISE = 1e-9


@dataclass(frozen=True, slots=True)
class Stopping:
    """Stop at iteration `earliest` or later if the objective changes by less than `tol` of itself, or at `max_iter`."""

    tol: float
    max_iter: int
    earliest: int = 3

    def __post_init__(self) -> None:
        require_at_least("tol", self.tol, 0)
        require_at_least("max_iter", self.max_iter, 1)

    def reason(self, objective: Sequence[float]) -> tuple[bool, str] | None:
        """(converged, a sentence) if the iterations end here, else None. `objective` has one value per iteration."""
        done = len(objective)
        if done >= max(self.earliest, 2):
            before, now = objective[-2], objective[-1]
            if abs(before - now) <= self.tol * abs(before) or abs(now) <= _NOISE * abs(objective[0]):
                return True, f"the objective changed by less than {self.tol:g} of its value in iteration {done}"
        if done >= self.max_iter:
            return False, f"the limit of {self.max_iter} iterations was reached"
        return None
