"""Input of a picker: the results of several candidates on one point of a study, without their classes.

A picker is a function `Candidates -> Weights | None`. It answers with a weight for each candidate: 1 for the one that
it picks, equal shares among those that it cannot tell apart (so that no order of the candidates matters), or None where
it cannot say. A picker whose spec says `makes_labels` is a function `Candidates -> Labels` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.protocol import lowest_inertia
from mvarena.numerics.kmeans import Labelling

# (m,) nonnegative, sum 1
Weights: TypeAlias = NDArray[np.float64]
# (n,) cluster indices from 0
Labels: TypeAlias = NDArray[np.int64]

_SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """One result that may be picked.

    restarts : its labellings of the same n samples, at least one.
    params : what was asked of the algorithm. is_default : whether those are the algorithm's defaults.
    value : by the metric that the picker named, or for a picker by ground truth its score; the higher the better, NaN
        where it is not defined or not for this picker to see.
    """

    restarts: Sequence[Labelling]
    params: Mapping[str, Any] = field(default_factory=dict)
    is_default: bool = False
    value: float = float("nan")

    @property
    def labels(self) -> Labels:
        """(n,) those of the restart of lowest inertia, the first of equals: what a user would get."""
        return self.restarts[lowest_inertia([restart.inertia for restart in self.restarts])].labels


Candidates: TypeAlias = Sequence[Candidate]
Picker: TypeAlias = Callable[[Candidates], Weights | None]
LabelMaker: TypeAlias = Callable[[Candidates], Labels]


def shared_among(chosen: NDArray[np.bool_]) -> Weights | None:
    """Equal shares among the chosen candidates (m,); None where none is."""
    return chosen / chosen.sum() if chosen.any() else None


def best_of(values: NDArray[np.float64]) -> Weights | None:
    """All weight on the candidate of highest value (m,), shared among equals; NaN never wins. None if all are NaN."""
    if np.isnan(values).all():
        return None
    highest = np.nanmax(values)
    margin = _SAME * max(1.0, abs(highest)) if np.isfinite(highest) else 0.0
    return shared_among(values >= highest - margin)
