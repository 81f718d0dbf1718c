"""Scores over pairs of samples: do both labellings put them together, or apart?"""

from __future__ import annotations

from mvarena.contracts.metric import Contingency


def ari(table: Contingency) -> float:
    """The Rand index adjusted for chance: (index - expected) / (largest - expected) over pairs put together.

    0 in expectation for random labels of the same group sizes, 1 for equal partitions (also where both are a single
    group), 0 for a single cluster against several classes. Cost O(cells).
    Source: Hubert and Arabie 1985, equation 5.
    """
    pairs = table.pairs
    if pairs.together == pairs.same_class == pairs.same_cluster:
        return 1.0
    expected = pairs.same_class * pairs.same_cluster / pairs.total
    largest = (pairs.same_class + pairs.same_cluster) / 2
    return float((pairs.together - expected) / (largest - expected))
