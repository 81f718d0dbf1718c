"""The kind of a square matrix: features unless it is symmetric and looks like a kernel or like distances."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.readers.kinds import guess_kind

RNG = np.random.default_rng(0)
POINTS = RNG.standard_normal((12, 5))
KERNEL = POINTS @ POINTS.T
LOPSIDED = KERNEL + np.triu(np.full((12, 12), 1e-3), 1)
DISTANCES = np.sqrt(np.maximum(np.square(POINTS[:, None] - POINTS[None]).sum(axis=2), 0.0))


@pytest.mark.parametrize(
    ("matrix", "kind"),
    [(KERNEL, "kernel"), (LOPSIDED, "features"), (DISTANCES, "distance"), (np.triu(DISTANCES), "features"),
     (RNG.random((12, 12)), "features"), (KERNEL[:, :11], "features"), (KERNEL - 3 * np.eye(12), "features")],
    ids=["kernel", "not-symmetric", "distances", "triangle", "random", "not-square", "indefinite"],
)  # fmt: skip
def test_the_kind_of_a_matrix(matrix, kind):
    assert guess_kind(matrix)[0] == kind
