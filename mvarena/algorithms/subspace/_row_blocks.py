"""Blocks of rows small enough for the processor's cache, for what is done entry by entry to several n x n matrices."""

from __future__ import annotations

from collections.abc import Iterator

# of each matrix in a block of rows: two megabytes; smaller blocks make the products of rows slow
_ENTRIES = 262_144


def cached_rows(n: int) -> Iterator[slice]:
    """Slices over the rows of n x n matrices such that several of them, cut so, stay in the processor's cache.

    A dozen passes over whole matrices wait for memory; over one block after another they do not, and what they need
    beside the matrices is of the size of a block.
    """
    step = max(1, _ENTRIES // n)
    for start in range(0, n, step):
        yield slice(start, min(n, start + step))
