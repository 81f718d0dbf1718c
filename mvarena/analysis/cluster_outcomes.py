"""Outcomes of the samples by cluster: survival curves with the log-rank test, and columns that differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.numerics.association import column_p
from mvarena.numerics.survival import SurvivalCurve, kaplan_meier, log_rank_permutation_p


@dataclass(frozen=True, slots=True)
class ClusterOutcomes:
    """Outcomes of the samples of each cluster.

    survival_p : of the log-rank statistic by permutations; NaN where survival is unknown. curves : cluster -> its
    Kaplan-Meier curve; events : cluster -> (events, samples whose survival is known). columns : name -> p-value after
    Bonferroni's correction, the smallest first. time_name : what the outcomes call the time.
    """

    survival_p: float
    curves: Mapping[int, SurvivalCurve]
    events: Mapping[int, tuple[int, int]]
    columns: Mapping[str, float]
    time_name: str


def cluster_outcomes(labels: NDArray[np.int64], table: OutcomeTable) -> ClusterOutcomes:
    """Compare the clusters by the outcomes of their samples.

    labels : (n,) cluster indices. table : of the same samples, in the same order. Cost: that of the permutations
    (`mvarena.numerics.survival.log_rank_permutation_p`).
    """
    p_values = {name: column_p(labels, column) for name, column in table.columns.items()}
    defined = {name: p for name, p in p_values.items() if not math.isnan(p)}
    columns = {name: min(1.0, len(defined) * p) for name, p in sorted(defined.items(), key=lambda item: item[1])}
    known = table.survival_of(labels)
    if known is None:
        return ClusterOutcomes(math.nan, {}, {}, columns, table.names[0])
    time, event, groups = known
    curves, events = {}, {}
    for cluster in map(int, np.unique(groups)):
        member = groups == cluster
        curves[cluster] = kaplan_meier(time[member], event[member])
        events[cluster] = (int(event[member].sum()), int(member.sum()))
    p = log_rank_permutation_p(time, event, groups, seed=0)
    return ClusterOutcomes(p, curves, events, columns, table.names[0])
