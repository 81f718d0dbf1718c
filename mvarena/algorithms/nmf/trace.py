"""The record of an alternating solver: its objective after each iteration, and why it stopped."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(eq=False, slots=True)
class Trace:
    """Objective values in order, and the rule that ends the iteration.

    tol : stop when one iteration changes the objective by less than this share of it; 0 never stops early.
    """

    tol: float
    values: list[float] = field(default_factory=list)
    converged: bool = False

    def add(self, value: float) -> bool:
        """Note `value`; True if the solver is done."""
        self.values.append(value)
        if len(self.values) > 1:
            change = abs(self.values[-2] - value)
            self.converged = change < self.tol * abs(value) or (self.tol > 0 and change == 0)
        return self.converged

    @property
    def objective(self) -> NDArray[np.float64]:
        return np.array(self.values)

    def reason(self, n_iter: int) -> str:
        """Why the solver stopped, as a sentence."""
        if self.converged:
            return f"the objective changed by less than {self.tol:g} of its value in iteration {n_iter}"
        return f"reached the limit of {n_iter} iterations"
