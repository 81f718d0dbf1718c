"""Metrics of clusters against classes: acc (clusters matched with classes), purity, entropies such as NMI, pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import gammaln

from mvarena.contracts.metric import Checkpoints, Contingency


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


# What classes and clusters tell of each other, in the normalisations that the literature uses.
#
# Where one labelling knows a single group and the other several, nothing is shared; where both know a single group they
# are equal (scikit-learn's conventions). Each costs O(cells).


def nmi(table: Contingency) -> float:
    """2 I(C; K) / (H(C) + H(K)), the arithmetic mean below."""
    return _share(table, (table.class_entropy + table.cluster_entropy) / 2)


def nmi_max(table: Contingency) -> float:
    """I(C; K) / max(H(C), H(K)), the lowest of the three."""
    return _share(table, max(table.class_entropy, table.cluster_entropy))


def nmi_sqrt(table: Contingency) -> float:
    """I(C; K) / sqrt(H(C) H(K)), the geometric mean below."""
    return _share(table, math.sqrt(table.class_entropy * table.cluster_entropy))


def completeness(table: Contingency) -> float:
    """1 - H(K|C) / H(K): 1 where every class lies in one cluster only, as where there is only one cluster."""
    return 1.0 if len(table.clusters) == 1 else _share(table, table.cluster_entropy)


def entropy(table: Contingency) -> float:
    """The classes' entropy within a cluster, in bits, averaged over samples: H(C|K) / ln 2; lower is better.

    A single cluster scores H(C), pure clusters 0. This is the Entropy of EMVC's tables: where their NMI is 0
    they print .757 for classes of 230 and 821 (H(C) is .758) and 1.000 for two equal classes.
    """
    return max(0.0, table.class_entropy - table.mutual_information) / math.log(2)


def _share(table: Contingency, norm: float) -> float:
    if table.counts.size == 1:
        return 1.0
    if table.mutual_information == 0.0:
        return 0.0
    return min(1.0, table.mutual_information / norm)


# ami: mutual information adjusted for what random labels of the same group sizes share.

_ROUNDING = 1e-12


def ami(table: Contingency) -> float:
    """(I - E[I]) / ((H(C) + H(K)) / 2 - E[I]): 0 in expectation at random, 1 for equal partitions.

    A single cluster (or class) against several scores 0. Cost: see `expected_mutual_information`.
    Source: Vinh, Epps and Bailey, JMLR 2010; the arithmetic mean, as in scikit-learn.
    """
    if table.is_match:
        return 1.0
    if 1 in table.counts.shape:
        return 0.0
    expected = expected_mutual_information(table.classes, table.clusters)
    above = table.mutual_information - expected
    if abs(above) < _ROUNDING:
        return 0.0
    return float(above / ((table.class_entropy + table.cluster_entropy) / 2 - expected))


def expected_mutual_information(classes: NDArray[np.int64], clusters: NDArray[np.int64]) -> float:
    """E[I] in nats over all labellings with these group sizes, each (number of groups,), both of the same total.

    A cell of a class of a and a cluster of b samples is hypergeometric; the sum runs over each pair of different
    sizes and over the cell's values within 12 deviations (and 60) of its mean, beyond which the chance is below 1e-20.
    Cost O(s t w) for s and t different sizes and w at most 24 sqrt(n) + 120.
    Source: Vinh, Epps and Bailey, JMLR 2010, equation 24a.
    """
    n = int(classes.sum())
    a, times_a = np.unique(classes, return_counts=True)
    b, times_b = np.unique(clusters, return_counts=True)
    pairs = np.outer(times_a, times_b).ravel()
    a, b = (grid.ravel() for grid in np.meshgrid(a, b, indexing="ij"))
    mean = a * (b / n)
    spread = 12 * np.sqrt(mean * (1 - a / n) * (n - b) / max(1, n - 1)) + 60
    low = np.maximum(np.maximum(1, a + b - n), np.ceil(mean - spread)).astype(np.int64)
    high = np.minimum(np.minimum(a, b), np.floor(mean + spread)).astype(np.int64)
    lengths = high - low + 1
    cell = np.repeat(np.arange(lengths.size), lengths)
    value = np.arange(cell.size) - (np.cumsum(lengths) - lengths)[cell] + low[cell]
    factorial = gammaln(np.arange(n + 1) + 1.0)
    fixed = factorial[a] + factorial[b] + factorial[n - a] + factorial[n - b] - factorial[n]
    free = factorial[value] + factorial[a[cell] - value] + factorial[b[cell] - value]
    chance = np.exp(fixed[cell] - free - factorial[(n - a - b)[cell] + value])
    information = value / n * np.log(value / mean[cell])
    return float((pairs[cell] * information) @ chance)


# Scores over pairs of samples: do both labellings put them together, or apart?
#
# Each costs O(cells). A ratio whose denominator counts no pair is 0, but 1 where the two labellings are the same
# partition (all singletons in both, say).


def ari(table: Contingency) -> float:
    """The Rand index adjusted for chance, over pairs put together (`Contingency.adjusted_rand`)."""
    return table.adjusted_rand


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


def _ratio(table: Contingency, part: int, whole: float) -> float:
    if table.is_match:
        return 1.0
    return part / whole if whole else 0.0


# Scores at the best of the iterations that a method kept: what choosing the iteration by the classes would report.


def best_acc(checkpoints: Checkpoints) -> float:
    """The highest ACC of a checkpoint, each that of the restarts that count; the end of the fit is among them."""
    return _best(checkpoints, acc)


def best_nmi(checkpoints: Checkpoints) -> float:
    """The highest NMI of a checkpoint, each that of the restarts that count; the end of the fit is among them."""
    return _best(checkpoints, nmi)


def _best(checkpoints: Checkpoints, metric: Callable[[Contingency], float]) -> float:
    return max(fmean(metric(table) for table in tables) for tables in checkpoints.tables)
