"""MAT-files of version 7.3, which are HDF5 files, through h5py."""

from __future__ import annotations

import math
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.readers.limits import Budget, Damaged
from mvarena.readers.mat_values import DEEPEST, LARGEST_RATIO, CellArray, Unsupported, sparse_matrix, text_lines

_LETTER_BYTES = 64  # that a character takes on its way to text
_UNSHRUNK_BYTES = 1 << 20  # below this much it does not matter what a file claims


def read_v73(path: Path, only: Collection[str] | None, budget: Budget) -> dict[str, Any]:
    """The variables of an HDF5 MAT-file. Raises Damaged."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            names = [name for name in file if not name.startswith("#") and (only is None or name in only)]
            return {name: _link(file, name, 0, budget) for name in names}
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise Damaged(f"the HDF5 library says: {str(error).splitlines()[0] if str(error) else error!r}") from error


def _link(group: Any, name: str, depth: int, budget: Budget) -> Any:
    """Object behind a name; links out of the file are not followed."""
    import h5py

    if not isinstance(group.get(name, getlink=True), h5py.HardLink):
        return Unsupported("a link to another file")
    return _node(group[name], depth, budget)


def _node(node: Any, depth: int, budget: Budget) -> Any:
    import h5py

    budget.item()
    if depth > DEEPEST:
        raise Damaged(f"cells or structs are nested more than {DEEPEST} deep")
    if isinstance(node, h5py.Group):
        if "MATLAB_sparse" in node.attrs:
            return _sparse(node, budget)
        return {name: _link(node, name, depth + 1, budget) for name in node}
    if not isinstance(node, h5py.Dataset):
        return Unsupported("an HDF5 type")
    return _dataset(node, depth, budget)


def _dataset(node: Any, depth: int, budget: Budget) -> Any:
    kind = node.attrs.get("MATLAB_class", b"")
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if node.shape is None:
        return Unsupported("an empty HDF5 space")
    if "MATLAB_empty" in node.attrs:
        return CellArray((), (0, 0)) if kind == "cell" else "" if kind == "char" else np.empty((0, 0))
    if node.dtype == object:
        return _cell(node, depth, budget)
    if node.dtype.kind not in "biuf":
        return Unsupported("complex numbers" if node.dtype.names else f"values of type {node.dtype}")
    if "MATLAB_object_decode" in node.attrs and kind != "char" and kind != "logical":
        return Unsupported("a MATLAB object")
    values = _array(node, budget)
    if kind == "char":
        budget.memory(values.size * _LETTER_BYTES)
        return text_lines(values.ravel(order="F"), values.shape)
    return values.astype(bool) if kind == "logical" else values


def _array(node: Any, budget: Budget) -> NDArray[Any]:
    """A data set's numbers in MATLAB's shape: HDF5 keeps the dimensions in reverse."""
    size = math.prod(node.shape) * node.dtype.itemsize
    if node.external or node.is_virtual:
        raise Damaged("it stores its numbers in other files")
    stored = node.id.get_storage_size()
    if size > _UNSHRUNK_BYTES and size > LARGEST_RATIO * stored:
        raise Damaged(f"an array declares {size} bytes, more than its {stored} stored bytes can hold")
    budget.numbers(node.shape, node.dtype.itemsize)
    budget.memory(math.prod(node.chunks or ()) * node.dtype.itemsize)  # a chunk is unpacked whole
    values: NDArray[Any] = node[()]
    if values.ndim < 2:
        values = np.atleast_2d(values)
    return values.T


def _cell(node: Any, depth: int, budget: Budget) -> Any:
    import h5py

    if h5py.check_ref_dtype(node.dtype) is not h5py.Reference:
        return Unsupported("text of HDF5")
    if math.prod(node.shape) * 8 > max(LARGEST_RATIO * node.id.get_storage_size(), _UNSHRUNK_BYTES):
        raise Damaged("a cell array declares more items than it stores")
    budget.item(math.prod(node.shape))
    references = np.atleast_2d(node[()]).T
    items = tuple(_node(node.file[reference], depth + 1, budget) for reference in references.ravel(order="F"))
    return CellArray(items, references.shape)


def _sparse(node: Any, budget: Budget) -> Any:
    """A sparse matrix: the number of rows is an attribute, that of columns follows from the column starts."""
    starts = _array(node["jc"], budget).ravel() if "jc" in node else np.zeros(1, dtype=np.int64)
    empty = np.empty(0)
    data, rows = (_array(node[part], budget).ravel() if part in node else empty for part in ("data", "ir"))
    n_rows = int(node.attrs["MATLAB_sparse"])
    budget.numbers((abs(n_rows),))
    return sparse_matrix(data, rows, starts, (n_rows, starts.size - 1))
