"""Generators of random numbers that a process has one of, for methods that draw from them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_SEEDS = 2**32  # NumPy's old generator takes seeds below


def seed_generators(seed: int) -> None:
    """Seed those of `random` and of old NumPy."""
    random.seed(seed)
    np.random.seed(seed % _SEEDS)  # noqa: NPY002


@contextmanager
def seeded_generators(seed: int) -> Iterator[None]:
    """Have them seeded meanwhile, and afterwards as they were."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    seed_generators(seed)
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
