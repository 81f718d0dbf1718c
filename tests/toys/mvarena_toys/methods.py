"""Algorithms that do next to nothing, each in its own way."""

from __future__ import annotations

import ctypes
import os
import random
import time

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


class Quick(MultiViewClusterer):
    """The first view, missing rows as zeros."""

    scale: float = 1.0

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return Representation(embedding=np.asarray(data.views[0].matrix) * self.scale)


RNG = np.random.default_rng(0)


class Draws(MultiViewClusterer):
    """Random points, drawn on and on from generators of the module, of NumPy and of Python, as in published code."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        drawn = RNG.normal(size=(data.n_samples, 2))
        drawn += np.random.rand(data.n_samples, 2)  # noqa: NPY002
        return Representation(embedding=drawn + [[random.random()] for _ in range(data.n_samples)])


class Slow(Quick):
    """Sleeps for `scale` seconds."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        time.sleep(self.scale)
        return super().solve(data, n_clusters)


class Raises(Quick):
    """Divides by zero."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return 1 / 0


class Dies(Quick):
    """Reads address 0, which no process survives."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        ctypes.string_at(0)
        raise AssertionError("it should be dead by now")


class Burns(Quick):
    """Burns CPU time in children and waits."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        for _number in range(2):
            if os.fork() == 0:
                while True:
                    pass
        time.sleep(600)
        raise AssertionError("it should be dead by now")


class Hungry(Quick):
    """Needs too much memory."""

    def memory_needed(self, data: MultiViewData) -> int:
        return 2**50


class Picky(Quick):
    """Takes one view only."""
