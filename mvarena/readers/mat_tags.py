"""Tags of an uncompressed MAT-file of version 5, which scipy trusts: an unknown one ends the process."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import numpy as np

from mvarena.readers.limits import Damaged

_NUMBERS = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 16, 17, 18))  # with the encodings of text
_MATRIX, _COMPRESSED = 14, 15
_CHAR, _SPARSE, _OPAQUE, _COMPLEX = 4, 5, 17, 0x800
_LETTER_BYTES = {3: 2, 4: 2, 17: 2, 18: 4}  # by type; one for all others
_CONTAINERS = frozenset((1, 2, 3, 16, 17))  # classes of arrays that hold arrays: cell, struct, object, function, opaque


def check_tags(content: memoryview, order: str) -> None:
    """Raise Damaged unless known elements follow each other to the end; `content` begins after the file's header.

    Compressed variables are left to their checksum. order : of the bytes, "<" or ">".
    """
    for kind, inside in _elements(content, order):
        if kind == _MATRIX:
            _check_matrix(inside, order)
        elif kind != _COMPRESSED:
            raise Damaged(f"a variable is stored as the unknown type {kind}")


def _check_matrix(content: memoryview, order: str) -> None:
    """Raise Damaged for an array without all of its parts: flags, dimensions, name, and what its class needs."""
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
