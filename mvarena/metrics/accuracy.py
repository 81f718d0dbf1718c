"""acc and purity: the share of samples where they belong, once clusters are matched with classes."""

from __future__ import annotations

from scipy.optimize import linear_sum_assignment

from mvarena.contracts.metric import Contingency


def acc(table: Contingency) -> float:
    """The share of samples in the cluster matched with their class, under the best one-to-one matching.

    With more clusters than classes (or fewer) the surplus stays unmatched and its samples count as errors; a single
    cluster scores the largest class's share. Cost O(k^3) for k classes or clusters, whichever are more.
    Source: Kuhn 1955 (the Hungarian method).
    """
    rows, columns = linear_sum_assignment(table.counts, maximize=True)
    return float(table.counts[rows, columns].sum() / table.n_samples)


def purity(table: Contingency) -> float:
    """The share of samples that belong to their cluster's largest class; it grows with the number of clusters.

    A single cluster scores the largest class's share, singletons score 1. Cost O(cells).
    """
    return float(table.counts.max(axis=0).sum() / table.n_samples)
