"""Data in memory that nobody can write to, handed out under fresh objects.

Marking an array as read-only binds only those who ask. Pages that are mapped for reading only bind everybody: a write,
by whatever means, ends the process that tries.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    with _nameless() as file:
        file.truncate(array.nbytes)
        with mmap.mmap(file.fileno(), array.nbytes, access=mmap.ACCESS_WRITE) as writable:
            pages = np.frombuffer(writable, dtype=array.dtype).reshape(array.shape, order=_order(array))
            pages[...] = array
            del pages  # the map cannot be closed while an array is on it
        read_only = mmap.mmap(file.fileno(), array.nbytes, access=mmap.ACCESS_READ)
    return np.frombuffer(read_only, dtype=array.dtype).reshape(array.shape, order=_order(array))


def _nameless() -> Any:
    """A file in memory where the system has such, else a temporary one."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("mvarena"), "w+b")
    return tempfile.TemporaryFile()


def _order(array: NDArray[Any]) -> Any:
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def _is_sealed(array: NDArray[Any]) -> bool:
    """True if the array lies in a map that was opened for reading."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return isinstance(base, mmap.mmap) and memoryview(base).readonly
