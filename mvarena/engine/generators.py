"""Generators of random numbers that a process has one of, for methods that draw from them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_SEEDS = 2**32  # NumPy's old generator takes seeds below


@contextmanager
def seeded_generators(seed: int) -> Iterator[None]:
    """Seed those of `random` and of old NumPy meanwhile."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed % _SEEDS)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
