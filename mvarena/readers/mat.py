"""MATLAB files: versions 4 to 7 through scipy, version 7.3 through h5py."""

from __future__ import annotations

import math
import warnings
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io, sparse
from scipy.io.matlab import MatlabFunction, MatlabObject, MatlabOpaque, varmats_from_mat

from mvarena.errors import InvalidData
from mvarena.readers.limits import Damaged, check_declared, checked_sparse
from mvarena.readers.mat_tags import check_tags
from mvarena.readers.values import CellArray, Unsupported, matlab_object, real_numbers
from mvarena.text import shortened

_HEADER_BYTES = 128
_NAMELESS = "None"
_HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"


def read_mat(path: Path, only: Collection[str] | None = None) -> dict[str, Any]:
    """The variables of a .mat file by name; `only` names those wanted (all if None).

    Numeric arrays come as numpy arrays in MATLAB's shape, sparse matrices as CSC, char arrays as text or a list
    of text, cell arrays as `CellArray`, structs as dicts, anything else, with the reason, as `Unsupported`.
    Raises InvalidData, naming the file, if it is damaged, no MATLAB file, or does not fit into memory.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(512 + len(_HDF5_MAGIC))
        if head.startswith(_HDF5_MAGIC) or head[512:] == _HDF5_MAGIC:
            from mvarena.readers.mat_v73 import read_v73  # imports h5py

            return read_v73(path, only)
        if head[124:128] in (b"\x00\x01IM", b"\x01\x00MI"):
            content = np.memmap(path, np.uint8, "r").data
            check_tags(content[_HEADER_BYTES:], "<" if head[126:128] == b"IM" else ">")
        with warnings.catch_warnings(action="ignore"):
            return _read_v5(path, only)
    except MemoryError as error:
        raise InvalidData(f"{path} needs more memory than is available.") from error
    except (Damaged, OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidData(f"{path} cannot be read: {shortened(str(reason), 300)}.") from error


def _read_v5(path: Path, only: Collection[str] | None) -> dict[str, Any]:
    declared = [entry for entry in _declared(path) if only is None or entry[0] in only]
    sizes = (sum(shape) if kind == "sparse" else math.prod(shape) for _, shape, kind in declared)
    check_declared(sum(sizes), path.stat().st_size)
    try:
        found = io.loadmat(path, variable_names=only)
    except (OSError, EOFError, zlib.error, MemoryError):
        raise
    except Exception as error:  # one of them, in any way: the others are read without it
        if not declared:
            raise Damaged(f"it cannot be decoded ({error})") from error
        found = {name: _one(path, name) for name, _, _ in declared}
    found.pop(_NAMELESS, None)
    objects = {} if declared else _objects(path, only)
    return objects | {name: _decoded(value) for name, value in found.items() if not name.startswith("__")}


def _objects(path: Path, only: Collection[str] | None) -> dict[str, Any]:
    """The objects of MATLAB's classes in a file, which scipy calls all by one name."""
    with path.open("rb") as stream:
        alone = [io.loadmat(file) for name, file in varmats_from_mat(stream) if name == _NAMELESS]
    values = [value for variables in alone for value in (variables.get(_NAMELESS),) if isinstance(value, MatlabOpaque)]
    named = {value.ravel()[0]["s0"].decode("latin-1"): _decoded(value) for value in values}
    return {name: value for name, value in named.items() if only is None or name in only}


def _declared(path: Path) -> list[tuple[str, tuple[int, ...], str]]:
    """Name, shape and class of each variable by the headers alone; none where one, a MATLAB object, has no shape."""
    try:
        return list(io.whosmat(path))
    except TypeError:
        return []
    except Exception as error:  # scipy raises whatever a damaged header leads to
        raise Damaged(f"it is no MATLAB file, or is damaged ({error})") from error


def _one(path: Path, name: str) -> Any:
    """The variable `name`, Unsupported if scipy cannot decode it. Raises OSError or zlib.error if it is not whole."""
    try:
        return io.loadmat(path, variable_names=[name])[name]
    except (OSError, EOFError, zlib.error, MemoryError):
        raise
    except Exception as error:
        return Unsupported(f"not decoded: {shortened(str(error), 100)}")


def _decoded(value: Any) -> Any:
    """A variable, cell item or field in the forms of `read_mat`."""
    if isinstance(value, Unsupported):
        return value
    if value is None:
        return Unsupported("nothing")
    if isinstance(value, str):  # in place of the variable, scipy tells why it cannot read it
        return Unsupported(f"not decoded: {shortened(value.removeprefix('Read error: '), 100)}")
    if isinstance(value, MatlabFunction):
        return Unsupported("a function handle")
    if isinstance(value, MatlabOpaque):
        return matlab_object(value.ravel()[0]["s2"].decode("latin-1"))
    if isinstance(value, MatlabObject):
        return matlab_object(str(value.classname))
    if sparse.issparse(value):
        return _sparse(value)
    if value.dtype.names is not None:
        structs = tuple({name: _decoded(item[name]) for name in value.dtype.names} for item in value.ravel(order="F"))
        return structs[0] if len(structs) == 1 else CellArray(structs, value.shape)
    if value.dtype == object:
        return CellArray(tuple(map(_decoded, value.ravel(order="F"))), value.shape)
    if value.dtype.kind == "U":
        lines = value.ravel().tolist()
        return lines if len(lines) > 1 else "".join(lines)
    return real_numbers(value)


def _sparse(value: Any) -> Any:
    if value.dtype.kind == "c":
        return Unsupported("complex numbers")
    try:
        return checked_sparse(value)
    except (ValueError, RuntimeError) as error:
        raise Damaged(f"the parts of a sparse matrix do not agree ({error})") from error
