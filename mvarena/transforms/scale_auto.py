"""scale-auto: each feature view scaled by what its numbers are.

The rule looks at the observed rows: never at labels or methods. It is the table `RULE`; the first line that holds for a
view decides, and dense views are scaled alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import column_range, unit_range, unit_rows
from mvarena.transforms.filling import each_feature_view
from mvarena.transforms.scaling import of_unit_size, weighted_terms

_COUNTS_FILL = 0.25  # of the entries of a view of counts, at most so many are not zero
_LINKS_EACH = 5  # entries in the mean row, and in the mean column that is used
_SPARSE_FILL = 0.5
_UNLIKE_SPREADS = 100.0

STEPS: dict[str, Callable[[Any, NDArray[np.bool_]], Any]] = {
    "tfidf": weighted_terms,
    "unit-rows": lambda matrix, _: unit_rows(matrix),
    "unit-view": of_unit_size,
    "minmax": unit_range,
}


@dataclass(frozen=True)
class Numbers:
    """Numbers of a view that decide its scaling: its observed rows, and a few facts about their entries."""

    rows: Any

    @property
    def nonzero(self) -> NDArray[np.float64]:
        values = self.rows.data if sparse.issparse(self.rows) else self.rows
        return np.asarray(values[values != 0])

    @property
    def nonnegative(self) -> bool:
        return not (self.nonzero < 0).any()

    @property
    def fill(self) -> float:
        """The share of entries that are not zero."""
        return self.nonzero.size / (self.rows.shape[0] * self.rows.shape[1])

    @property
    def counted(self) -> bool:
        """True if they are sparse whole numbers, mostly 1 or 2 but not 1 throughout, as words are counted."""
        values = self.nonzero
        if not values.size or self.fill > _COUNTS_FILL or not self.nonnegative:
            return False
        return bool((values == np.round(values)).all() and np.median(values) <= 2 and values.max() > 1)

    @property
    def few_entries(self) -> bool:
        """True if rows, and columns that are used, hold few entries each, as a relation between samples does."""
        low, high = column_range(self.rows)
        fewest = min(self.rows.shape[0], max(1, int((high > low).sum())))
        return self.nonzero.size <= _LINKS_EACH * fewest

    @property
    def unlike_spreads(self) -> bool:
        """True if some column spreads a hundred times as wide as another: units differ."""
        low, high = column_range(self.rows)
        spreads = (high - low)[high > low]
        return bool(spreads.size and spreads.max() > _UNLIKE_SPREADS * spreads.min())


@dataclass(frozen=True)
class Case:
    """A line of the rule: what a view holds, how that is told, and the steps that follow."""

    holds: str
    told: Callable[[Numbers], bool]
    steps: tuple[str, ...]


_MEASUREMENTS = Case("measurements", lambda view: view.nonnegative or view.unlike_spreads, ("minmax", "unit-view"))
_COORDINATES = Case("coordinates", lambda _: True, ("unit-view",))
RULE: tuple[Case, ...] = (
    Case("counts", lambda view: view.counted and not view.few_entries, ("tfidf", "unit-rows")),
    Case("sparse", lambda view: view.nonnegative and view.fill <= _SPARSE_FILL, ("unit-rows",)),
    _MEASUREMENTS,
    _COORDINATES,
)


def scale_auto(data: MultiViewData) -> MultiViewData:
    """Each feature view after the steps that `RULE` has for what it holds.

    ============ ============================================================================ =================
    it holds     told by                                                                      steps
    ============ ============================================================================ =================
    counts       whole numbers >= 0, a quarter at most not 0, mostly 1 or 2, some above 1     tfidf, unit-rows
    sparse       any other >= 0, half at most not 0: weights, marks, links, ink               unit-rows
    measurements any other >= 0, or a column's range 100 times another's: histograms, lengths minmax, unit-view
    coordinates  any other: principal components, embeddings                                  unit-view
    ============ ============================================================================ =================

    Links that are counted (at most 5 in the mean row and in the mean column that has any) are sparse: one is not worth
    more for being rare, where most are. Rare words do tell more, and the length of a row is that of a text, or an
    amount of ink. Measurements become comparable in a range of their own. Principal components do not: how far each
    spreads is how much it tells, so the view is scaled as a whole. unit-view makes the views one size.

    Where one view holds measurements, those that would be coordinates count as measurements, too. Descriptors of one
    object are often told apart by a few negative values alone, and views that are scaled in two ways differ in more
    than what they say of the samples.

    Kernel and distance views stay as they are. Raises Incompatible where no view holds features. Cost O(entries), or
    O(n d) where a view becomes dense.
    """
    cases = {view.name: case for view, case in zip(data.views, cases_of(data), strict=True)}

    def scaled(view: View, observed: NDArray[np.bool_]) -> Any:
        matrix, case = view.matrix, cases[view.name]
        for step in case.steps if case else ():
            matrix = STEPS[step](matrix, observed)
        return matrix

    return each_feature_view("scale-auto", data, scaled)


def decisions(data: MultiViewData) -> dict[str, str]:
    """View -> what `scale_auto` takes it for and does: 'counts -> tfidf, unit-rows'."""
    cases = zip(data.views, cases_of(data), strict=True)
    return {view.name: f"{case.holds} -> {', '.join(case.steps)}" for view, case in cases if case}


def cases_of(data: MultiViewData) -> list[Case | None]:
    """The line of the rule for each view of features, None for the others."""
    cases = [
        case_of(view, observed) if view.kind == "features" else None
        for view, observed in zip(data.views, data.mask.T, strict=True)
    ]
    return [_MEASUREMENTS if case is _COORDINATES and _MEASUREMENTS in cases else case for case in cases]


def case_of(view: View, observed: NDArray[np.bool_]) -> Case:
    """The first line of the rule that holds for the rows that the view observes, whatever the other views hold."""
    numbers = Numbers(view.matrix[np.flatnonzero(observed)])
    return next(case for case in RULE if case.told(numbers))
