"""missing-blocks: whole groups of samples lose the same views, as when a site never took a measurement."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.corruptions.missing import MissingSamples
from mvarena.corruptions.rates import require_classes
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


class MissingBlocks(MissingSamples):
    """round(rate * n) samples, in `n_groups` groups of equal size (within 1), become incomplete group by group.

    Each group draws how many views it loses, uniformly from 1 .. V - 1, and then which; all of its samples lose
    these. Per-view counts therefore differ widely between draws. Groups are drawn at random, so what is missing
    does not depend on the samples (missing-blocks-by-class is the variant in which it does). Cost O(n V).
    Source: the block-wise missing pattern of Yuan et al., KDD 2012, and Xiang et al., KDD 2013.

    Parameters
    ----------
    n_groups : at least 1; with fewer incomplete samples than that, each is a group.
    """

    name: ClassVar[str] = "missing-blocks"

    def __init__(self, *, n_groups: int = 4) -> None:
        self.n_groups = n_groups

    def groups(self, data: MultiViewData, count: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        """The groups of samples that lose views together, `count` samples in all."""
        if self.n_groups < 1:
            raise InvalidSetting(f"{self.name}: n_groups must be at least 1, not {self.n_groups}.")
        return np.array_split(rng.permutation(data.n_samples)[:count], min(self.n_groups, count))

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        for group in self.groups(data, count, rng):
            views = rng.permutation(data.n_views)[: rng.integers(1, data.n_views)]
            lost[np.ix_(group, views)] = True
        return lost


class MissingBlocksByClass(MissingBlocks):
    """missing-blocks in which the groups are classes: what is missing depends on the label.

    Classes are taken in random order, each losing its own views as a whole, until round(rate * n) samples are
    incomplete; the last class is cut at random. Unlabelled samples count as one more class. Raises InvalidSetting
    for data without labels.
    """

    name: ClassVar[str] = "missing-blocks-by-class"

    def __init__(self) -> None:
        super().__init__()

    def largest_count(self, data: MultiViewData) -> int:
        require_classes(self.name, data, "missing-blocks")
        return super().largest_count(data)

    def groups(self, data: MultiViewData, count: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        classes = require_classes(self.name, data, "missing-blocks")
        groups = []
        for label in rng.permutation(np.unique(classes)):
            group = rng.permutation(np.flatnonzero(classes == label))[:count]
            groups.append(group)
            count -= group.size
        return [group for group in groups if group.size]
