"""Blobs in two views, the same each time, drawn anew, or without classes."""

from __future__ import annotations

import numpy as np

from mvarena import MultiViewData


def load_blobs(seed: int) -> MultiViewData:
    return draw_blobs(0)


def load_plain(seed: int) -> MultiViewData:
    return draw_blobs(0).without_labels().renamed("toy-plain")


def draw_blobs(seed: int) -> MultiViewData:
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 2], 10)
    centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    views = [centres[labels] + rng.normal(size=(30, 2)) for _ in range(2)]
    return MultiViewData.from_arrays(views, labels=labels, name="toy-blobs", view_names=["a", "b"])
