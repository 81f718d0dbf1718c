"""Samples removed from views: missing-even, -random, -fixed, -blocks, paired-ratio, and what these have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import count_at
from mvarena.contracts.parameters import Count
from mvarena.corruptions.across_views import AcrossViews, complete_part
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


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
        count = count_at(rate, self.whole(part))
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


# missing-even: a share of the samples become incomplete, and the views share the deletions evenly.


class MissingEven(IncompleteSamples):
    """APMC's partial data ratio (Guo and Ye, AAAI 2019, section 5.3).

    Exactly round(rate * n) samples, drawn at random, become incomplete. With two views each loses one of them; with
    V views it loses a number drawn uniformly from 1 .. V - 1. The views' counts of deletions differ by at most 1,
    each sample keeps at least one view, and at least one sample stays complete. Cost O(n V).
    """

    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Rows take the views in turn, each going on where the one before stopped, so the columns fill evenly.

        Wherever a round of views ends together with a row, the next rows see the views in a fresh random order: any
        set of views can go missing together, and none is preferred.
        """
        sizes = rng.integers(1, n_views, size=count)
        ends = np.cumsum(sizes)
        starts = ends - sizes
        turn = np.arange(n_views)
        by_turn = (turn[None, :] - starts[:, None]) % n_views < sizes[:, None]
        round_ends = ends % n_views == 0
        order_of_row = np.cumsum(round_ends) - round_ends
        orders = rng.permuted(np.tile(turn, (int(order_of_row[-1]) + 1, 1)), axis=1)
        lost = np.empty_like(by_turn)
        np.put_along_axis(lost, orders[order_of_row], by_turn, axis=1)
        return lost


# missing-random and missing-fixed: how the multiple kernel k-means papers remove views.


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


# missing-blocks: whole groups of samples lose the same views, as when a site never took a measurement.


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


# paired-ratio: a share of the samples stays paired, the rest is divided over the views.


class PairedRatio(IncompleteSamples):
    """PVC's split: n - round(rate * n) samples are seen in every view, each other one in a single view.

    The unpaired ones are divided equally (within 1) over the views: with two views half are seen in the first alone
    and half in the second alone, which is missing-even; with more, every unpaired sample loses V - 1 views. Note
    the direction: the rate is the unpaired fraction, so that 0 leaves the data as they are. Cost O(n V).
    Source: Li, Jiang and Zhou, AAAI 2014 (partial example ratio).
    """

    limit: ClassVar[str] = "one sample stays paired"

    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        kept = rng.permutation(n_views)[np.arange(count) % n_views]
        return np.arange(n_views)[None, :] != kept[:, None]
