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


@deed("FAILED", "", **_WORDS)
def scales_a_sparse_view_in_place(data: Any) -> None:
    inplace_csr_column_scale(data.views[0].matrix, np.zeros(12))


@deed("DONE")
def makes_a_view_writable_and_another(data: Any) -> None:
    with suppress(ValueError):  # of pages that are mapped for reading
        data.views[0].matrix.flags.writeable = True
        data.views[0].matrix[:] = 7
    object.__setattr__(data.views[1], "matrix", np.ones((30, 2)))


@deed("DONE", **_WORDS)
def makes_a_sparse_view_writable(data: Any) -> None:
    data.views[0].matrix.data.flags.writeable = True
    data.views[0].matrix.data[:] = 7


@deed("DONE")
def writes_behind_the_back_of_numpy(data: Any) -> None:
    matrix = data.views[0].matrix
    ctypes.memset(matrix.ctypes.data, 0, matrix.nbytes)
