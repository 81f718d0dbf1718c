"""missing-per-view: the same share of the samples is deleted from every view."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.corruptions.missing import MissingSamples
from mvarena.data import MultiViewData

_SWEEPS = 3


class MissingPerView(MissingSamples):
    """MIC's incomplete rate (Shao, He and Yu, ECML PKDD 2015, section 4.4).

    Exactly round(rate * n) samples are deleted from every view, at random subject to each sample staying in one view
    at least: up to floor(n (V - 1) / V) of them, since n samples spare V - 1 views each. Cost O(n V).
    """

    limit: ClassVar[str] = "each sample stays in one view at least"

    def largest_count(self, data: MultiViewData) -> int:
        return data.n_samples * (data.n_views - 1) // data.n_views

    def losses(self, data: MultiViewData, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        return equal_losses(data.n_samples, data.n_views, count, rng)


def equal_losses(n: int, n_views: int, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """(n, n_views) True where a sample loses a view: `count` per column, V - 1 per row at most.

    Needs V * count <= n (V - 1). Columns are drawn independently, then `_give_back` mends the rows that lost
    everything; that mending slightly favours rows with V - 1 losses, so each column is then redrawn a few times
    uniformly given the others (Gibbs sweeps, whose stationary law is uniform over all such tables).
    """
    lost = np.zeros((n, n_views), dtype=bool)
    for v in range(n_views):
        lost[rng.permutation(n)[:count], v] = True
    _give_back(lost, rng)
    losses = lost.sum(axis=1)
    for _ in range(_SWEEPS):
        for v in range(n_views):
            losses -= lost[:, v]
            free = np.flatnonzero(losses < n_views - 1)
            lost[:, v] = False
            lost[rng.permutation(free)[:count], v] = True
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
