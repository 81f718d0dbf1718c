"""Corruptions whose rate counts the missing samples of each view: at random, unequally, or by their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from mvarena.contracts.parameters import NonNegative, Positive
from mvarena.corruptions.missing import MissingSamples
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.kernels import row_blocks, squared_norms

# missing-per-view: the same share of the samples is deleted from every view.

_SWEEPS = 3


class MissingPerView(MissingSamples):
    """MIC's incomplete rate (Shao, He and Yu, ECML PKDD 2015, section 4.4).

    Exactly round(rate * n) samples are deleted from every view, at random subject to each sample staying in one view
    at least: up to floor(n (V - 1) / V) of them, since n samples spare V - 1 views each. Cost O(n V).
    """

    limit: ClassVar[str] = "each sample keeps at least one view"

    def largest_count(self, data: MultiViewData) -> int:
        return data.n_samples * (data.n_views - 1) // data.n_views

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        return losses_per_view(data.n_samples, np.full(data.n_views, count), rng)


def losses_per_view(
    n: int, counts: NDArray[np.int64], rng: np.random.Generator, weights: NDArray[np.float64] | None = None
) -> NDArray[np.bool_]:
    """(n, V) True where a sample loses a view: counts[v] in column v, at most V - 1 in a row.

    Parameters
    ----------
    n : the number of samples.
    counts : (V,) deletions per view, each at most n and n (V - 1) in all.
    weights : (n, V) above 0; the samples of a view are drawn one after another, each with a chance proportional to
        its weight among those left. None: all alike.

    Columns are drawn independently, then `_give_back` mends the rows that lost everything; that mending favours rows
    with V - 1 losses, so each column is then redrawn a few times given the others. These are Gibbs sweeps. Without
    weights their stationary law is uniform over all such tables. Cost O(n V), O(n V log n) with weights.
    """
    n_views = len(counts)
    lost = np.zeros((n, n_views), dtype=bool)

    def drawn(rows: NDArray[np.int64], v: int) -> NDArray[np.int64]:
        if weights is None:
            return rng.permutation(rows)[: counts[v]]
        waiting_times = rng.exponential(size=rows.size) / weights[rows, v]  # the smallest comes first
        return rows[np.argsort(waiting_times, kind="stable")[: counts[v]]]

    for v in range(n_views):
        lost[drawn(np.arange(n), v), v] = True
    _give_back(lost, rng)
    losses = lost.sum(axis=1)
    for _ in range(_SWEEPS):
        for v in range(n_views):
            losses -= lost[:, v]
            free = np.flatnonzero(losses < n_views - 1)
            lost[:, v] = False
            lost[drawn(free, v), v] = True
            losses += lost[:, v]
    return lost


def _give_back(lost: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Each row that lost every view gets one back, and a row that keeps two or more loses that view instead.

    There are always enough of them: the losses are at most n (V - 1) in all. Cost O(n V).
    """
    n, n_views = lost.shape
    empty = np.flatnonzero(lost.all(axis=1))
    kept_first = np.argsort(rng.random(lost.shape) + lost, axis=1)
    spare = np.maximum(n_views - 1 - lost.sum(axis=1), 0)
    rows = np.repeat(np.arange(n), spare)
    nth = np.arange(rows.size) - np.repeat(np.cumsum(spare) - spare, spare)
    taken = rng.permutation(rows.size)[: empty.size]
    views = kept_first[rows[taken], nth[taken]]
    lost[rows[taken], views] = True
    lost[empty, views] = False


# missing-unbalanced: every view has a rate of its own.


class MissingUnbalanced(MissingSamples):
    """Views with missing rates of their own (the setting of Fang et al., arXiv:2011.10254), whose mean is the rate.

    View v misses the fraction rate * V * shares[v] / sum(shares) of the samples. Of the n V rows of all views exactly
    round(rate * n V) are deleted; each view's number is rounded up or down so that they add up (largest remainders
    first). Which samples a view loses is drawn at random, subject to each sample staying in one view at least. This
    rule and its shares are ours. Cost O(n V).

    Rates that are wanted as they are can be given as shares, at their mean: [0.1, 0.5, 0.9] at a rate of 0.5. Another
    order of the views reorders the mask and changes nothing else, as draws take views by name.

    Parameters
    ----------
    shares : for each view, in order, its missing rate relative to those of the others, such as [1, 2, 4]; 0 for a
        view that misses nothing. None for 1, 2 .. V, given to the views at random in each repeat.
    """

    shares: Sequence[NonNegative] | None = None
    limit: ClassVar[str] = "each sample keeps at least one view, and each view keeps one sample"

    def whole(self, data: MultiViewData) -> int:
        return data.n_samples * data.n_views

    def largest_count(self, data: MultiViewData) -> int:
        shares = self.shares_of(data)
        spared = data.n_samples * (data.n_views - 1)
        of_largest = (data.n_samples - 1) * shares.sum() / shares.max()
        return min(spared, int(of_largest + 1e-9))

    def shares_of(self, data: MultiViewData) -> NDArray[np.float64]:
        """(V,) the shares, of None in rising order. Raises InvalidSetting unless there is one for each view."""
        if self.shares is None:
            return np.arange(1.0, data.n_views + 1)
        shares = np.array(self.shares, dtype=np.float64)
        if len(shares) != data.n_views or not shares.any():
            raise InvalidSetting(
                f"{self.spec.name}.shares must be {data.n_views} numbers for the {data.n_views} views of {data.name}, "
                f"one of them above 0, not {list(self.shares)}.",
                field=f"{self.spec.name}.shares",
                value=self.shares,
            )
        return shares

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        order = by_name(data)
        shares = self.shares_of(data)
        shares = rng.permutation(shares) if self.shares is None else shares[order]
        return placed(losses_per_view(data.n_samples, apportioned(count, shares), rng), order)


