"""missing-random and missing-fixed: how the multiple kernel k-means papers remove views."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Count
from mvarena.corruptions.missing import IncompleteSamples
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


class MissingRandom(IncompleteSamples):
    """The v >= v0 rule of the MKKM group (Liu et al., AAAI 2017 and AAAI 2019, section 4, missing ratio epsilon).

    round(rate * n) samples are drawn. Each draws v0 and v_1 .. v_V uniformly from [0, 1] and keeps view p where
    v_p >= v0; where it would keep none, v is drawn again. A drawn sample may thus keep all views: the rate counts
    drawn samples, and at most that share becomes incomplete. Cost O(n V).
    """

    limit: ClassVar[str] = "one sample is never drawn, so that every view observes one"

    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Views are decided one by one, each given that at least one is kept: the law of drawing v until one is."""
        kept = np.zeros((count, n_views), dtype=bool)
        lost_share = rng.random(count)  # v0: a view is lost with probability v0
        for p in range(n_views):
            none_yet = ~kept.any(axis=1)
            chance = 1.0 - lost_share
            chance[none_yet] /= 1.0 - lost_share[none_yet] ** (n_views - p)
            kept[:, p] = rng.random(count) < chance
        return ~kept


class MissingFixed(IncompleteSamples):
    """The fixed-number variant: each drawn sample loses the same number of views, and classes suffer alike.

    round(rate * n) samples are drawn, from each class in proportion to its size (rounded, labels permitting); each
    loses exactly `views_lost` views, drawn uniformly. The masks shipped with the MKKM group's code are of this kind;
    their exact numbers are not published, so half of the views (rounded down, at least one) is our choice.
    Cost O(n V).

    Parameters
    ----------
    views_lost : up to V - 1; None for max(1, V // 2).
    """

    views_lost: Count | None = None

    def check(self, data: MultiViewData, rate: float) -> None:
        """Raise InvalidSetting for an impossible rate, and where a sample has no more views than it is to lose."""
        if self.views_lost is not None and 1 < data.n_views <= self.views_lost:
            raise InvalidSetting(
                f"{self.spec.name}.views_lost must be at most {data.n_views - 1} with {data.n_views} views, not "
                f"{self.views_lost}.",
                field=f"{self.spec.name}.views_lost",
                value=self.views_lost,
            )
        super().check(data, rate)

    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        lost = max(1, n_views // 2) if self.views_lost is None else self.views_lost
        return rng.permuted(np.tile(np.arange(n_views) < lost, (count, 1)), axis=1)

    def chosen(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Samples in random order, each class spread evenly over it: every beginning holds each class's share."""
        order = super().chosen(data, data.n_samples, rng)
        if data.labels is None:
            return order[:count]
        position = np.empty(data.n_samples)
        for label in np.unique(data.labels):
            members = np.flatnonzero(data.labels[order] == label)
            position[members] = (np.arange(members.size) + rng.random()) / members.size
        return order[np.argsort(position, kind="stable")][:count]
