"""Association of a partition with a column: tests for categories and for numbers.

Sources: Pearson, Philosophical Magazine 1900; Kruskal and Wallis, Journal of the American Statistical Association 1952.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special


def chi_square_p(groups: NDArray[np.int64], categories: NDArray[np.int64]) -> float:
    """P-value of Pearson's chi-square test of independence, without a correction for continuity.

    groups, categories : (n,) codes. NaN for fewer than two groups or categories. Cost O(n log n).
    """
    rows, columns = (np.unique(codes, return_inverse=True)[1] for codes in (groups, categories))
    n_rows, n_columns = (int(codes.max(initial=0)) + 1 for codes in (rows, columns))
    if min(n_rows, n_columns) < 2:
        return float("nan")
    counts = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns).reshape(n_rows, n_columns)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return float(special.chdtrc((n_rows - 1) * (n_columns - 1), statistic))


def kruskal_wallis_p(groups: NDArray[np.int64], values: NDArray[np.float64]) -> float:
    """P-value of the Kruskal-Wallis test by the chi-square distribution, corrected for ties.

    groups : (n,) codes; values : (n,). NaN for fewer than two groups or distinct values. Cost O(n log n).
    """
    codes = np.unique(groups, return_inverse=True)[1]
    distinct, place, times = np.unique(values, return_inverse=True, return_counts=True)
    sizes = np.bincount(codes)
    if len(sizes) < 2 or len(distinct) < 2:
        return float("nan")
    n = float(len(values))
    last = np.cumsum(times)
    ranks = (last - (times - 1) / 2.0)[place]  # the mean rank of those that tie
    sums = np.bincount(codes, weights=ranks)
    statistic = 12.0 / (n * (n + 1.0)) * float((sums**2 / sizes).sum()) - 3.0 * (n + 1.0)
    counts = times.astype(np.float64)
    ties = 1.0 - float((counts**3 - counts).sum()) / (n**3 - n)
    return float(special.chdtrc(len(sizes) - 1, max(0.0, statistic / ties)))


def column_p(groups: NDArray[np.int64], column: NDArray[Any]) -> float:
    """P-value of one column of outcomes: Kruskal-Wallis for numbers (NaN: unknown), chi-square for texts ('': unknown).

    groups : (n,) codes. column : (n,) float64 or text. NaN where the test is not defined.
    """
    if column.dtype.kind == "f":
        known = ~np.isnan(column)
        return kruskal_wallis_p(groups[known], column[known])
    known = column != ""
    return chi_square_p(groups[known], np.unique(column[known], return_inverse=True)[1])
