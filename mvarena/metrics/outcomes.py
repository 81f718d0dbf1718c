"""Scores by the outcomes of samples: survival, and columns that differ between clusters.

Samples whose outcome is unknown are left out, column by column. NaN where there is no such outcome, or no two clusters
have samples with one.
"""

from __future__ import annotations

import math

from mvarena.contracts.metric import Outcomes
from mvarena.numerics.association import column_p_values
from mvarena.numerics.survival import log_rank, log_rank_permutation_p, of_larger_groups

SIGNIFICANT = 0.05


def log_rank_statistic(outcomes: Outcomes) -> float:
    """The log-rank statistic of the clusters' survival (`mvarena.numerics.survival.log_rank`)."""
    known = outcomes.table.survival_of(outcomes.labels)
    return math.nan if known is None else log_rank(*known)


def log_rank_p(outcomes: Outcomes) -> float:
    """P-value of the log-rank statistic by permutations (`mvarena.numerics.survival.log_rank_permutation_p`).

    The chi-square distribution gives p-values that are too small where clusters are small.
    """
    known = outcomes.table.survival_of(outcomes.labels)
    return math.nan if known is None else log_rank_permutation_p(*known, seed=outcomes.seed)


def log_rank_p_of_larger(outcomes: Outcomes) -> float:
    """The p-value of `log_rank_p` over the clusters of at least five samples whose survival is known.

    That of all clusters where none is smaller, and NaN where fewer than two are that large
    (`mvarena.numerics.survival.of_larger_groups`).
    """
    known = outcomes.table.survival_of(outcomes.labels)
    return math.nan if known is None else log_rank_permutation_p(*of_larger_groups(*known), seed=outcomes.seed)


def enriched(outcomes: Outcomes) -> float:
    """Number of columns that differ between clusters at the level 0.05, after Bonferroni's correction."""
    values = list(column_p_values(outcomes.labels, outcomes.table.tested).values())
    return float(sum(len(values) * value < SIGNIFICANT for value in values)) if values else math.nan


def enrichment_p(outcomes: Outcomes) -> float:
    """The smallest p-value over the columns, after Bonferroni's correction."""
    values = list(column_p_values(outcomes.labels, outcomes.table.tested).values())
    return min(1.0, len(values) * min(values)) if values else math.nan
