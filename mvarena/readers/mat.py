"""MATLAB files, versions 5 to 7.3, read without trusting what they declare."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.errors import InvalidData
from mvarena.readers.limits import Budget, Damaged

__all__ = ["CellArray", "Unsupported", "read_mat"]

_HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"
_HEADER_BYTES = 128


def read_mat(path: Path, only: Collection[str] | None = None) -> dict[str, Any]:
    """The variables of a .mat file by name; `only` names those wanted (all if None).

    Numeric arrays come as numpy arrays in MATLAB's shape, sparse matrices as CSC, char arrays as text or a list
    of text, cell arrays as `CellArray`, structs as dicts, anything else as `Unsupported`.
    Raises InvalidData, naming the file, if it is damaged, of version 4, no MATLAB file, or takes more memory, items or
    time than its size can account for (`mvarena.readers.limits`).
    """
    try:
        budget = Budget(path.stat().st_size)
        with path.open("rb") as stream:
            head = stream.read(512 + len(_HDF5_MAGIC))
        if head.startswith(_HDF5_MAGIC) or head[512:] == _HDF5_MAGIC:
            from mvarena.readers.mat_v73 import read_v73

            return read_v73(path, only, budget)
        if head[124:128] not in (b"\x00\x01IM", b"\x01\x00MI"):
            raise Damaged("it is no MATLAB file of version 5 to 7.3; save it in MATLAB with save(..., '-v7')")
        from mvarena.readers.mat_v5 import read_v5

        return read_v5(path.read_bytes()[_HEADER_BYTES:], "<" if head[126:128] == b"IM" else ">", only, budget)
    except Damaged as error:
        raise InvalidData(f"{path} cannot be read: {error}.") from error
    except OSError as error:
        raise InvalidData(f"{path} cannot be read: {error.strerror or error}.") from error
    except MemoryError as error:
        raise InvalidData(f"{path} needs more memory than there is.") from error


# What MATLAB variables become in Python, and the sizes that a file may claim.

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
        raise Damaged("a char array holds numbers that are no characters")
    lines = [_text(row) for row in table.astype(np.int64).tolist()]
    return lines[0] if len(lines) == 1 else lines


def _text(codes: list[int]) -> str:
    """Character codes as text; MATLAB counts in UTF-16, so what stands for half a character is put together."""
    text = "".join(map(chr, codes))
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
