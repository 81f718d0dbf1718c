"""Corruption: spoils data at a given rate, from a random generator and nothing else."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mvarena.data import MultiViewData


class Corruption(Protocol):
    """What a CorruptionSpec's target provides: an object made without arguments."""

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate that is possible on `data`."""

    def apply(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The spoiled data: same samples, same order, same labels. A rate of 0 returns `data` itself.

        Raises InvalidSetting for an impossible rate, naming the largest possible one.
        """
