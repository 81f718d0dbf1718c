"""MissingSamples: what the corruptions that remove samples from views have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import count_at
from mvarena.corruptions.across_views import AcrossViews, complete_part
from mvarena.data import MultiViewData


class MissingSamples(AcrossViews):
    """Removes complete samples from views; a subclass says which.

    The rate is a share of the samples that are complete. Where some miss views by nature, these stay as they are and
    the complete ones alone are drawn from, so that a rate of 0 is the data as they are and every rate below the
    largest one leaves a view that observes each sample.
    """

    limit: ClassVar[str] = "one sample stays complete"

    def largest_count(self, data: MultiViewData) -> int:
        return data.n_samples - 1

    @abstractmethod
    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """(n, n_views) True where a sample of complete `data` loses a view; 1 <= `count` <= the largest count."""

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data with samples removed; `data` itself at a rate so small that it is no sample."""
        part = complete_part(data)
        count = count_at(rate, part.n_samples)
        if not count:
            return data
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        lost[data.complete_samples] = self.losses(part, count, rng)
        return data.with_mask(~lost)


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
