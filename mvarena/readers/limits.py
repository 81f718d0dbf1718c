"""Sizes that a file may declare, and how a view is kept in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.data import Matrix
from mvarena.system.memory import memory_limit

SPARSE_BELOW = 0.1  # share of non-zeros under which CSR takes less room and time than a dense matrix
_NUMBER_BYTES = 8  # every number is a float64 in the end
_LARGEST_RATIO = 1040  # deflate cannot shrink anything further than 1032 times


class Damaged(Exception):
    """The file contradicts itself or its format, or does not fit into memory; the text says how."""


def fits_memory(shape: Sequence[int]) -> bool:
    """True if an array of numbers of this shape may be made: half of the memory that this process may use, at most."""
    return math.prod(shape) * _NUMBER_BYTES <= memory_limit() // 2


def check_declared(numbers: int, stored_bytes: int) -> None:
    """Raise Damaged for more numbers than the bytes of a file can hold, or memory can."""
    if numbers > _LARGEST_RATIO * max(stored_bytes, 1):
        raise Damaged(f"it declares {numbers} numbers, which {stored_bytes} bytes cannot hold")
    if not fits_memory((numbers,)):
        raise Damaged(f"its {numbers} numbers do not fit into the memory of this machine")


def checked_sparse(matrix: Any) -> Any:
    """The matrix as a sparse array without duplicates, after checking every index against the shape.

    The format stays if it is CSR or CSC, else it becomes CSR. Raises Damaged for a shape that does not fit into memory,
    ValueError for parts that do not agree.
    """
    if matrix.ndim != 2:
        raise Damaged(f"a sparse array has {matrix.ndim} dimension; save a matrix")
    if not fits_memory((sum(matrix.shape),)):
        raise Damaged(f"a sparse matrix of {matrix.shape[0]} x {matrix.shape[1]} does not fit into memory")
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    kept = sparse.csc_array(matrix) if matrix.format == "csc" else sparse.csr_array(matrix)
    kept.sum_duplicates()
    return kept


def compact(matrix: Any) -> Matrix:
    """An n x d matrix of numbers as float64, CSR if less than a tenth of it is not zero. Cost: one pass."""
    rows, columns = matrix.shape
    if sparse.issparse(matrix):
        stored = sparse.csr_array(matrix, dtype=np.float64)
        return stored if stored.nnz < SPARSE_BELOW * rows * columns else stored.toarray()
    if np.count_nonzero(matrix) < SPARSE_BELOW * rows * columns:
        return sparse.csr_array(matrix, dtype=np.float64)
    return np.asarray(matrix, dtype=np.float64)
