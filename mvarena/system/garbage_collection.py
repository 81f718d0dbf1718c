"""Many rows made without the collector of cycles, which would go through all of them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Its block, or the function that it decorates, runs without the collector: numbers and texts have no cycles.

    It saves a fifth of the time of what makes millions of small objects. Whoever had switched the collector off finds
    it so.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
