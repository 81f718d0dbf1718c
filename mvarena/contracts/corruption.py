"""Corruption: spoils data at a given rate, from a random generator and nothing else."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mvarena.data import MultiViewData


class Corruption(Protocol):
    """What a CorruptionSpec's target provides: an object made without arguments.

    A variant is a keyword argument with a default, or a spec of its own. Spoiled data hold the same samples in
    the same order with the same labels, and depend on the data, the rate and `rng` only.
    """

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate that is possible on `data`; infinite where there is no largest one."""

    def apply(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The spoiled data. The rate that means "nothing" (0; an infinite signal-to-noise ratio) returns `data` itself.

        Raises InvalidSetting for an impossible rate, naming the largest possible one, and Incompatible for data
        that cannot be spoiled in this way.
        """
