"""Blobs in two views, the same each time, drawn anew, or without classes; and sparse counts."""

from __future__ import annotations

import os
import time

import numpy as np
from scipy import sparse

from mvarena import MultiViewData


def load_blobs(seed: int) -> MultiViewData:
    return draw_blobs(0)


def load_plain(seed: int) -> MultiViewData:
    return draw_blobs(0).without_labels().renamed("toy-plain")


LOADS_IN = "TOYS_LOAD_IN"  # an environment variable: the only process that loading does not hang in


def draw_blobs(seed: int) -> MultiViewData:
    if os.environ.get(LOADS_IN) not in (None, str(os.getpid())):
        time.sleep(60)
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 2], 10)
    centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    views = [centres[labels] + rng.normal(size=(30, 2)) for _ in range(2)]
    return MultiViewData.from_arrays(views, labels=labels, name="toy-blobs", view_names=["a", "b"])


def load_words(seed: int) -> MultiViewData:
    """Two sparse views of counts."""
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1, 2], 10)
    views = [sparse.csr_array(rng.poisson(0.2 + 3.0 * (labels[:, None] == np.arange(12) % 3))) for _ in range(2)]
    return MultiViewData.from_arrays(views, labels=labels, name="toy-words", view_names=["a", "b"])
