"""Association of a partition with columns, by SciPy's tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats


def column_p_values(groups: NDArray[np.int64], columns: Mapping[str, NDArray[Any]]) -> dict[str, float]:
    """Column -> p-value; columns without a defined one are left out.

    groups : (n,) codes. columns : (n,) float64 or text each; `column_p` says which test.
    """
    values = {name: column_p(groups, column) for name, column in columns.items()}
    return {name: value for name, value in values.items() if not math.isnan(value)}


def column_p(groups: NDArray[np.int64], column: NDArray[Any]) -> float:
    """P-value of one column: Kruskal-Wallis for numbers (NaN: unknown), Pearson's chi-square for texts ('': unknown).

    groups : (n,) codes. column : (n,) float64 or text. The chi-square has no correction for continuity. NaN for fewer
    than two groups or distinct values.
    """
    numeric = column.dtype.kind == "f"
    known = ~np.isnan(column) if numeric else column != ""
    rows, codes = np.unique(groups[known], return_inverse=True)
    values, columns = np.unique(column[known], return_inverse=True)
    if min(len(rows), len(values)) < 2:
        return math.nan
    if numeric:
        return float(stats.kruskal(*(column[known][codes == row] for row in range(len(rows)))).pvalue)
    counts = np.zeros((len(rows), len(values)))
    np.add.at(counts, (codes, columns), 1)
    return float(stats.chi2_contingency(counts, correction=False).pvalue)
