"""missing-blocks: whole groups of samples lose the same views, as when a site never took a measurement."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Count
from mvarena.corruptions.missing import MissingSamples
from mvarena.data import MultiViewData


class GroupedLosses(MissingSamples):
    """Whole groups of samples become incomplete; a subclass says which.

    Each group draws how many views it loses, uniformly from 1 .. V - 1, and then which; all of its samples lose these.
    """

    @abstractmethod
    def groups(self, data: MultiViewData, count: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        """The groups of samples that lose views together, `count` samples in all."""

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        for group in self.groups(data, count, rng):
            views = rng.permutation(data.n_views)[: rng.integers(1, data.n_views)]
            lost[np.ix_(group, views)] = True
        return lost


class MissingBlocks(GroupedLosses):
    """round(rate * n) samples, in `n_groups` groups of equal size (within 1), become incomplete group by group.

    Each draws how many views it loses, uniformly from 1 .. V - 1, so per-view counts differ widely between draws.
    Groups are drawn at random: what is missing does not depend on the samples (missing-blocks-by-class is the variant
    in which it does). Cost O(n V).

    Parameters
    ----------
    n_groups : with fewer incomplete samples than that, each is a group.
    """

    n_groups: Count = 4

    def groups(self, data: MultiViewData, count: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        return np.array_split(rng.permutation(data.n_samples)[:count], min(self.n_groups, count))


class MissingBlocksByClass(GroupedLosses):
    """missing-blocks in which the groups are classes: what is missing depends on the label.

    Classes are taken in random order, each losing its own views as a whole, until round(rate * n) samples are
    incomplete; the last class is cut at random. Unlabelled samples count as one more class. Raises InvalidSetting
    for data without labels.
    """

    instead: ClassVar[str] = "missing-blocks"

    def largest_count(self, data: MultiViewData) -> int:
        self.classes(data)
        return super().largest_count(data)

    def groups(self, data: MultiViewData, count: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        classes = self.classes(data)
        groups = []
        for label in rng.permutation(np.unique(classes)):
            group = rng.permutation(np.flatnonzero(classes == label))[:count]
            groups.append(group)
            count -= group.size
        return [group for group in groups if group.size]
