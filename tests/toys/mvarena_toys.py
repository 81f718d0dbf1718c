"""A plugin for the tests: a tiny data set, and algorithms that are quick, slow, wrong or deadly."""

from __future__ import annotations

import ctypes
import time
from functools import cache

from mvarena import hookimpl
from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, DatasetSpec

QUICK = AlgorithmSpec(name="toy-quick", target="mvarena_toys:Quick", summary="the first view as it is", version="1")
SLOW = AlgorithmSpec(name="toy-slow", target="mvarena_toys:Slow", summary="sleeps, then does as toy-quick")
RAISES = AlgorithmSpec(name="toy-raises", target="mvarena_toys:Raises", summary="raises ZeroDivisionError")
DIES = AlgorithmSpec(name="toy-dies", target="mvarena_toys:Dies", summary="reads address 0")
HUNGRY = AlgorithmSpec(name="toy-hungry", target="mvarena_toys:Hungry", summary="says it needs a pebibyte")
PICKY = AlgorithmSpec(
    name="toy-picky",
    target="mvarena_toys:Picky",
    summary="takes one view only",
    capabilities=Capabilities(max_views=1),
)
BLOBS = DatasetSpec(name="toy-blobs", target="mvarena_toys:load_blobs", summary="30 points, 3 blobs", views=("a", "b"))
DRAWN = DatasetSpec(
    name="toy-drawn", target="mvarena_toys:draw_blobs", summary="blobs drawn anew", views=("a", "b"), generated=True
)


PLAIN = DatasetSpec(
    name="toy-plain", target="mvarena_toys:load_plain", summary="30 points without classes", views=("a", "b")
)


@hookimpl
def mvarena_algorithms():
    return [QUICK, SLOW, RAISES, DIES, HUNGRY, PICKY]


@hookimpl
def mvarena_datasets():
    return [BLOBS, DRAWN, PLAIN]


def load_blobs(seed: int):
    return draw_blobs(0)


def load_plain(seed: int):
    return draw_blobs(0).without_labels().renamed("toy-plain")


def draw_blobs(seed: int):
    import numpy as np

    from mvarena import MultiViewData

    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 2], 10)
    centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    views = [centres[labels] + rng.normal(size=(30, 2)) for _ in range(2)]
    return MultiViewData.from_arrays(views, labels=labels, name="toy-blobs", view_names=["a", "b"])


def __getattr__(name: str):
    """The estimators are made when they are first asked for: a plugin module imports nothing heavy."""
    kinds = _estimators()
    if name in kinds:
        return kinds[name]
    raise AttributeError(name)


@cache
def _estimators():
    import numpy as np

    from mvarena.contracts.algorithm import MultiViewClusterer, Representation

    class Quick(MultiViewClusterer):
        """The first view, missing rows as zeros."""

        spec = QUICK

        def __init__(self, *, n_clusters=None, scale=1.0, n_init=20, random_state=None):
            self.n_clusters = n_clusters
            self.scale = scale
            self.n_init = n_init
            self.random_state = random_state

        def represent(self, data):
            return Representation(embedding=np.asarray(data.views[0].matrix) * self.scale)

    class Slow(Quick):
        """Sleeps for `scale` seconds."""

        spec = SLOW

        def represent(self, data):
            time.sleep(self.scale)
            return super().represent(data)

    class Raises(Quick):
        """Divides by zero."""

        spec = RAISES

        def represent(self, data):
            return 1 / 0

    class Dies(Quick):
        """Crashes its process."""

        spec = DIES

        def represent(self, data):
            ctypes.string_at(0)

    class Hungry(Quick):
        """Needs too much memory."""

        spec = HUNGRY

        def memory_needed(self, data):
            return 2**50

    class Picky(Quick):
        """Takes one view only."""

        spec = PICKY

    return {kind.__name__: kind for kind in (Quick, Slow, Raises, Dies, Hungry, Picky)}
