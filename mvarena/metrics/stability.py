"""stability: do restarts of one trial find the same clusters?"""

from __future__ import annotations

import math
from itertools import combinations

from mvarena.contracts.metric import Contingency, Restarts
from mvarena.metrics.external import ari


def stability(restarts: Restarts) -> float:
    """The mean adjusted Rand index over all pairs of a trial's labellings; NaN for a single one.

    1 where every restart gives the same partition, about 0 where they share nothing. Cost O(r^2 n) for r restarts.
    """
    agreements = [ari(Contingency.from_labels(*pair)) for pair in combinations(restarts.labellings, 2)]
    return sum(agreements) / len(agreements) if agreements else math.nan
