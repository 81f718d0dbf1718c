"""Arrays, sets of keys and mappings as bytes and canonical JSON: the same on every machine, never pickled."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.errors import InvalidData, StoreError

_LEVEL = 1
_DTYPES = {b"%d" % size: np.dtype(f"<i{size}") for size in (1, 2, 4, 8)}


def pack_labels(labels: ArrayLike) -> bytes:
    """(n,) integers, as one digit (bytes per label: 1, 2, 4 or 8), then zlib of the little-endian numbers.

    Raises InvalidData if they are not integers in one dimension. Cost O(n).
    """
    array = np.asarray(labels)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidData(f"labels must be integers of shape (n,), not {array.dtype} of shape {array.shape}.")
    low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
    for width, dtype in _DTYPES.items():
        limit = 1 << (8 * dtype.itemsize - 1)
        if -limit <= low and high < limit:
            return width + _dense(array.astype(dtype).tobytes())
    raise InvalidData(f"the label {high} does not fit into 64 bits; number the clusters from 0.")


def _dense(values: bytes) -> bytes:
    """Labels repeat in no order: coding them by their frequencies alone saves a tenth beside zlib's usual way."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_FILTERED)
    return packer.compress(values) + packer.flush()


def unpack_labels(blob: bytes) -> NDArray[np.int64]:
    """The labels that `pack_labels` packed, (n,) int64. Raises StoreError if the bytes are none of its."""
    dtype = _DTYPES.get(blob[:1]) if isinstance(blob, bytes) else None
    if dtype is None:
        raise StoreError("the database holds labels in a form that this mvarena does not know; upgrade mvarena.")
    return _numbers(blob[1:], dtype).astype(np.int64)


def pack_floats(values: ArrayLike) -> bytes:
    """(n,) floats, NaN and infinity among them, as zlib of little-endian float64; b"" for none."""
    array = np.asarray(values, dtype="<f8")
    return zlib.compress(array.tobytes(), _LEVEL) if array.size else b""


def unpack_floats(blob: bytes) -> tuple[float, ...]:
    """The floats that `pack_floats` packed. Raises StoreError if the bytes are none of its."""
    return tuple(_numbers(blob, np.dtype("<f8")).tolist()) if blob else ()


def pack_texts(texts: Sequence[str]) -> bytes:
    """Texts as zlib of a JSON list. Cost O(letters)."""
    packed = json.dumps(list(texts), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return zlib.compress(packed, _LEVEL)


def unpack_texts(blob: bytes) -> tuple[str, ...]:
    """The texts that `pack_texts` packed. Raises StoreError if the bytes are none of its."""
    try:
        return tuple(map(str, json.loads(zlib.decompress(blob))))
    except (zlib.error, TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"the database is damaged (sample ids: {error}); restore it from a copy.") from error


def canonical_json(value: Any) -> str:
    """One text for equal values: sorted keys, no blanks, NaN and infinity by those names."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> Any:
    """JSON form of other values: a numpy number as a number, anything else (a path, a version) as its text."""
    return value.item() if isinstance(value, np.generic) else str(value)


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_plain)


def fingerprint(text: bytes | str) -> str:
    """64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text).hexdigest()


def _numbers(blob: bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The numbers of a packed array. Raises StoreError for damaged bytes."""
    try:
        return np.frombuffer(zlib.decompress(blob), dtype=dtype)
    except (zlib.error, TypeError, ValueError) as error:
        raise StoreError(f"the database is damaged ({error}); restore it from a copy.") from error


# Sets of keys as bytes: what a run asked for takes 8 bytes for each trial, and nothing where it was asked before.

WIDTH = 8  # bytes of a key's beginning: of a million keys no two begin alike, but for one time in thirty million


def pack_keys(keys: Iterable[str]) -> bytes:
    """The beginnings of the keys (64 hex digits each), sorted, 8 bytes for each. Cost O(n log n)."""
    return b"".join(sorted(bytes.fromhex(key[: 2 * WIDTH]) for key in keys))


def unpack_keys(packed: bytes) -> Iterator[str]:
    """The beginnings of keys (16 hex digits) that `pack_keys` packed.

    Raises StoreError for bytes that hold no whole number of them.
    """
    if len(packed) % WIDTH:
        raise StoreError(f"{len(packed)} bytes hold no whole number of keys; restore the database from a copy.")
    return (packed[start : start + WIDTH].hex() for start in range(0, len(packed), WIDTH))
