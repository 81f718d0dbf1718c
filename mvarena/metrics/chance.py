"""ami: mutual information adjusted for what random labels of the same group sizes share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from mvarena.contracts.metric import Contingency

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
