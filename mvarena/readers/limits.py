"""Limits for reading one file: memory, items and time, whatever the file declares.

Real files stay far below. What goes beyond was made to (a few kilobytes that unpack to gigabytes, cells that hold each
other), or does not fit into this machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.data import Matrix
from mvarena.system.memory import memory_limit

_ALWAYS_BYTES = 1 << 30  # so much is granted to any file
_LARGEST_SHRINKAGE = 256  # beyond that, times its size; zeros shrink further, data hardly ever
_ITEMS = 1_000_000  # variables, cells, fields
_SECONDS = 60.0
_BYTES_PER_SECOND = 1e6  # more time for larger files, on the slowest of disks
_NUMBER_BYTES = 8  # every number is a float64 in the end


class Damaged(Exception):
    """The file contradicts itself or its format, or asks for too much; the text says how."""


class Budget:
    """The costs of one file, counted before they arise."""

    def __init__(self, file_bytes: int) -> None:
        """file_bytes : how large the file is."""
        self._bytes = float(min(memory_limit() // 2, max(_ALWAYS_BYTES, _LARGEST_SHRINKAGE * file_bytes)))
        self._items = _ITEMS
        self._granted = self._bytes
        self._seconds = _SECONDS + file_bytes / _BYTES_PER_SECOND
        self._began = time.monotonic()

    def item(self, count: int = 1) -> None:
        """Count variables, cells or fields. Raises Damaged beyond a million, or if reading takes too long."""
        self._items -= count
        if self._items < 0:
            raise Damaged(f"it holds more than {_ITEMS} variables, cells and fields")
        if time.monotonic() - self._began > self._seconds:
            raise Damaged(f"reading it takes longer than {self._seconds:.0f} s")

    def memory(self, n_bytes: int) -> None:
        """Count bytes. Raises Damaged if they are more than the file's size and the machine's memory allow."""
        self._bytes -= n_bytes
        if self._bytes < 0:
            raise Damaged(f"it unpacks to more than {self._granted / (1 << 30):.1f} GiB, more than its size explains "
                          "or this machine's memory allows")  # fmt: skip

    def numbers(self, shape: Sequence[int], itemsize: int = _NUMBER_BYTES) -> None:
        """Count an array: as it is read, and as the numbers that become of it."""
        self.memory(math.prod(shape) * max(itemsize, _NUMBER_BYTES))


def fits_memory(shape: Sequence[int]) -> bool:
    """True if an array of numbers of this shape may be made: half of the memory that this process may use, at most."""
    return math.prod(shape) * _NUMBER_BYTES <= memory_limit() // 2


# Storage of a view in memory: sparse where that pays.

SPARSE_BELOW = 0.1  # share of non-zeros under which CSR takes less room and time than a dense matrix


def compact(matrix: Any) -> Matrix:
    """An n x d matrix of numbers as float64, CSR if less than a tenth of it is not zero. Cost: one pass."""
    rows, columns = matrix.shape
    if sparse.issparse(matrix):
        stored = sparse.csr_array(matrix, dtype=np.float64)
        return stored if stored.nnz < SPARSE_BELOW * rows * columns else stored.toarray()
    if np.count_nonzero(matrix) < SPARSE_BELOW * rows * columns:
        return sparse.csr_array(matrix, dtype=np.float64)
    return np.asarray(matrix, dtype=np.float64)
