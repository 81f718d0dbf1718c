"""Clusters of data without classes: one labelling from several, how sure each sample is, what tells clusters apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, silhouette_samples

from mvarena.contracts.metric import Space
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.data import MultiViewData
from mvarena.numerics.association import column_p_values
from mvarena.numerics.kmeans import Labelling
from mvarena.numerics.survival import SurvivalCurve, kaplan_meier, log_rank_permutation_p, of_larger_groups
from mvarena.study.outcomes import survival_advice

_ROUNDING = 1e-12  # of a mean: differences up to it are of rounding


@dataclass(frozen=True, eq=False)
class Clusters:
    """One labelling of n samples, made of those of one or several methods.

    labels : (n,) 0 to k - 1, the largest cluster first.
    agreement : (n,) in [0, 1], the share of the methods' restarts that put the sample into this cluster; each method
        counts as much as another.
    silhouettes : (n,) in [-1, 1], mean over the views that observe the sample; NaN where no view has features.
    by_method : method -> (n,) its labelling of lowest inertia, numbered as `labels` are.
    """

    labels: NDArray[np.int64]
    agreement: NDArray[np.float64]
    silhouettes: NDArray[np.float64]
    by_method: Mapping[str, NDArray[np.int64]]

    @property
    def n_clusters(self) -> int:
        """Number of clusters that have a sample."""
        return len(np.unique(self.labels))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(k,) samples of each cluster."""
        return np.bincount(self.labels)

    @property
    def silhouette(self) -> float:
        """Mean over the samples that have one; NaN where none has."""
        known = self.silhouettes[~np.isnan(self.silhouettes)]
        return float(known.mean()) if known.size else float("nan")


def combined(runs: Mapping[str, Sequence[Labelling]], data: MultiViewData) -> Clusters:
    """The labelling that the methods' restarts vote for.

    Each method is represented by its restart of lowest inertia. Of these, the one that agrees best with the others
    (mean adjusted Rand index) is the reference; clusters of every restart are matched to its clusters so that as many
    samples as possible agree, and each sample goes where most votes are, the reference deciding ties. One method alone
    is its own reference, and its other restarts vote, too.

    Parameters
    ----------
    runs : method -> labellings of its restarts, at least one of each.
    data : of the same samples, scaled; only its feature views are looked at, for silhouettes.

    Cost O(n^2 d) for the silhouettes. Source: Dimitriadou, Weingessel and Hornik, International Journal of Pattern
    Recognition and Artificial Intelligence 2002 (voting among partitions).
    """
    best = {method: min(labellings, key=_inertia).labels for method, labellings in runs.items()}
    reference = best[_most_central(best)]
    codes = np.unique(reference, return_inverse=True)[1]
    k = max(int(codes.max()), *(len(np.unique(item.labels)) - 1 for items in runs.values() for item in items)) + 1
    votes = np.zeros((len(codes), k))
    rows = np.arange(len(codes))
    for labellings in runs.values():
        for item in labellings:
            votes[rows, matched(item.labels, codes, k)] += 1.0 / len(labellings)
    votes /= len(runs)
    decided = votes.copy()
    decided[rows, codes] += 0.5 / sum(map(len, runs.values()))  # less than one vote
    labels = decided.argmax(axis=1)
    agreement = np.minimum(votes[rows, labels], 1.0)  # but for rounding
    order = np.argsort(-np.bincount(labels, minlength=k), kind="stable")
    rank = np.argsort(order)
    return Clusters(
        rank[labels],
        agreement,
        silhouettes_of(data, labels),
        {method: rank[matched(item, codes, k)] for method, item in best.items()},
    )


