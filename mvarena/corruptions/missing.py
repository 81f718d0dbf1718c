"""MissingSamples: what the corruptions that remove samples from views have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.corruptions.rates import check_fraction, count_at, require_complete
from mvarena.data import MultiViewData


class MissingSamples(ABC):
    """Removes samples from views of complete data; a subclass says which.

    name : of the corruption. limit : in words, why there is a largest rate.
    """

    name: ClassVar[str]
    limit: ClassVar[str] = "one sample stays complete"

    def largest_count(self, data: MultiViewData) -> int:
        """The largest number of samples that a rate can stand for, with two views or more."""
        return data.n_samples - 1

    @abstractmethod
    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """(n, n_views) True where a sample loses a view; `count` is between 1 and the largest count."""

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate on `data`; 0 for a single view and for data that are incomplete already."""
        if data.n_views < 2 or not data.is_complete:
            return 0.0
        return self.largest_count(data) / data.n_samples

    def apply(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data with samples removed; `data` itself at a rate of 0, or one so small that it is no sample.

        Raises InvalidSetting for an impossible rate or incomplete data.
        """
        if rate == 0:
            return data
        require_complete(self.name, data)
        limit = self.limit if data.n_views > 1 else "each sample keeps a view, and there is only one"
        check_fraction(self.name, data, rate, self.largest_rate(data), limit)
        count = count_at(rate, data.n_samples)
        return data.with_mask(~self.losses(data, count, rng)) if count else data


class IncompleteSamples(MissingSamples):
    """The kind whose rate counts incomplete samples: some are chosen, then `patterns` says what they lose."""

    @abstractmethod
    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """(count, n_views) True where a chosen sample loses a view; no row loses every view."""

    def chosen(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """(count,) the samples that become incomplete: any, all alike."""
        return rng.permutation(data.n_samples)[:count]

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        chosen = self.chosen(data, count, rng)
        lost[chosen] = self.patterns(count, data.n_views, rng)
        return lost
