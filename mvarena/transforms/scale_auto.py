"""scale-auto: each feature view scaled by what its numbers are.

The rule looks at the observed rows: never at labels or methods. It is the table `RULE`; the first line that holds for a
view decides; full views that are not centred are scaled alike, and centred ones are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.feature_views import each_feature_view
from mvarena.data import MultiViewData, View
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.scaling import unit_range, unit_rows
from mvarena.transforms.scaling import of_unit_size, weighted_terms

_COUNTS_FILL = 0.25  # of the entries of a view of words or links, at most so many are not zero
_LINKS_EACH = 5  # entries in the mean row, and in the mean column that is used
_SPARSE_FILL = 0.5
_TENTHS = (0.1, 0.9)
_FEW = 0.01  # single values: a share of the entries up to which they decide nothing
_CONSTANT = 1e-9  # spread of a column, in units of its mean, that is rounding
_UNLIKE = 3.0  # of the columns' spreads, the ninth tenth over the first
_OUTWEIGHING = 10.0  # the widest of the columns' spreads over their median
_CENTRED = 0.5  # mean of the median column, in units of its spread
_UNEVEN = 2.0  # of the rows' lengths, the ninth tenth over the first, beside that of as many normal columns

STEPS: dict[str, Callable[[Any, NDArray[np.bool_]], Any]] = {
    "tfidf": weighted_terms,
    "unit-rows": lambda matrix, _: unit_rows(matrix),
    "unit-view": of_unit_size,
    "minmax": unit_range,
}


@dataclass(frozen=True)
class Numbers:
    """Numbers of a view that decide its scaling: its observed rows, and a few facts about most of their entries."""

    rows: Any

    @cached_property
    def nonzero(self) -> NDArray[np.float64]:
        values = self.rows.data if sparse.issparse(self.rows) else self.rows
        return np.asarray(values[values != 0])

    @property
    def nonnegative(self) -> bool:
        """True if next to no entry is negative."""
        return _share(self.nonzero < 0) <= _FEW

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
        whole = _share(values == np.round(values)) >= 1 - _FEW
        return bool(whole and np.median(values) <= 2 and _share(values > 1) > _FEW)

    @property
    def few_entries(self) -> bool:
        """True if rows, and columns that are used, hold few entries each, as a relation between samples does."""
        fewest = min(self.rows.shape[0], max(1, int((self.spreads > 0).sum())))
        return self.nonzero.size <= _LINKS_EACH * fewest

    @cached_property
    def means(self) -> NDArray[np.float64]:
        return np.asarray(self.rows.mean(axis=0)).ravel()

    @cached_property
    def spreads(self) -> NDArray[np.float64]:
        """(d,) the mean absolute deviation of each column from its mean."""
        n, means = self.rows.shape[0], self.means
        if not sparse.issparse(self.rows):
            return np.asarray(np.abs(self.rows - means).mean(axis=0))
        stored = np.bincount(self.rows.indices, minlength=len(means))
        gaps = np.abs(self.rows.data - means[self.rows.indices])
        return (np.bincount(self.rows.indices, gaps, len(means)) + (n - stored) * np.abs(means)) / n

    @property
    def unlike_spreads(self) -> bool:
        """True if columns come in units of their own: many spread thrice as wide as others, or one outweighs all."""
        spreads = self.spreads[self.spreads > _CONSTANT * np.abs(self.means)]
        if not spreads.size:
            return False
        low, middle, high = np.quantile(spreads, [0.1, 0.5, 0.9])
        return bool(high > _UNLIKE * low or spreads.max() > _OUTWEIGHING * middle)

    @property
    def centred(self) -> bool:
        """True if the columns have means near 0, as principal components and embeddings have."""
        used = self.spreads > 0
        return bool(used.any() and np.median(np.abs(self.means[used]) / self.spreads[used]) <= _CENTRED)

    @property
    def uneven_rows(self) -> bool:
        """True if lengths of rows vary more than twice as much as with independent normal columns of these spreads.

        Squared lengths of such rows are about a chi-square of (sum s^2)^2 / sum s^4 degrees of freedom.
        """
        from scipy.special import gammaincinv  # slow to import, and not needed for a plan

        low, high = np.quantile(np.sqrt(squared_norms(self.rows)), _TENTHS)
        shares = np.square(self.spreads / self.spreads.max())
        freedom = float(shares.sum() ** 2 / np.square(shares).sum())
        usual = np.sqrt(np.divide(*gammaincinv(freedom / 2, _TENTHS[::-1])))
        return bool(high > _UNEVEN * usual * low)


def _share(holds: NDArray[np.bool_]) -> float:
    return float(holds.mean()) if holds.size else 0.0


@dataclass(frozen=True)
class Case:
    """A line of the rule: what a view holds, how that is told, and the steps that follow."""

    holds: str
    told: Callable[[Numbers], bool]
    steps: tuple[str, ...]


_SPARSE = ("unit-rows",)
_MEASUREMENTS = Case("measurements", lambda view: view.unlike_spreads and not view.centred, ("minmax", "unit-view"))
_MARKS = Case("marks", lambda view: view.nonnegative and view.fill <= _SPARSE_FILL, _SPARSE)
_AMOUNTS = Case("amounts", lambda view: not view.centred, ("unit-view",))
_DIRECTIONS = Case("directions", lambda view: view.uneven_rows, ("unit-rows",))
_COORDINATES = Case("coordinates", lambda _: True, ("unit-view",))
RULE: tuple[Case, ...] = (
    Case("counts", lambda view: view.counted and not view.few_entries, ("tfidf", "unit-rows")),
    Case("sparse", lambda view: view.nonnegative and view.fill <= _COUNTS_FILL, _SPARSE),
    _MEASUREMENTS,
    _MARKS,
    _AMOUNTS,
    _DIRECTIONS,
    _COORDINATES,
)
# what a view counts as where another view of the data is that
_ALIKE = {_MARKS: _MEASUREMENTS, _AMOUNTS: _MEASUREMENTS, _COORDINATES: _DIRECTIONS}


def scale_auto(data: MultiViewData) -> MultiViewData:
    """Each feature view after the steps that `RULE` has for what it holds.

    ============ ==================================================================================== =================
    it holds     told by                                                                              steps
    ============ ==================================================================================== =================
    counts       sparse whole numbers (a quarter at most not 0), mostly 1 or 2, some above 1          tfidf, unit-rows
    sparse       any other that is a quarter full at most: weights of words, links                    unit-rows
    measurements columns in units of their own, not centred: lengths and ages, histograms             minmax, unit-view
    marks        half full at most: ink on paper, scores that are mostly 0                            unit-rows
    amounts      any other that is not centred: pixels, log expression                                unit-view
    directions   centred, rows of very uneven length: embeddings of texts                             unit-rows
    coordinates  any other: principal components                                                      unit-view
    ============ ==================================================================================== =================

    Counts, sparse ones and marks are not negative. All is decided by most of the entries: up to 1 % of single
    values, such as negative ones, decide nothing. The spread of a column is its mean absolute deviation. Columns have
    units of their own where the spread at nine tenths of the columns is above 3 times that at one tenth, or the widest
    above 10 times the median; then a few columns would decide all distances. They are centred where the median column
    has a mean below half of its spread: how far a principal component spreads is how much it tells, so such views are
    scaled as a whole. Lengths of rows are uneven where the same tenths of them differ twice as much as those of as many
    independent normal columns of these spreads.

    Links that are counted (at most 5 in the mean row and in the mean column that has any) are sparse: one is not worth
    more for being rare, where most are. Rare words do tell more, and the length of a row is that of a text, or an
    amount of ink. unit-view makes the views one size.

    Where one view holds measurements, those that would be marks or amounts count as measurements, too, and coordinates
    as directions where one holds these: views of one object that are scaled in two ways differ in more than what they
    say of the samples.

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
    return [_ALIKE[case] if case in _ALIKE and _ALIKE[case] in cases else case for case in cases]


def case_of(view: View, observed: NDArray[np.bool_]) -> Case:
    """The first line of the rule that holds for the rows that the view observes, whatever the other views hold."""
    numbers = Numbers(view.matrix[np.flatnonzero(observed)])
    return next(case for case in RULE if case.told(numbers))
