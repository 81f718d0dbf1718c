"""MAT-files of version 7.3, which are HDF5 files, through h5py."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.readers.limits import Damaged, check_declared, checked_sparse
from mvarena.readers.values import CellArray, Unsupported, matlab_object, real_numbers
from mvarena.text import shortened

_ALWAYS_BYTES = 1 << 16  # below this much it does not matter what a file claims


def read_v73(path: Path) -> dict[str, Any]:
    """The variables of an HDF5 MAT-file, as `read_mat` gives them. Raises Damaged, and OSError where HDF5 does."""
    try:
        with h5py.File(path, "r") as file:
            return {name: _variable(file, name) for name in file if isinstance(name, str) and name[:1] != "#"}
    except (RuntimeError, KeyError, ValueError, TypeError) as error:
        raise Damaged(f"the HDF5 library says: {error}") from error


def _variable(file: Any, name: str) -> Any:
    try:
        return _link(file, name)
    except (RuntimeError, KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
        return Unsupported(f"not decoded: {shortened(str(error), 100)}")


def _link(group: Any, name: str) -> Any:
    """Object behind a name; links out of the file are not followed."""
    if not isinstance(group.get(name, getlink=True), h5py.HardLink):
        return Unsupported("a link to another file")
    return _node(group[name])


def _node(node: Any) -> Any:
    kind = node.attrs.get("MATLAB_class", b"")
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if isinstance(node, h5py.Group):
        if "MATLAB_sparse" in node.attrs:
            return _sparse(node)
        if kind == "function_handle":
            return Unsupported("a function handle")
        return {name: _link(node, name) for name in node}
    if not isinstance(node, h5py.Dataset) or node.shape is None:
        return Unsupported("an HDF5 type")
    if "MATLAB_empty" in node.attrs:
        return CellArray((), (0, 0)) if kind == "cell" else "" if kind == "char" else np.empty((0, 0))
    if "MATLAB_object_decode" in node.attrs and kind not in ("char", "logical"):
        return matlab_object(kind)
    return _values(node, kind)


def _values(node: Any, kind: str) -> Any:
    if node.external or node.is_virtual:
        return Unsupported("numbers that lie in other files")
    if node.dtype == object and h5py.check_ref_dtype(node.dtype) is not h5py.Reference:
        return Unsupported("text of HDF5")
    if node.dtype.names:
        return Unsupported("complex numbers")
    check_declared(math.prod(node.shape), node.id.get_storage_size() + _ALWAYS_BYTES)
    values = np.atleast_2d(node[()]).T  # HDF5 keeps the dimensions in reverse
    if node.dtype == object:
        items = tuple(_node(node.file[reference]) for reference in values.ravel(order="F"))
        return CellArray(items, values.shape)
    if kind == "char":
        lines = [_text(row) for row in values.reshape(values.shape[0], -1)]
        return lines if len(lines) > 1 else "".join(lines)
    return values.astype(bool) if kind == "logical" else real_numbers(values)


def _text(codes: NDArray[Any]) -> str:
    return codes.astype("<u2").tobytes().decode("utf-16-le", "replace")


def _sparse(node: Any) -> Any:
    """A sparse matrix: the number of rows is an attribute, that of columns follows from the column starts."""
    starts = np.ravel(node["jc"][()]).astype(np.int64) if "jc" in node else np.zeros(1, dtype=np.int64)
    data, rows = (_values(node[part], "").ravel() if part in node else np.empty(0) for part in ("data", "ir"))
    parts = (data[: starts[-1]], rows[: starts[-1]].astype(np.int64), starts)
    try:
        return checked_sparse(sparse.csc_array(parts, shape=(int(node.attrs["MATLAB_sparse"]), starts.size - 1)))
    except ValueError as error:
        raise Damaged(f"the parts of a sparse matrix do not agree ({error})") from error