def apportioned(count: int, shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """`count` divided in proportion to `shares` into whole numbers, the largest remainders rounded up.

    Of equal remainders the first ones are rounded up. No number differs by 1 or more from its proportion.
    """
    exact = count * shares / shares.sum()
    whole: NDArray[np.int64] = np.floor(exact).astype(np.int64)
    whole[np.argsort(whole - exact, kind="stable")[: count - whole.sum()]] += 1
    return whole


def by_name(data: MultiViewData) -> NDArray[np.int64]:
    """(V,) the views in the order of their names, in which draws take them: the order of the data does not count."""
    return np.array(sorted(range(data.n_views), key=lambda v: data.view_names[v]))


def placed(columns: NDArray[np.bool_], order: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The columns, drawn for the views `order`, where these stand in the data."""
    result = np.empty_like(columns)
    result[:, order] = columns
    return result


# missing-by-value: what a view misses depends on what it would have shown.


class MissingByValue(MissingSamples):
    """missing-per-view in which a row's chance to be deleted depends on the row, or on its class: not at random.

    Each view loses round(rate * n) samples, drawn one after another among those that another view still observes. The
    chance of a sample is proportional to odds^q, where q runs from 0 to 1 over the n complete samples:

    - by norm: q = (rank - 1) / (n - 1), of the Euclidean norm of the row as stored, before any preparation. Equal
      norms share their mean rank, so rows of unit length go missing at random. A factor of a view changes nothing.
    - by class: each view puts the k classes in a random order of its own, and q = (position - 1) / (k - 1).

    So the row of the largest norm is `odds` times as likely to be drawn first as that of the smallest. The dependence
    is strongest at small rates and fades towards the largest: where every sample keeps one view alone, the views
    cannot all lose the same samples. Rows of kernel and distance views have n entries. Another order of the views
    reorders the mask and changes nothing else, as draws take views by name. Cost O(n d + n V log n).

    Missing not at random is defined in Rubin, Biometrika 1976; missing views that differ between classes are the
    setting of Chen et al., AAAI 2025. This rule and its weights are ours.

    Parameters
    ----------
    by : the rows' norms or the classes. Raises InvalidSetting for "class" on data without labels; unlabelled
        samples count as one more class.
    odds : above 1, large norms go missing more often; below 1, small ones; at 1, all alike as in missing-per-view.
    """

    by: Literal["norm", "class"] = "norm"
    odds: Positive = 10.0
    limit: ClassVar[str] = MissingPerView.limit

    def largest_count(self, data: MultiViewData) -> int:
        if self.by == "class":
            self._classes(data)
        return data.n_samples * (data.n_views - 1) // data.n_views

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        order = by_name(data)
        if self.by == "norm":
            positions = [norm_ranks(data.views[v]) for v in order]
        else:
            positions = [class_positions(self._classes(data), rng) for _ in order]
        weights = self.odds ** np.column_stack(positions)
        return placed(losses_per_view(data.n_samples, np.full(data.n_views, count), rng, weights), order)

    def _classes(self, data: MultiViewData) -> NDArray[np.int64]:
        if data.labels is None:
            raise InvalidSetting(
                f"{self.spec.name} with by=class depends on classes and {data.name} has no labels; use "
                f"{self.spec.name}.by=norm instead."
            )
        return data.labels


def norm_ranks(view: View) -> NDArray[np.float64]:
    """(n,) ranks of the rows' norms, from 0 for the smallest to 1; equal norms share their mean rank.

    Norms that agree to nine digits of the largest count as equal, so that rounding decides nothing.
    """
    matrix = view.matrix
    blocks = (matrix[rows].astype(np.float64) for rows in row_blocks(view.n_samples, view.n_features))
    norms = np.sqrt(np.concatenate([squared_norms(block) for block in blocks]))
    largest = norms.max()
    ranks = rankdata(np.round(norms / largest, 9) if largest else norms)
    return np.asarray((ranks - 1) / max(1, len(ranks) - 1))


def class_positions(classes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
    """(n,) for each sample the position of its class in a random order of the classes, from 0 to 1."""
    values, of_sample = np.unique(classes, return_inverse=True)
    return rng.permutation(len(values))[of_sample] / max(1, len(values) - 1)
