"""Scores over pairs of samples: do both labellings put them together, or apart?

Each costs O(cells). A ratio whose denominator counts no pair is 0, but 1 where the two labellings are the same
partition (all singletons in both, say).
"""

from __future__ import annotations

import math

from mvarena.contracts.metric import Contingency


def ari(table: Contingency) -> float:
    """The Rand index adjusted for chance: (index - expected) / (largest - expected) over pairs put together.

    0 in expectation for random labels of the same group sizes, 1 for equal partitions (also where both are a single
    group), 0 for a single cluster against several classes.
    Source: Hubert and Arabie 1985, equation 5.
    """
    if table.is_match:
        return 1.0
    pairs = table.pairs
    expected = pairs.same_class * pairs.same_cluster / pairs.total
    largest = (pairs.same_class + pairs.same_cluster) / 2
    return float((pairs.together - expected) / (largest - expected))


def rand(table: Contingency) -> float:
    """The share of pairs on which the labellings agree, together or apart. Source: Rand, JASA 1971."""
    if table.is_match:
        return 1.0
    pairs = table.pairs
    return (pairs.total + 2 * pairs.together - pairs.same_class - pairs.same_cluster) / pairs.total


def pair_precision(table: Contingency) -> float:
    """Of the pairs that share a cluster, the share that also share a class."""
    return _ratio(table, table.pairs.together, table.pairs.same_cluster)


def pair_recall(table: Contingency) -> float:
    """Of the pairs that share a class, the share that also share a cluster."""
    return _ratio(table, table.pairs.together, table.pairs.same_class)


def pair_f(table: Contingency) -> float:
    """The harmonic mean of pair precision and pair recall: 2 together / (same class + same cluster)."""
    pairs = table.pairs
    return _ratio(table, 2 * pairs.together, pairs.same_class + pairs.same_cluster)


def fowlkes_mallows(table: Contingency) -> float:
    """The geometric mean of pair precision and pair recall. Source: Fowlkes and Mallows, JASA 1983."""
    return _ratio(table, table.pairs.together, math.sqrt(table.pairs.same_class) * math.sqrt(table.pairs.same_cluster))


def _ratio(table: Contingency, part: int, whole: float) -> float:
    if table.is_match:
        return 1.0
    return part / whole if whole else 0.0
