"""Arrays as bytes and mappings as canonical JSON: compact, the same on every machine, never pickled."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.errors import InvalidData, StoreError

# Labels repeat so much that a higher level saves a few percent and costs three times as long.
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
            return width + zlib.compress(array.astype(dtype).tobytes(), _LEVEL)
    raise InvalidData(f"the label {high} does not fit into 64 bits; number the clusters from 0.")


def unpack_labels(blob: bytes) -> NDArray[np.int64]:
    """The labels that `pack_labels` packed, (n,) int64. Raises StoreError if the bytes are none of its."""
    dtype = _DTYPES.get(blob[:1])
    if dtype is None:
        raise StoreError("the database holds labels in a form that this mvarena does not know; upgrade mvarena.")
    return np.frombuffer(_inflate(blob[1:]), dtype=dtype).astype(np.int64)


def pack_floats(values: ArrayLike) -> bytes:
    """(n,) floats, NaN and infinity among them, as zlib of little-endian float64; b"" for none."""
    array = np.asarray(values, dtype="<f8")
    return zlib.compress(array.tobytes(), _LEVEL) if array.size else b""


def unpack_floats(blob: bytes) -> tuple[float, ...]:
    """The floats that `pack_floats` packed."""
    return tuple(np.frombuffer(_inflate(blob), dtype="<f8").tolist()) if blob else ()


def canonical_json(value: Any) -> str:
    """One text for equal values: sorted keys, no blanks, NaN and infinity by those names."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> Any:
    """What JSON has no form for: a numpy number as a number, anything else (a path, a version) as its text."""
    return value.item() if isinstance(value, np.generic) else str(value)


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_plain)


def fingerprint(text: bytes | str) -> str:
    """64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text).hexdigest()


def _inflate(blob: bytes) -> bytes:
    try:
        return zlib.decompress(blob)
    except zlib.error as error:
        raise StoreError(f"the database is damaged ({error}); restore it from a copy.") from error
