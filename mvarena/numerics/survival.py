"""Survival of groups: the log-rank statistic, its p-value by permutation, and Kaplan-Meier curves.

Sources: Mantel, Cancer Chemotherapy Reports 1966, and Peto and Peto, Journal of the Royal Statistical Society A 1972,
for the statistic; Kaplan and Meier, Journal of the American Statistical Association 1958, for the curve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_RANK_TOLERANCE = 1e-10  # of the covariance, whose rank is at most one less than there are groups
_BATCH_ENTRIES = 2_000_000  # numbers that a batch of permutations holds at once
_ROUNDING = 1e-9  # permutations that give the same partition differ by less
FEWEST = 5  # samples of a cluster that `of_larger_groups` keeps
MOST_PERMUTATIONS = 9_999
ENOUGH = 200  # permutations at least as extreme, after which no more are drawn


def log_rank(time: NDArray[np.float64], event: NDArray[np.bool_], groups: NDArray[np.int64]) -> float:
    """The log-rank statistic of two groups or more; with ties, the variance is the hypergeometric one.

    time : (n,) until the event, or until the sample was last seen. event : (n,) whether the event was seen.
    groups : (n,) group of each sample.
    NaN for fewer than two groups or no event. Cost O(n log n + n k^2) for k groups.
    """
    risk = _Risk.of(time, event)
    codes = _codes(groups[risk.order])
    if codes.max(initial=0) == 0 or not event.any():
        return float("nan")
    return float(risk.statistics(codes[None])[0])


def log_rank_permutation_p(
    time: NDArray[np.float64], event: NDArray[np.bool_], groups: NDArray[np.int64], seed: int
) -> float:
    """P-value of the log-rank statistic by permutations of the groups over the samples.

    Up to MOST_PERMUTATIONS are drawn, and no more once ENOUGH of them are at least as extreme (Besag and Clifford,
    Biometrika 1991): the smallest p-value is 1 / (MOST_PERMUTATIONS + 1). Depends on the partition, the outcomes and
    the seed, and not on the order of the samples or the numbers of the groups. Parameters and NaN as of `log_rank`.
    Cost O(n k^2) for each permutation.
    """
    risk = _Risk.of(time, event)
    codes = _codes(groups[risk.order])
    if codes.max(initial=0) == 0 or not event.any():
        return float("nan")
    observed = float(risk.statistics(codes[None])[0]) * (1 - _ROUNDING)
    sizes = np.sort(np.bincount(codes))
    labels = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(seed)
    batch = max(1, min(500, _BATCH_ENTRIES // (len(labels) * len(sizes))))
    drawn = extreme = 0
    while drawn < MOST_PERMUTATIONS:
        count = min(batch, MOST_PERMUTATIONS - drawn)
        permuted = rng.permuted(np.tile(labels, (count, 1)), axis=1)
        above = np.flatnonzero(risk.statistics(permuted) >= observed)
        if extreme + len(above) >= ENOUGH:
            return ENOUGH / (drawn + int(above[ENOUGH - extreme - 1]) + 1)
        extreme += len(above)
        drawn += count
    return (extreme + 1) / (drawn + 1)


def of_larger_groups(
    time: NDArray[np.float64], event: NDArray[np.bool_], groups: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """Time, event and groups of the samples in groups of at least FEWEST samples. Parameters as of `log_rank`.

    A group of one sample that dies first has an excess of one death over hardly any expected ones, so its term of the
    statistic is large whatever the other groups do: the p-value of the larger groups says what is left without it.
    """
    _, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    kept = sizes[codes] >= FEWEST
    return time[kept], event[kept], groups[kept]


@dataclass(frozen=True, eq=False)
class _Risk:
    """Times and events as the statistic needs them, whatever the groups.

    order : (n,) the samples from the latest to the earliest; at one time, those with an event last.
    event : (n,) in that order. last : (T,) for each time with an event, the last of the samples at risk then, in that
    order. deaths, at_risk : (T,) how many events, and how many samples at risk.
    """

    order: NDArray[np.int64]
    event: NDArray[np.float64]
    last: NDArray[np.int64]
    deaths: NDArray[np.float64]
    at_risk: NDArray[np.float64]

    @classmethod
    def of(cls, time: NDArray[np.float64], event: NDArray[np.bool_]) -> _Risk:
        order = np.lexsort((event, -time))
        moments, counts = np.unique(time[event], return_counts=True)
        last = np.searchsorted(-time[order], -moments, side="right") - 1
        return cls(
            order, event[order].astype(np.float64), last, counts.astype(np.float64), (last + 1).astype(np.float64)
        )

    def statistics(self, groups: NDArray[np.int64]) -> NDArray[np.float64]:
        """(B,) the statistic of each row of groups (B, n), numbered from 0, the samples in `order`."""
        n_groups = int(groups.max()) + 1
        share = self.deaths / self.at_risk
        room = np.maximum(self.at_risk - 1.0, 1.0)  # where a single sample is at risk, there is no variance
        weights = share * (self.at_risk - self.deaths) / room / self.at_risk
        excess = np.empty((len(groups), n_groups))
        covariance = np.empty((len(groups), n_groups, n_groups))
        at_risk = []
        for group in range(n_groups):
            member = groups == group
            at_risk.append(np.cumsum(member, axis=1, dtype=np.float64)[:, self.last])
            excess[:, group] = member @ self.event - at_risk[group] @ share
        for group in range(n_groups):
            weighted = at_risk[group] * weights
            covariance[:, group, group] = weighted @ self.at_risk
            for other in range(group + 1):
                product = np.einsum("bt,bt->b", weighted, at_risk[other])
                if other == group:
                    covariance[:, group, group] -= product
                else:
                    covariance[:, group, other] = covariance[:, other, group] = -product
        inverse = np.linalg.pinv(covariance, rcond=_RANK_TOLERANCE, hermitian=True)
        return np.einsum("bi,bij,bj->b", excess, inverse, excess)


@dataclass(frozen=True, eq=False)
class SurvivalCurve:
    """A Kaplan-Meier curve: steps at the times at which something happened, from time 0.

    time : (T,) increasing, the first 0. survival : (T,) share that survives beyond it. at_risk : (T,) samples at risk
    right before it. censored : (T,) samples last seen then.
    """

    time: NDArray[np.float64]
    survival: NDArray[np.float64]
    at_risk: NDArray[np.int64]
    censored: NDArray[np.int64]


def kaplan_meier(time: NDArray[np.float64], event: NDArray[np.bool_]) -> SurvivalCurve:
    """The Kaplan-Meier estimate of the survival of samples with these times (n,) and events (n,). Cost O(n log n)."""
    moments = np.union1d([0.0], time)
    place = np.searchsorted(moments, time)
    deaths = np.bincount(place, weights=event, minlength=len(moments)).astype(np.int64)
    gone = np.bincount(place, minlength=len(moments))
    at_risk = len(time) - np.cumsum(gone) + gone
    survival = np.cumprod(1.0 - deaths / np.maximum(at_risk, 1))
    return SurvivalCurve(moments, survival, at_risk.astype(np.int64), gone - deaths)


def _codes(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) groups numbered 0, 1, ... by their first samples: a partition has one numbering, and rounds alike."""
    _, first, codes = np.unique(groups, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int64)
