"""A plugin that prints wherever its code runs: in Python, past Python, and from a child process."""

from __future__ import annotations

import os
import subprocess

import numpy as np

from mvarena import MultiViewData, hookimpl
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.specs import AlgorithmSpec, DatasetSpec


def shout(where: str) -> None:
    print(f"NOISE of print, {where}", flush=True)
    os.write(1, f"NOISE past Python, {where}\n".encode())
    subprocess.run(["echo", f"NOISE of a child, {where}"], check=True)


print("NOISE of the import")


@hookimpl
def mvarena_algorithms():
    print("NOISE of a hook")
    return [AlgorithmSpec(name="noisy", target="mvarena_noisy:Noisy", summary="prints")]


@hookimpl
def mvarena_datasets():
    return [DatasetSpec(name="noisy-data", target="mvarena_noisy:load", summary="prints", views=("a", "b"))]


@hookimpl
def mvarena_trial_finished(trial, outcome):
    shout("a finished trial")


def load(seed: int) -> MultiViewData:
    shout("a loader")
    rng = np.random.default_rng(0)
    return MultiViewData.from_arrays([rng.random((12, 2)), rng.random((12, 3))], labels=np.repeat([0, 1], 6))


class Noisy(MultiViewClusterer):
    """The first view as it is, loudly."""

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        shout("a method")
        return Representation(embedding=np.asarray(data.views[0].matrix))
