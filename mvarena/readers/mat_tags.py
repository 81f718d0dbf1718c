"""Tags of an uncompressed MAT-file of version 5, which scipy trusts: an unknown one ends the process."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from mvarena.readers.limits import Damaged

_NUMBERS = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 16, 17, 18))  # with the encodings of text
_MATRIX, _COMPRESSED = 14, 15
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
    holds_arrays = False
    for place, (kind, inside) in enumerate(_elements(content, order)):
        if place == 0 and len(inside) == 8:
            holds_arrays = struct.unpack(f"{order}I", inside[:4])[0] & 0xFF in _CONTAINERS
        if kind == _MATRIX and holds_arrays:
            _check_matrix(inside, order)
        elif kind not in _NUMBERS:
            raise Damaged(f"an array holds an element of type {kind}")


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
