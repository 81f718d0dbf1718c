"""Sets of keys as bytes: what a run asked for takes 32 bytes for each trial, and nothing where it was asked before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mvarena.errors import StoreError

WIDTH = 32  # bytes of a key, which is a sha256


def pack_keys(keys: Iterable[str]) -> bytes:
    """The keys (64 hex digits each), sorted, 32 bytes for each. Cost O(n log n)."""
    return b"".join(sorted(map(bytes.fromhex, keys)))


def unpack_keys(packed: bytes) -> Iterator[str]:
    """The keys that `pack_keys` packed. Raises StoreError for bytes that hold no whole number of them."""
    if len(packed) % WIDTH:
        raise StoreError(f"{len(packed)} bytes hold no whole number of keys; restore the database from a copy.")
    return (packed[start : start + WIDTH].hex() for start in range(0, len(packed), WIDTH))
