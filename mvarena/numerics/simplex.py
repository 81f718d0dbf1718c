"""Euclidean projection onto the probability simplex, row by row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def project_rows_to_simplex(B: NDArray[np.float64], *, block: int = 256) -> NDArray[np.float64]:
    """The nearest matrix to B (n, m) whose rows are nonnegative and sum to 1.

    Works in blocks of rows, so that the sorted copy stays small. Cost O(n m log m), memory of one result.
    Source: Duchi, Shalev-Shwartz, Singer and Chandra (2008).
    """
    P = np.empty_like(B)
    ranks = np.arange(1, B.shape[1] + 1)
    for start in range(0, len(B), block):
        rows = B[start : start + block]
        ordered = np.sort(rows, axis=1)[:, ::-1]
        excess = np.cumsum(ordered, axis=1) - 1.0
        kept = (ordered * ranks > excess).sum(axis=1)
        threshold = excess[np.arange(len(rows)), kept - 1] / kept
        P[start : start + block] = np.maximum(rows - threshold[:, None], 0.0)
    return P
