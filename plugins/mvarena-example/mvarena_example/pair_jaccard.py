"""pair_jaccard: a metric is a function of the table of classes against clusters."""

from __future__ import annotations

from mvarena.contracts.metric import Contingency


def pair_jaccard(table: Contingency) -> float:
    """Pairs together in both, over pairs together in either; 1 where no pair is together in either."""
    pairs = table.pairs
    either = pairs.same_class + pairs.same_cluster - pairs.together
    return pairs.together / either if either else 1.0
