"""Samples removed from views: missing-even, missing-random, missing-blocks, paired-ratio, and their base classes."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.corruption import count_at
from mvarena.contracts.parameters import Count
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
        count = count_at(rate, self.whole(part))
        if not count:
            return data
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        lost[data.complete_samples] = self.losses(part, count, rng)
        return data.with_mask(~lost)


class IncompleteSamples(MissingSamples):
    """Corruption whose rate counts incomplete samples: `patterns` draws the views that these lose."""

    @abstractmethod
    def patterns(self, count: int, n_views: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """(count, n_views) True where a chosen sample loses a view; no row loses every view."""

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        chosen = rng.permutation(data.n_samples)[:count]
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


# missing-random: how the multiple kernel k-means papers remove views.


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


# missing-blocks: whole groups of samples lose the same views, as when a site never took a measurement.


class MissingBlocks(MissingSamples):
    """round(rate * n) samples, in `n_groups` groups of equal size (within 1), become incomplete group by group.

    Each group draws how many views it loses, uniformly from 1 .. V - 1, and then which; all of its samples lose these.
    Per-view counts therefore differ widely between draws. Groups are drawn at random, whatever the samples hold.
    Cost O(n V).

    Parameters
    ----------
    n_groups : with fewer incomplete samples than that, each is a group.
    """

    n_groups: Count = 4

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        lost = np.zeros((data.n_samples, data.n_views), dtype=bool)
        for group in np.array_split(rng.permutation(data.n_samples)[:count], min(self.n_groups, count)):
            views = rng.permutation(data.n_views)[: rng.integers(1, data.n_views)]
            lost[np.ix_(group, views)] = True
        return lost


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
