"""Rows on the simplex that may only have some entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.proximal import project_simplex_rows


def project_simplex_support(matrix: NDArray[np.float64], allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each row's nearest point on the probability simplex that is zero where `allowed` (n, m) is False.

    A row that may have no entry has none. Time O(n m + n w log w) for at most w allowed entries in a row, memory of
    the result, an order of its columns and n w.
    """
    projected = np.zeros(matrix.shape)
    counts = allowed.sum(axis=1)
    width = int(counts.max(initial=0))
    if width == 0:
        return projected
    columns = np.argsort(~allowed, axis=1, kind="stable")[:, :width]
    kept = np.arange(width) < counts[:, None]
    values = np.take_along_axis(matrix, columns, axis=1)
    # entries this far below every allowed one project to zero
    lowest = np.where(kept, values, np.inf).min(axis=1)
    floor = np.where(counts > 0, lowest, 0.0) - 2.0
    rows = project_simplex_rows(np.where(kept, values, floor[:, None]))
    np.put_along_axis(projected, columns, np.where(kept, rows, 0.0), axis=1)
    return projected
