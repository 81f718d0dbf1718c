"""MAT-files of version 5 (MATLAB's -v6 and -v7): a checked reader.

Written from the published format (MathWorks, "MAT-File Format", chapter 1) rather than left to
`scipy.io.loadmat`, because users bring files from anywhere: here every size is held against the bytes that are
really there before memory is asked for.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.readers.limits import Budget, Damaged
from mvarena.readers.mat_values import (
    DEEPEST,
    LARGEST_RATIO,
    CellArray,
    Unsupported,
    column_major,
    sparse_matrix,
    text_lines,
)

_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_TEXTS = {16: "utf-8", 17: "utf-16", 18: "utf-32"}
_MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE, _FIRST_NUMERIC, _LAST_NUMERIC, _FUNCTION, _OPAQUE = (
    1,
    2,
    3,
    4,
    5,
    6,
    15,
    16,
    17,
)
_COMPLEX, _LOGICAL = 0x08, 0x02
_LETTER_BYTES = 64  # that a character takes on its way to text


class _Bytes:
    """A run of bytes read from the front; never past its end. `budget` is that of the file."""

    def __init__(self, data: memoryview, order: str, budget: Budget) -> None:
        self.data = data
        self.order = order
        self.budget = budget
        self.at = 0

    @property
    def left(self) -> int:
        return len(self.data) - self.at

    def take(self, n: int) -> memoryview:
        if n > self.left:
            raise Damaged(f"it ends too early: {n} bytes are declared and {self.left} are left")
        taken = self.data[self.at : self.at + n]
        self.at += n
        return taken

    def words(self) -> tuple[int, int]:
        first, second = struct.unpack(f"{self.order}II", self.take(8))
        return first, second

    def element(self) -> tuple[int, memoryview]:
        """The next element: its type and its bytes. Small elements keep up to four bytes inside the tag."""
        first, second = self.words()
        if first >> 16:
            if first >> 16 > 4:
                raise Damaged("a short element is longer than four bytes")
            return first & 0xFFFF, self.data[self.at - 4 : self.at - 4 + (first >> 16)]
        content = self.take(second)
        if first != _COMPRESSED:
            self.at = min(len(self.data), self.at + -second % 8)
        return first, content

    def inside(self, content: memoryview) -> _Bytes:
        return _Bytes(content, self.order, self.budget)


def read_v5(content: bytes, order: str, only: Collection[str] | None, budget: Budget) -> dict[str, Any]:
    """The variables behind the 128-byte header; `order` is "<" or ">". Raises Damaged."""
    stream = _Bytes(memoryview(content), order, budget)
    result: dict[str, Any] = {}
    while stream.left >= 8:
        kind, body = stream.element()
        if kind == _COMPRESSED:
            kind, body = _inflated(body, order, budget)
        if kind != _MATRIX:
            raise Damaged(f"it holds an element of the unknown type {kind}")
        name, value = _matrix(stream.inside(body), 0, only)
        if name and not name.startswith("__") and (only is None or name in only):
            result[name] = value
    if stream.left:
        raise Damaged(f"it ends with {stream.left} unexpected bytes")
    return result


def _inflated(packed: memoryview, order: str, budget: Budget) -> tuple[int, memoryview]:
    """The element inside a compressed one. What it announces is believed only as far as deflate could pack it."""
    unpacker = zlib.decompressobj()
    try:
        tag = unpacker.decompress(packed, 8)
        if len(tag) < 8:
            raise Damaged("a compressed variable is cut off")
        kind, size = struct.unpack(f"{order}II", tag)
        if size > LARGEST_RATIO * len(packed):
            raise Damaged(f"a variable declares {size} bytes, more than {len(packed)} compressed bytes can hold")
        budget.memory(size)
        content = unpacker.decompress(unpacker.unconsumed_tail, size) if size else b""
    except zlib.error as error:
        raise Damaged(f"a compressed variable is damaged ({error})") from error
    if len(content) < size:
        raise Damaged(f"a variable declares {size} bytes and holds {len(content)}")
    return kind, memoryview(content)


def _matrix(stream: _Bytes, depth: int, only: Collection[str] | None = None) -> tuple[str, Any]:
    """A variable's name and value; unwanted ones (top level only) are left unread."""
    stream.budget.item()
    if stream.left == 0:
        return "", np.empty((0, 0))
    if depth > DEEPEST:
        raise Damaged(f"cells or structs are nested more than {DEEPEST} deep")
    flags_type, flags = stream.element()
    if flags_type != 6 or len(flags) != 8:
        raise Damaged("a variable does not begin with its flags")
    (word,) = struct.unpack_from(f"{stream.order}I", flags)
    kind, bits = word & 0xFF, word >> 8
    if kind == _OPAQUE:
        return _text(stream), Unsupported("a MATLAB object (table, string array, ...)")
    shape = [int(size) for size in _numbers(stream)]
    name = _text(stream)
    if depth == 0 and only is not None and name not in only:
        return name, None
    if len(shape) < 2 or any(size < 0 for size in shape):
        raise Damaged(f"the variable '{name}' has impossible dimensions")
    return name, _value(stream, kind, bits, shape, depth)


