"""AcrossViews: what the corruptions that take views apart have in common: complete data, and two views at least."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import Corruption
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


class AcrossViews(Corruption):
    """A corruption of complete data whose rate counts samples; a subclass says how many at most.

    instead : of a corruption that goes by classes, the one that does without.
    """

    instead: ClassVar[str] = ""

    @abstractmethod
    def largest_count(self, data: MultiViewData) -> int:
        """The largest number of samples that a rate can stand for, with two views or more."""

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate on `data`; 0 for a single view and for data that are incomplete already."""
        if data.n_views < 2 or not data.is_complete:
            return 0.0
        return self.largest_count(data) / data.n_samples

    def check(self, data: MultiViewData, rate: float) -> None:
        """Raise InvalidSetting for an impossible rate, for one view, and where samples miss views already: there a
        rate would no longer mean what it says."""
        name = self.spec.name
        if not data.is_complete:
            incomplete = int((~data.complete_samples).sum())
            raise InvalidSetting(
                f"{name} starts from complete data, and in {data.name} {incomplete} of {data.n_samples} samples "
                "miss a view already; take the data as they are (no corruption), choose a complete data set, or, "
                f"where another corruption removed them, name {name} before it."
            )
        if data.n_views < 2:
            raise InvalidSetting(
                f"{name} needs two views at least: each sample keeps a view, and {data.name} has only one."
            )
        super().check(data, rate)

    def classes(self, data: MultiViewData) -> NDArray[np.int64]:
        """(n,) the classes of `data`, -1 where unlabelled; InvalidSetting where there are none."""
        if data.labels is None:
            raise InvalidSetting(
                f"{self.spec.name} goes by classes and {data.name} has no labels; use {self.instead} instead."
            )
        return data.labels
