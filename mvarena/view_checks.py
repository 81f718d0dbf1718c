"""Checks of views: shapes that agree, finite numbers, symmetric kernels, and a mask that fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from mvarena.errors import InvalidData

if TYPE_CHECKING:
    from mvarena.data import Matrix, View

LOOKED_AT = 2**17  # entries at a time, which the processor keeps at hand


def check_shape(name: str, view: View, matrix: Matrix, n: int, first: str) -> None:
    rows, columns = matrix.shape
    if rows != n:
        raise InvalidData(
            f"{name}: view '{view.name}' has {rows} rows and view '{first}' has {n}; every view needs one row per "
            "sample (a missing sample is a row of NaN)."
        )
    if rows == 0 or columns == 0:
        raise InvalidData(f"{name}: view '{view.name}' is empty ({rows} x {columns}).")
    if view.kind != "features" and rows != columns:
        raise InvalidData(f"{name}: view '{view.name}' is a {view.kind}, so it must be n x n, not {rows} x {columns}.")


def as_mask(name: str, mask: ArrayLike, shape: tuple[int, int]) -> NDArray[np.bool_]:
    array = np.asarray(mask)
    if array.shape != shape:
        raise InvalidData(f"{name}: the mask is {array.shape}; it must be samples x views, {shape}.")
    if not np.isin(array, (0, 1)).all():
        raise InvalidData(f"{name}: the mask must hold only True / False or 1 / 0.")
    return array.astype(bool)


def check_coverage(name: str, names: Sequence[str], mask: NDArray[np.bool_]) -> None:
    unseen = np.flatnonzero(~mask.any(axis=1))
    if unseen.size:
        raise InvalidData(f"{name}: no view observes {_rows(unseen)}; remove these samples.")
    blind = np.flatnonzero(~mask.any(axis=0))
    if blind.size:
        raise InvalidData(f"{name}: view '{names[blind[0]]}' observes no sample; remove it.")


def check_numbers(name: str, view: View) -> None:
    matrix = view.matrix
    if sparse.issparse(matrix):
        bad_entries = np.flatnonzero(~np.isfinite(matrix.data))
        bad = np.unique(np.searchsorted(matrix.indptr, bad_entries, side="right") - 1)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            suspects = np.flatnonzero(~np.isfinite(matrix.sum(axis=1)))
        bad = suspects[~np.isfinite(matrix[suspects]).all(axis=1)]
    if bad.size:
        raise InvalidData(
            f"{name}: view '{view.name}' has NaN or infinity in {_rows(bad)}. A missing sample is a row of NaN only; "
            "fill or remove single missing values first."
        )
    if view.kind != "features":
        gap = abs(matrix - matrix.T).max() if view.is_sparse else _asymmetry(matrix)
        if gap > 1e-8 and gap > 1e-8 * abs(matrix).max():
            raise InvalidData(
                f"{name}: view '{view.name}' is a {view.kind} but not symmetric (it differs by {gap:.3g})."
            )


def _asymmetry(matrix: NDArray[Any]) -> float:
    """The largest |m_ij - m_ji| of a matrix (n, n), whose like is not allocated for it."""
    step = max(1, LOOKED_AT // len(matrix))
    blocks = [(slice(first, first + step), slice(first, None)) for first in range(0, len(matrix), step)]
    return max(float(np.abs(matrix[rows, rest] - matrix[rest, rows].T).max()) for rows, rest in blocks)


def all_nan_rows(matrix: Matrix) -> NDArray[np.bool_]:
    if sparse.issparse(matrix):
        matrix = sparse.csr_array(matrix)
        nans = sparse.csr_array((np.isnan(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
        return np.asarray(nans.sum(axis=1)).ravel() == matrix.shape[1]
    result = np.isnan(matrix[:, 0])
    rows = np.flatnonzero(result)
    result[rows] = np.isnan(matrix[rows]).all(axis=1)
    return np.asarray(result)


def _rows(rows: NDArray[np.int64]) -> str:
    shown = ", ".join(str(row) for row in rows[:5])
    more = f" and {rows.size - 5} more" if rows.size > 5 else ""
    return f"row{'s' if rows.size > 1 else ''} {shown}{more}"
