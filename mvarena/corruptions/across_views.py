"""Corruptions that take views apart, at a rate of samples, in two views at least: their base, and swapped-pairs."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

import numpy as np

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


class AcrossViews(Corruption):
    """A corruption whose rate counts complete samples, or their rows; a subclass says how many at most."""

    @abstractmethod
    def largest_count(self, data: MultiViewData) -> int:
        """The largest number of samples that a rate can stand for, in complete data of two views or more."""

    def whole(self, data: MultiViewData) -> int:
        """The number that a rate of 1 would stand for in complete data: the samples, unless a subclass says."""
        return data.n_samples

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate on `data`; 0 for a single view, and where no sample is complete (or must be, and is not)."""
        refused = self.spec.needs_complete and not data.is_complete
        if data.n_views < 2 or refused or not data.complete_samples.any():
            return 0.0
        part = complete_part(data)
        return self.largest_count(part) / self.whole(part)

    def check(self, data: MultiViewData, rate: float) -> None:
        """Raise InvalidSetting for an impossible rate, for one view, and for data without the samples that it needs."""
        name = self.spec.name
        incomplete = int((~data.complete_samples).sum())
        if data.n_views < 2:
            raise InvalidSetting(
                f"{name} needs at least two views: each sample keeps one view, and {data.name} has only one."
            )
        if incomplete and self.spec.needs_complete:
            raise InvalidSetting(
                f"{name} needs complete data, and in {data.name} {incomplete} of {data.n_samples} samples already "
                "miss a view; choose a complete data set."
            )
        if incomplete == data.n_samples:
            raise InvalidSetting(
                f"{name} removes views of complete samples, and {data.name} has none; use the data as they are (the "
                "corruption none)."
            )
        super().check(data, rate)


def complete_part(data: MultiViewData) -> MultiViewData:
    """The samples of `data` that every view observes; `data` itself where all are."""
    return data if data.is_complete else data.take(np.flatnonzero(data.complete_samples))


# swapped-pairs: a share of the samples is misaligned between the views.


class SwappedPairs(AcrossViews):
    """2 round(rate * n / 2) samples, drawn at random, swap their rows in pairs in every view but the first.

    The views pair the drawn samples independently. The first view and the labels stay, so in each further view exactly
    these samples carry another sample's row. Kernel and distance views swap rows and columns. Cost O(n d).
    """

    limit: ClassVar[str] = "two samples for each swap"

    def largest_count(self, data: MultiViewData) -> int:
        return 2 * (data.n_samples // 2)

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The misaligned data; `data` itself at a rate so small that it is no pair."""
        pairs = count_at(rate / 2, data.n_samples)
        if pairs == 0:
            return data
        chosen = rng.permutation(data.n_samples)[: 2 * pairs]
        views = [data.views[0]]
        for v in range(1, data.n_views):
            first, second = np.split(rng.permutation(chosen), 2)
            order = np.arange(data.n_samples)
            order[first], order[second] = second, first
            views.append(replace(data.views[v], matrix=data.take(order).views[v].matrix))
        return data.with_views(views)
