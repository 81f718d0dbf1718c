"""Every contestant against every other: mean difference, wins, ties and losses, Wilcoxon's p-value."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd

from mvarena.analysis.signed_ranks import holm, signed_rank_p
from mvarena.analysis.standings import Standings

PAIR_COLUMNS = ("first", "second", "gain", "wins", "ties", "losses", "p", "p_holm")


@lru_cache(maxsize=16)  # a claim, cliques, a matrix and marks ask for those of one table
def compared_pairs(table: Standings) -> pd.DataFrame:
    """One row per pair of contestants, the better mean rank first, columns PAIR_COLUMNS.

    gain : by how much the first is better, mean over data sets, in the unit of the metric.
    wins, ties, losses : on how many data sets the rank of the first is better, equal, worse. Ranks know who did not
        finish, values do not.
    p, p_holm : Wilcoxon's signed-rank test of the gains, alone and corrected by Holm over all pairs.
    The frame is shared between callers: copy it before changing it.
    Cost O(k^2 N^3) for k contestants on N <= 200 data sets. Source: Ismail-Fawaz et al. (2023), whose matrix this is.
    """
    rows = []
    for first, second in combinations(table.contestants, 2):
        gains = table.gains(first, second)
        ahead = (table.ranks[second] - table.ranks[first]).to_numpy()
        counts = (int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum()))
        rows.append((first, second, float(gains.mean()), *counts, signed_rank_p(gains)))
    pairs = pd.DataFrame(rows, columns=list(PAIR_COLUMNS[:-1]))
    return pairs.assign(p_holm=holm(pairs["p"]))


def win_rates(table: Standings) -> pd.DataFrame:
    """Contestants x contestants: on what share of data sets the row is ahead of the column, ties half; NaN at home."""
    names = list(table.contestants)
    ranks = table.ranks[names].to_numpy()
    ahead = ranks[:, :, None] < ranks[:, None, :]
    level = ranks[:, :, None] == ranks[:, None, :]
    shares = (ahead + 0.5 * level).mean(axis=0)
    np.fill_diagonal(shares, np.nan)
    return pd.DataFrame(shares, index=names, columns=names)
