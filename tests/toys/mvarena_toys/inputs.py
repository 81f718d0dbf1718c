"""Ways to write to the data, which the worker keeps for its next trials."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Any

import numpy as np
from sklearn.utils.sparsefuncs import inplace_csr_column_scale

from mvarena_toys.deeds import deed

_WORDS = {"dataset": "toy-words"}


@deed("FAILED", "read-only")
def writes_to_a_view(data: Any) -> None:
    data.views[0].matrix[:] = 7


@deed("DONE")
def makes_a_view_writable(data: Any) -> None:
    with suppress(ValueError):  # of pages that are mapped for reading
        data.views[0].matrix.flags.writeable = True
        data.views[0].matrix[:] = 7


@deed("FAILED", "read-only", **_WORDS)
def writes_to_the_entries_of_a_sparse_view(data: Any) -> None:
    data.views[0].matrix.data[:] = 7


@deed("FAILED", "read-only", **_WORDS)
def writes_to_the_indices_of_a_sparse_view(data: Any) -> None:
    data.views[0].matrix.indices[:] = 0


@deed("FAILED", "read-only", **_WORDS)
def writes_to_the_row_starts_of_a_sparse_view(data: Any) -> None:
    data.views[0].matrix.indptr[:] = 0


@deed("DONE", **_WORDS)
def makes_a_sparse_view_writable(data: Any) -> None:
    data.views[0].matrix.data.flags.writeable = True
    data.views[0].matrix.data[:] = 7


@deed("FAILED", "", **_WORDS)
def scales_a_sparse_view_in_place(data: Any) -> None:
    inplace_csr_column_scale(data.views[0].matrix, np.zeros(12))


@deed("DONE", "", **_WORDS)
def gives_a_sparse_view_other_entries(data: Any) -> None:
    data.views[0].matrix.data = np.zeros(data.views[0].matrix.nnz)


@deed("DONE")
def gives_a_view_another_matrix(data: Any) -> None:
    object.__setattr__(data.views[0], "matrix", np.ones((30, 2)))


@deed("FAILED", "read-only")
def writes_to_the_mask(data: Any) -> None:
    data.mask[:] = False


@deed("DONE", long=True)
def writes_behind_the_back_of_numpy(data: Any) -> None:
    matrix = data.views[0].matrix
    ctypes.memset(matrix.ctypes.data, 0, matrix.nbytes)


@deed("DONE", **_WORDS)
def writes_behind_the_back_of_a_sparse_view(data: Any) -> None:
    entries = data.views[0].matrix.data
    ctypes.memset(entries.ctypes.data, 0, entries.nbytes)
