"""largest_cluster: a metric is a function of the table of classes against clusters."""

from __future__ import annotations

from mvarena.contracts.metric import Contingency


def largest_cluster(table: Contingency) -> float:
    """The share of the samples in the largest cluster: 1 / k at best, 1 if all are in one."""
    return float(table.clusters.max() / table.n_samples)
