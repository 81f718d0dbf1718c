"""Python forms of MATLAB variables, and the sizes that a file may claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.readers.limits import Damaged

DEEPEST = 32  # cells and structs inside each other; real files stay below five
LARGEST_RATIO = 1040  # deflate cannot shrink anything further than 1032 times


@dataclass(frozen=True, slots=True)
class CellArray:
    """A cell array: its items in column-major order, and its shape."""

    items: tuple[Any, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A variable that is no data: a function handle, an object, complex numbers."""

    what: str


def column_major(values: NDArray[Any], shape: Sequence[int]) -> NDArray[Any]:
    """`values` (flat) in MATLAB's column-major shape; Damaged if there are not as many as the shape says."""
    if any(size < 0 for size in shape) or values.size != math.prod(shape):
        raise Damaged(f"an array of {' x '.join(map(str, shape))} holds {values.size} numbers")
    try:
        return values.reshape(tuple(shape), order="F")
    except ValueError as error:
        raise Damaged(f"an array has {len(shape)} dimensions") from error


def sparse_matrix(
    data: NDArray[Any], rows: NDArray[Any], starts: NDArray[Any], shape: Sequence[int]
) -> sparse.csc_array:
    """A CSC matrix whose indices have been checked against its shape."""
    if len(shape) != 2:
        raise Damaged("a sparse matrix has no two dimensions")
    n_rows, n_columns = shape
    if n_rows < 0 or n_columns < 0 or starts.size != n_columns + 1:
        raise Damaged(f"a sparse matrix of {n_rows} x {n_columns} has {starts.size} column starts")
    starts = starts.astype(np.int64)
    count = int(starts[-1])
    if starts[0] != 0 or (np.diff(starts) < 0).any() or count > min(data.size, rows.size):
        raise Damaged("the column starts of a sparse matrix are out of order")
    rows = rows[:count].astype(np.int64)
    if count and not 0 <= rows.min() <= rows.max() < n_rows:
        raise Damaged("a row index of a sparse matrix is out of range")
    # copies, as the buffers of a file are read-only and sorting works in place
    matrix = sparse.csc_array((np.array(data[:count]), np.array(rows), starts), shape=(n_rows, n_columns))
    matrix.sum_duplicates()
    return matrix


def text_lines(codes: NDArray[Any], shape: Sequence[int]) -> str | list[str]:
    """A char array as text (one row) or a list of texts (one per row)."""
    if codes.size == 0:
        return ""
    table = column_major(codes, shape)
    if table.ndim != 2:
        raise Damaged("a char array has more than two dimensions")
    if int(table.max()) > 0x10FFFF:
        raise Damaged("a char array holds numbers that are not characters")
    lines = [_text(row) for row in table.astype(np.int64).tolist()]
    return lines[0] if len(lines) == 1 else lines


def _text(codes: list[int]) -> str:
    """Character codes as text; MATLAB counts in UTF-16, so what stands for half a character is put together."""
    text = "".join(map(chr, codes))
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
