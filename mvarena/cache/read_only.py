"""Data in memory that nobody can write to, handed out under fresh objects.

Marking an array as read-only binds only those who ask. Pages that are mapped for reading only bind everybody: a write,
by whatever means, ends the process that tries.
"""

from __future__ import annotations

import mmap
import os
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.cache.handed_over import open_memory, order_of, write_arrays
from mvarena.data import Matrix, MultiViewData, View, frozen_sparse


def sealed(data: MultiViewData) -> MultiViewData:
    """The same data in read-only pages. Arrays that lie in such pages already (`mvarena.cache.mapped`) stay there.

    Cost: one copy of the others, in memory.
    """
    views = tuple(replace(view, matrix=_of_matrix(view.matrix, _sealed_array)) for view in data.views)
    labels = None if data.labels is None else _sealed_array(data.labels)
    return data.holding(views, _sealed_array(data.mask), labels)


def handed_out(data: MultiViewData) -> MultiViewData:
    """The same arrays under objects of their own: what is done to these reaches no other holder. Cost: 50 µs a view."""
    views = tuple(View(view.name, _of_matrix(view.matrix, _as_it_is), view.kind) for view in data.views)
    labels = None if data.labels is None else data.labels.view()
    return data.holding(views, data.mask.view(), labels)


def _of_matrix(matrix: Matrix, change: Any) -> Matrix:
    if isinstance(matrix, np.ndarray):
        return change(matrix)
    return frozen_sparse(matrix, change)


def _as_it_is(array: NDArray[Any]) -> NDArray[Any]:
    return array.view()


def _sealed_array(array: NDArray[Any]) -> NDArray[Any]:
    if _is_sealed(array) or array.nbytes == 0:
        return array.view()
    memory = open_memory()
    try:
        write_arrays(memory, array.nbytes, [(0, array)])
        read_only = mmap.mmap(memory, array.nbytes, access=mmap.ACCESS_READ)
    finally:
        os.close(memory)
    return np.frombuffer(read_only, dtype=array.dtype).reshape(array.shape, order=order_of(array))


def _is_sealed(array: NDArray[Any]) -> bool:
    """True if the array lies in a map that was opened for reading."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return isinstance(base, mmap.mmap) and memoryview(base).readonly