def matched(labels: NDArray[np.int64], reference: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """`labels` with the numbers 0 to k - 1 of the clusters of `reference` that share most samples with them."""
    codes = np.unique(labels, return_inverse=True)[1]
    shared = np.zeros((k, k), dtype=np.int64)
    np.add.at(shared, (codes, reference), 1)
    return np.asarray(linear_sum_assignment(shared, maximize=True)[1][codes])


def silhouettes_of(data: MultiViewData, labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) silhouettes, averaged over the feature views that observe the sample. Source: Rousseeuw 1987."""
    total, seen = np.zeros(len(labels)), np.zeros(len(labels))
    for space in Space.of_views(data):
        own = labels[space.samples]
        if 2 <= len(np.unique(own)) < len(own):
            matrix = sparse.csr_matrix(space.matrix) if sparse.issparse(space.matrix) else space.matrix
            total[space.samples] += silhouette_samples(matrix, own)
            seen[space.samples] += 1
    return np.divide(total, seen, out=np.full(len(labels), np.nan), where=seen > 0)


def _inertia(labelling: Labelling) -> float:
    return float("inf") if labelling.inertia is None else labelling.inertia


def _most_central(labellings: Mapping[str, NDArray[np.int64]]) -> str:
    """The method that agrees best with the others; of equals the first."""
    return max(labellings, key=lambda method: sum(
        float(adjusted_rand_score(labellings[method], other)) for name, other in labellings.items() if name != method
    ))  # fmt: skip


# What tells the clusters apart: the features whose means differ most.


def telling_features(
    data: MultiViewData,
    labels: NDArray[np.int64],
    names: Sequence[Sequence[str] | None] | None = None,
    most: int = 5,
) -> pd.DataFrame:
    """For each cluster and feature view, the features in which it differs most from the other samples.

    The effect size is Cohen's d: the difference of the means by the pooled standard deviation, among the samples that
    the view observes. It describes the clusters; as these were found in the same features, it tests nothing.

    Parameters
    ----------
    data : as read, so that means have the units of the features.
    names : of each view's features; None: their columns, from 1. most : features for each cluster and view.

    Returns a frame with the columns cluster (from 1), view, feature, mean, mean_of_others and effect. Cost O(n d k).
    """
    rows = []
    for index, view in enumerate(data.views):
        if view.kind != "features":
            continue
        observed = np.flatnonzero(data.mask[:, index])
        matrix, own = view.matrix[observed], labels[observed]
        for cluster in np.unique(own):
            means, others, effect = _effects(matrix, own == cluster)
            for column in np.argsort(-np.abs(effect), kind="stable")[:most]:
                if effect[column] != 0:
                    named = names[index] if names else None
                    rows.append(
                        (cluster + 1, view.name, named[column] if named else f"column {column + 1}",
                         means[column], others[column], effect[column])
                    )  # fmt: skip
    return pd.DataFrame(rows, columns=["cluster", "view", "feature", "mean", "mean_of_others", "effect"])


def _effects(matrix: object, inside: NDArray[np.bool_]) -> tuple[NDArray[np.float64], ...]:
    """Means inside, means outside, and Cohen's d of each column; 0 where it is not defined."""
    (n, mean, spread), (m, other, rest) = (_spread(matrix[rows]) for rows in (inside, ~inside))  # type: ignore[index]
    pooled = np.sqrt((spread + rest) / max(n + m - 2, 1))
    difference = mean - other if n and m else np.zeros_like(mean)
    scale = np.maximum(np.abs(mean), np.abs(other))
    varied = pooled > _ROUNDING * scale
    effect = np.divide(difference, pooled, out=np.zeros_like(difference), where=varied)
    apart = ~varied & (np.abs(difference) > _ROUNDING * scale)
    return mean, other, np.where(apart, np.copysign(np.inf, difference), effect)


def _spread(part: Any) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Samples, means and sums of squared deviations of each column, dense or sparse."""
    n = int(part.shape[0])
    mean = np.asarray(part.sum(axis=0, dtype=np.float64)).ravel() / max(n, 1)
    if not sparse.issparse(part):
        return n, mean, np.asarray(((part - mean) ** 2).sum(axis=0))
    entries = sparse.coo_array(part)
    stored = np.bincount(entries.coords[1], minlength=len(mean))
    squares = np.bincount(entries.coords[1], (entries.data - mean[entries.coords[1]]) ** 2, len(mean))
    return n, mean, squares + (n - stored) * mean**2


# Outcomes of the samples by cluster: survival curves with the log-rank test, and columns that differ.


@dataclass(frozen=True, slots=True)
class ClusterOutcomes:
    """Survival and further outcomes of the samples of each cluster.

    survival_p : of the log-rank statistic by permutations; NaN where survival is unknown. survival_p_of_larger : over
    the clusters of five samples and more. curves : cluster -> its Kaplan-Meier curve. events : cluster -> (events,
    samples whose survival is known). columns : name -> p-value after Bonferroni's correction, the smallest first.
    time_name : what the outcomes call the time. advice : a sentence on columns that look like survival and are not
    tested; '' without any.
    """

    survival_p: float
    survival_p_of_larger: float
    curves: Mapping[int, SurvivalCurve]
    events: Mapping[int, tuple[int, int]]
    columns: Mapping[str, float]
    time_name: str
    advice: str = ""


def cluster_outcomes(labels: NDArray[np.int64], table: OutcomeTable) -> ClusterOutcomes:
    """Compare the clusters by the outcomes of their samples.

    labels : (n,) cluster indices. table : of the same samples, in the same order. Cost: that of the permutations
    (`mvarena.numerics.survival.log_rank_permutation_p`).
    """
    defined = column_p_values(labels, table.tested)
    columns = {name: min(1.0, len(defined) * p) for name, p in sorted(defined.items(), key=lambda item: item[1])}
    known = table.survival_of(labels)
    if known is None:
        return ClusterOutcomes(math.nan, math.nan, {}, {}, columns, table.names[0], survival_advice(table))
    time, event, groups = known
    curves, events = {}, {}
    for cluster in map(int, np.unique(groups)):
        member = groups == cluster
        curves[cluster] = kaplan_meier(time[member], event[member])
        events[cluster] = (int(event[member].sum()), int(member.sum()))
    p = log_rank_permutation_p(time, event, groups, seed=0)
    p_of_larger = log_rank_permutation_p(*of_larger_groups(time, event, groups), seed=0)
    return ClusterOutcomes(p, p_of_larger, curves, events, columns, table.names[0], survival_advice(table))
