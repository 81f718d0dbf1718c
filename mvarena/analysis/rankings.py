"""Do the mean ranks differ by more than chance, and which contestants cannot be told apart?"""

from __future__ import annotations

import numpy as np
from scipy import special

from mvarena.analysis.significance import ALPHA, LEAST_CORPORA, compared_pairs
from mvarena.analysis.standings import Standings


def friedman_p(table: Standings) -> float:
    """The p-value of Friedman's test that all contestants are alike, on the ranks, corrected for ties: by the F of Iman
    and Davenport with k - 1 and (k - 1)(N - 1) degrees of freedom; 1 where every rank is tied.

    An approximation that is poor below some ten data sets or five contestants.
    Source: Friedman (1937); Iman and Davenport (1980); Demsar (2006), section 3.2.2.
    """
    ranks = table.ranks.to_numpy()
    n, k = ranks.shape
    spread = ((ranks - (k + 1) / 2) ** 2).sum()
    if min(n, k) < 2 or spread == 0:
        return 1.0
    chi_square = n * (k - 1) * n * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum() / spread
    rest = n * (k - 1) - chi_square
    ratio = (n - 1) * chi_square / rest if rest > 1e-12 else np.inf
    return float(special.fdtrc(k - 1, (k - 1) * (n - 1), ratio))


def may_differ(table: Standings) -> bool:
    """True if contestants may be told apart: on enough corpora, and where Friedman's test finds that some differ.

    Enough are LEAST_CORPORA, on which a tenth of the contestants is above the better control. Of two contestants,
    their own test decides.
    """
    if min(table.n_corpora, table.n_separating) < LEAST_CORPORA:
        return False
    return len(table.contestants) == 2 or friedman_p(table) <= ALPHA


def cliques(table: Standings) -> list[tuple[str, ...]]:
    """The largest groups, neighbours by mean rank, in which no two contestants can be told apart; best first.

    Two are told apart by their gains on each corpus (Wilcoxon's test), corrected by Holm over all pairs.
    A contestant that differs from all others is in no group. Where none may differ (`may_differ`), all are one group.
    """
    names = table.contestants
    if not may_differ(table):
        return [names]
    apart = np.zeros((len(names), len(names)), bool)
    apart[np.triu_indices(len(names), 1)] = compared_pairs(table)["p_holm"] <= ALPHA
    groups: list[tuple[str, ...]] = []
    end = 0
    for start in range(len(names)):
        before = end
        while end < len(names) and not apart[start:end, end].any():
            end += 1
        if end > before and end - start > 1:
            groups.append(names[start:end])
    return groups
