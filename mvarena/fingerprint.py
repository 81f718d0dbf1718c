"""Content fingerprints: equal numbers give equal fingerprints, however they are stored.

A matrix is hashed as its shape and its non-zero entries in row order (row lengths, column indices, values as
little-endian float64), so neither the dtype's width nor dense against sparse storage matters. Cost: one pass
over the entries, in row blocks of bounded memory.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from hashlib import _Hash

_BLOCK_ENTRIES = 4_000_000
_BLOCK_ROWS = 256


def matrix_rows(matrix: Any) -> sparse.csr_array:
    """Rows of a dense or sparse matrix as canonical CSR: sorted indices, no duplicates, no stored zeros."""
    block = sparse.csr_array(matrix, dtype=np.float64, copy=True)
    block.sum_duplicates()
    block.eliminate_zeros()
    return block


def update_with_matrix(digest: _Hash, matrix: Any) -> None:
    """Feed a dense array or CSR matrix of shape (n, d) into `digest`."""
    n, d = matrix.shape
    digest.update(np.array([n, d], dtype="<i8").tobytes())
    # the blocks are part of what is hashed, so they depend on the shape alone, not on the storage
    step = max(_BLOCK_ROWS, _BLOCK_ENTRIES // max(1, d))
    for start in range(0, n, step):
        rows = matrix_rows(matrix[start : start + step])
        digest.update(np.diff(rows.indptr).astype("<i8").tobytes())
        digest.update(rows.indices.astype("<i4").tobytes())
        digest.update(rows.data.astype("<f8").tobytes())


def update_with_array(digest: _Hash, array: np.ndarray[Any, Any] | None, dtype: str) -> None:
    """Feed a vector or mask, or the absence of one, into `digest`."""
    if array is None:
        digest.update(b"none")
        return
    digest.update(np.array(array.shape, dtype="<i8").tobytes())
    digest.update(np.ascontiguousarray(array, dtype=dtype).tobytes())


def new_digest() -> _Hash:
    """A fresh digest; the prefix names the scheme, so that a change of scheme changes every fingerprint."""
    return hashlib.sha256(b"mvarena-content-1")
