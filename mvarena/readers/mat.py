"""MATLAB files: versions 4 to 7 through scipy, version 7.3 through h5py."""

from __future__ import annotations

import math
import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io, sparse
from scipy.io.matlab import MatlabFunction, MatlabObject, MatlabOpaque, varmats_from_mat

from mvarena.errors import InvalidData
from mvarena.readers.limits import Damaged, check_declared, checked_sparse
from mvarena.readers.values import CellArray, Unsupported, matlab_object, real_numbers
from mvarena.text import shortened

_HEADER_BYTES = 128
_NAMELESS = "None"
_HDF5_MAGIC = b"\x89HDF\r\n\x1a\n"


def read_mat(path: Path) -> dict[str, Any]:
    """The variables of a .mat file by name.

    Numeric arrays come as numpy arrays in MATLAB's shape, sparse matrices as CSC, char arrays as text or a list
    of text, cell arrays as `CellArray`, structs as dicts, anything else, with the reason, as `Unsupported`.
    Raises InvalidData, naming the file, if it is damaged, no MATLAB file, or does not fit into memory.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(512 + len(_HDF5_MAGIC))
        if head.startswith(_HDF5_MAGIC) or head[512:] == _HDF5_MAGIC:
            from mvarena.readers.mat_v73 import read_v73  # imports h5py

            return read_v73(path)
        if head[124:128] in (b"\x00\x01IM", b"\x01\x00MI"):
            content = np.memmap(path, np.uint8, "r").data
            _check_tags(content[_HEADER_BYTES:], "<" if head[126:128] == b"IM" else ">")
        with warnings.catch_warnings(action="ignore"):
            return _read_v5(path)
    except MemoryError as error:
        raise InvalidData(f"{path} needs more memory than is available.") from error
    except (Damaged, OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidData(f"{path} cannot be read: {shortened(str(reason), 300)}.") from error


def _read_v5(path: Path) -> dict[str, Any]:
    declared = _declared(path)
    sizes = (sum(shape) if kind == "sparse" else math.prod(shape) for _, shape, kind in declared)
    check_declared(sum(sizes), path.stat().st_size)
    try:
        found = io.loadmat(path)
    except (OSError, EOFError, zlib.error, MemoryError):
        raise
    except Exception as error:  # one of them, in any way: the others are read without it
        if not declared:
            raise Damaged(f"it cannot be decoded ({error})") from error
        found = {name: _one(path, name) for name, _, _ in declared}
    found.pop(_NAMELESS, None)
    objects = {} if declared else _objects(path)
    return objects | {name: _decoded(value) for name, value in found.items() if not name.startswith("__")}


def _objects(path: Path) -> dict[str, Any]:
    """The objects of MATLAB's classes in a file, which scipy calls all by one name."""
    with path.open("rb") as stream:
        alone = [io.loadmat(file) for name, file in varmats_from_mat(stream) if name == _NAMELESS]
    values = [value for variables in alone for value in (variables.get(_NAMELESS),) if isinstance(value, MatlabOpaque)]
    return {value.ravel()[0]["s0"].decode("latin-1"): _decoded(value) for value in values}


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


# Tags of an uncompressed file of version 5, which scipy trusts: an unknown one ends the process.

_NUMBERS = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 16, 17, 18))  # with the encodings of text
_MATRIX, _COMPRESSED = 14, 15
_CHAR, _SPARSE, _OPAQUE, _COMPLEX = 4, 5, 17, 0x800
_LETTER_BYTES = {3: 2, 4: 2, 17: 2, 18: 4}  # by type; one for all others
_CONTAINERS = frozenset((1, 2, 3, 16, 17))  # classes of arrays that hold arrays: cell, struct, object, function, opaque


def _check_tags(content: memoryview, order: str) -> None:
    """Raise Damaged unless known elements follow each other to the end; `content` begins after the file's header.

    Compressed variables are left to their checksum. order : of the bytes, "<" or ">".
    """
    for kind, inside in _elements(content, order):
        if kind == _MATRIX:
            _check_matrix(inside, order)
        elif kind != _COMPRESSED:
            raise Damaged(f"a variable is stored as the unknown type {kind}")


def _check_matrix(content: memoryview, order: str) -> None:
    """Raise Damaged for an array without all of its parts: flags, dimensions, name, and those of its class."""
    parts = list(_elements(content, order))
    if not parts:
        return
    flags = int.from_bytes(parts[0][1][:4], "little" if order == "<" else "big")
    kind, is_complex = flags & 0xFF, bool(flags & _COMPLEX)
    for part, inside in parts:
        if part == _MATRIX and kind in _CONTAINERS:
            _check_matrix(inside, order)
        elif part not in _NUMBERS:
            raise Damaged(f"an array holds an element of type {part}")
    if kind != _OPAQUE and (len(parts) < 2 or len(parts[1][1]) < 8 or len(parts[1][1]) % 4):
        raise Damaged("an array has no dimensions")
    if kind not in _CONTAINERS and len(parts) < (6 if kind == _SPARSE else 4) + is_complex:
        raise Damaged(f"an array of class {kind} has only {len(parts)} parts")
    if kind == _CHAR and len(parts[3][1]):
        letters = math.prod(np.frombuffer(parts[1][1], dtype=f"{order}i4").tolist())
        if letters * _LETTER_BYTES.get(parts[3][0], 1) > len(parts[3][1]):
            raise Damaged(f"a text of {letters} letters has {len(parts[3][1])} bytes")


def _elements(content: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Type and bytes of each element; those of up to four bytes lie inside the tag."""
    at = 0
    while at < len(content):
        if len(content) - at < 8:
            raise Damaged("it ends within a tag")
        kind, size = struct.unpack_from(f"{order}II", content, at)
        start, padded = at + 8, size + (0 if kind == _COMPRESSED else -size % 8)
        if kind >> 16:
            kind, size, start, padded = kind & 0xFFFF, kind >> 16, at + 4, 4
        if size > min(len(content) - start, padded):
            raise Damaged(f"it ends too early: {size} bytes are declared and {len(content) - start} are left")
        yield kind, content[start : start + size]
        at = start + padded