def _value(stream: _Bytes, kind: int, bits: int, shape: list[int], depth: int) -> Any:
    if kind == _CELL:
        return _cell(stream, shape, depth)
    if kind == _STRUCT:
        return _struct(stream, shape, depth)
    if kind == _CHAR:
        codes = _codes(stream)
        stream.budget.memory(codes.size * _LETTER_BYTES)
        return text_lines(codes, shape)
    if kind in (_OBJECT, _FUNCTION):
        return Unsupported("a MATLAB object" if kind == _OBJECT else "a function handle")
    if kind != _SPARSE and not _FIRST_NUMERIC <= kind <= _LAST_NUMERIC:
        raise Damaged(f"a variable is of the unknown class {kind}")
    if bits & _COMPLEX:
        return Unsupported("complex numbers")
    if kind == _SPARSE:
        rows, starts = _numbers(stream), _numbers(stream)
        data = _numbers(stream) if stream.left else np.empty(0)
        stream.budget.numbers((3 * rows.size + sum(shape),))
        return sparse_matrix(data, rows, starts, shape)
    numbers = _numbers(stream)
    stream.budget.numbers((numbers.size,))
    array = column_major(numbers, shape)
    return array.astype(bool) if bits & _LOGICAL else array


def _cell(stream: _Bytes, shape: list[int], depth: int) -> CellArray:
    count = math.prod(shape)
    if count * 8 > stream.left:  # the shortest item is its 8-byte tag
        raise Damaged(f"a cell array of {count} items has {stream.left} bytes")
    return CellArray(tuple(_item(stream, depth) for _ in range(count)), tuple(shape))


def _struct(stream: _Bytes, shape: list[int], depth: int) -> Any:
    """A dict for a single struct, a CellArray of dicts for an array of them."""
    widths = _numbers(stream).tolist()
    packed = bytes(stream.element()[1])
    if len(widths) != 1 or not widths[0] >= 1 or len(packed) % int(widths[0]):
        raise Damaged("the field names of a struct are damaged")
    width = int(widths[0])
    stream.budget.item(len(packed) // width)
    fields = [packed[i : i + width].split(b"\0")[0].decode("latin-1") for i in range(0, len(packed), width)]
    count = math.prod(shape)
    if count * max(1, len(fields)) * 8 > stream.left and count * len(fields):
        raise Damaged(f"a struct array of {count} items has {stream.left} bytes")
    if not fields:
        return {}
    structs = tuple({field: _item(stream, depth) for field in fields} for _ in range(count))
    return structs[0] if count == 1 else CellArray(structs, tuple(shape))


def _item(stream: _Bytes, depth: int) -> Any:
    kind, body = stream.element()
    if kind != _MATRIX:
        raise Damaged(f"a cell or struct holds an element of type {kind}")
    return _matrix(stream.inside(body), depth + 1)[1]


def _numbers(stream: _Bytes) -> NDArray[Any]:
    """The next element as numbers, in the type in which the file stores them."""
    kind, content = stream.element()
    if kind not in _NUMBERS:
        raise Damaged(f"numbers are stored as the unknown type {kind}")
    dtype = np.dtype(f"{stream.order}{_NUMBERS[kind]}")
    if len(content) % dtype.itemsize:
        raise Damaged(f"{len(content)} bytes are not a whole number of {dtype.name} values")
    return np.frombuffer(content, dtype=dtype).astype(dtype.newbyteorder("="), copy=False)


def _codes(stream: _Bytes) -> NDArray[Any]:
    """The next element as character codes."""
    at = stream.at
    kind, content = stream.element()
    if kind not in _TEXTS:
        stream.at = at
        return _numbers(stream)
    encoding = _TEXTS[kind] + ("" if kind == 16 else "-le" if stream.order == "<" else "-be")
    text = bytes(content).decode(encoding, errors="replace")
    return np.array([ord(letter) for letter in text], dtype=np.int64)


def _text(stream: _Bytes) -> str:
    return bytes(stream.element()[1]).split(b"\0")[0].decode("latin-1")
