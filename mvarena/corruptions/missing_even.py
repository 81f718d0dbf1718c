"""missing-even: a share of the samples become incomplete, and the views share the deletions evenly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.corruptions.missing import IncompleteSamples


class MissingEven(IncompleteSamples):
    """APMC's partial data ratio (Guo and Ye, AAAI 2019, section 5.3).

    Exactly round(rate * n) samples, drawn at random, become incomplete. With two views each loses one of them; with
    V views it loses a number drawn uniformly from 1 .. V - 1. The views' counts of deletions differ by at most 1,
    each sample stays in one view at least, and at least one sample stays complete. Cost O(n V).
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
