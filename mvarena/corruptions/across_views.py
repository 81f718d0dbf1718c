"""AcrossViews: what the corruptions that take views apart have in common: a rate of samples, in two views at least."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import Corruption
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


class AcrossViews(Corruption):
    """A corruption whose rate counts complete samples; a subclass says how many at most.

    instead : of a corruption that goes by classes, the one that does without.
    """

    instead: ClassVar[str] = ""

    @abstractmethod
    def largest_count(self, data: MultiViewData) -> int:
        """The largest number of samples that a rate can stand for, in complete data of two views or more."""

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate on `data`; 0 for a single view, and where no sample is complete (or must be, and is not)."""
        refused = self.spec.needs_complete and not data.is_complete
        if data.n_views < 2 or refused or not data.complete_samples.any():
            return 0.0
        part = complete_part(data)
        return self.largest_count(part) / part.n_samples

    def check(self, data: MultiViewData, rate: float) -> None:
        """Raise InvalidSetting for an impossible rate, for one view, and for data without the samples that it needs."""
        name = self.spec.name
        incomplete = int((~data.complete_samples).sum())
        if data.n_views < 2:
            raise InvalidSetting(
                f"{name} needs two views at least: each sample keeps a view, and {data.name} has only one."
            )
        if incomplete and self.spec.needs_complete:
            raise InvalidSetting(
                f"{name} needs complete data, and in {data.name} {incomplete} of {data.n_samples} samples miss a view "
                "already; leave it out there, or choose a complete data set."
            )
        if incomplete == data.n_samples:
            raise InvalidSetting(
                f"{name} removes views of complete samples, and {data.name} has none; take the data as they are "
                "(the corruption none)."
            )
        super().check(data, rate)

    def classes(self, data: MultiViewData) -> NDArray[np.int64]:
        """(n,) the classes of `data`, -1 where unlabelled; InvalidSetting where there are none."""
        if data.labels is None:
            raise InvalidSetting(
                f"{self.spec.name} goes by classes and {data.name} has no labels; use {self.instead} instead."
            )
        return data.labels


def complete_part(data: MultiViewData) -> MultiViewData:
    """The samples of `data` that every view observes; `data` itself where all are."""
    return data if data.is_complete else data.take(np.flatnonzero(data.complete_samples))
