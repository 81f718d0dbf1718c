"""Data handed to another process, without their classes: in memory that nobody can write to any more, and, where they
are mapped from a file, in that file. What the other process gets is a description, in bytes, and open files."""

from __future__ import annotations

import json
import mmap
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import Matrix, MultiViewData, View

_ALIGNED = 64  # bytes, as NumPy's own arrays or better
_MAPPED_BYTES = 1 << 20  # a smaller array is copied
MOST_FILES = 200  # that go along with one message


def open_memory() -> int:
    """Descriptor of an empty file in memory, where the system has such, else of a temporary one."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("mvarena", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def close_memory(descriptor: int) -> bool:
    """Let nobody write to the file any more. False where the system cannot."""
    if not hasattr(os, "memfd_create"):
        return False
    import fcntl  # which other systems have not

    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    return True


def write_arrays(memory: int, size: int, arrays: Iterable[tuple[int, NDArray[Any]]]) -> None:
    """Copy arrays to their positions in the file `memory`, which gets `size` bytes."""
    os.truncate(memory, size)
    with mmap.mmap(memory, size, access=mmap.ACCESS_WRITE) as pages:
        for position, array in arrays:
            there = np.frombuffer(pages, array.dtype, array.size, position).reshape(array.shape, order=order_of(array))
            there[...] = array
            del there  # the map cannot be closed while an array is on it


def order_of(array: NDArray[Any]) -> Any:
    """'F' or 'C', as NumPy lays the copy of an array out."""
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def handed_over(
    data: MultiViewData, memory: int, *, labels: NDArray[np.int64] | None = None, maps: bool = True
) -> tuple[bytes, list[int]]:
    """Description of `data`, whose arrays are copied to the file `memory` (`open_memory`), and all files that it needs.

    Neither classes nor ids of `data` are handed over. labels : to be handed over all the same. maps : whether arrays
    that are mapped from a file stay there; the files listed after `memory` are then the caller's to close.
    Cost: one copy of the others.
    """
    kept = _Kept(memory, maps)
    text = {
        "name": data.name,
        "n_clusters": data.n_clusters,
        "keep_single": data.keep_single,
        "mask": kept.add(data.mask),
        "labels": None if labels is None else kept.add(labels),
        "views": [
            {
                "name": view.name,
                "kind": view.kind,
                "shape": view.matrix.shape,
                "canonical": not view.is_sparse or bool(view.matrix.has_canonical_format),
                "parts": [kept.add(part) for part in _parts(view.matrix)],
            }
            for view in data.views
        ],
    }
    kept.write()
    return json.dumps(text).encode(), kept.files


def taken_over(description: bytes, files: Sequence[int]) -> MultiViewData:
    """The data that another process has handed over. The files may be closed afterwards."""
    text = json.loads(description)
    maps = [mmap.mmap(file, 0, access=mmap.ACCESS_READ) if os.fstat(file).st_size else None for file in files]
    views = tuple(
        View(view["name"], _matrix(view, [_array(part, maps) for part in view["parts"]]), view["kind"])
        for view in text["views"]
    )
    labels = None if text["labels"] is None else _array(text["labels"], maps)
    known = {"n_clusters": text["n_clusters"], "keep_single": text["keep_single"]}
    smallest = MultiViewData(text["name"], (View("", np.ones((1, 1))),), **known)
    return smallest.holding(views, _array(text["mask"], maps), labels)


@dataclass
class _Kept:
    """The arrays that go to a file in memory, and the files of those that stay in theirs."""

    memory: int
    maps: bool
    files: list[int] = field(default_factory=list)
    _arrays: list[tuple[int, NDArray[Any]]] = field(default_factory=list)
    _size: int = 0

    def __post_init__(self) -> None:
        self.files.append(self.memory)

    def add(self, array: NDArray[Any]) -> dict[str, Any]:
        """Place at which the other process finds it."""
        said = {"dtype": array.dtype.str, "shape": array.shape, "order": order_of(array)}
        mapped = _mapped_from(array) if self.maps and len(self.files) < MOST_FILES else None
        if mapped is not None:
            self.files.append(mapped[0])
            return said | {"file": len(self.files) - 1, "offset": mapped[1]}
        position = self._size
        self._arrays.append((position, array))
        self._size += -(-array.nbytes // _ALIGNED) * _ALIGNED
        return said | {"file": 0, "offset": position}

    def write(self) -> None:
        """Copy the arrays that are to be copied."""
        if self._size:
            write_arrays(self.memory, self._size, self._arrays)


def _mapped_from(array: NDArray[Any]) -> tuple[int, int] | None:
    """The file, opened anew, and the place in it that a large array is mapped from; None of any other array."""
    if array.nbytes < _MAPPED_BYTES or not (array.flags.c_contiguous or array.flags.f_contiguous):
        return None
    base: Any = array
    while isinstance(base, np.ndarray) and not isinstance(base, np.memmap):
        base = base.base
    if not isinstance(base, np.memmap) or base.filename is None or base.mode != "r":
        return None
    while isinstance(base.base, np.memmap):
        base = base.base
    offset = base.offset + array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    try:
        return os.open(base.filename, os.O_RDONLY | os.O_CLOEXEC), offset
    except OSError:  # it has been replaced
        return None


def _parts(matrix: Matrix) -> list[NDArray[Any]]:
    return [matrix] if isinstance(matrix, np.ndarray) else [matrix.data, matrix.indices, matrix.indptr]


def _matrix(view: Any, parts: list[NDArray[Any]]) -> Matrix:
    if len(parts) == 1:
        return parts[0]
    result = sparse.csr_array(tuple(view["shape"]), dtype=parts[0].dtype)
    result.data, result.indices, result.indptr = parts  # as they are: types of indices, too
    result.has_canonical_format = view["canonical"]  # else it is found out again, in a pass over all entries
    return result


def _array(said: Any, maps: Sequence[Any]) -> NDArray[Any]:
    dtype, shape = np.dtype(said["dtype"]), tuple(said["shape"])
    size = int(np.prod(shape))
    if not size:
        return np.zeros(shape, dtype)
    found = np.frombuffer(maps[said["file"]], dtype, size, said["offset"])
    return found.reshape(shape, order=said["order"])
