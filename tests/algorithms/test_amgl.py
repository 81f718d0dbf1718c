"""amgl: rows of samples that views miss."""

from __future__ import annotations

import numpy as np

from mvarena.algorithms.graph.amgl import AMGL
from mvarena.testing.examples import blobs


def test_rows_of_samples_that_views_miss_are_the_weighted_mean_of_their_neighbours():
    data = blobs(60, dims=(5, 5), spread=1.5, missing=0.3)
    found = AMGL(max_iter=200).represent(data)
    share = data.mask @ (found.details["weights"] / found.details["weights"].sum())
    F = found.embedding * share[:, None]
    np.testing.assert_allclose(F.T @ F, np.eye(3), atol=1e-8)
    lengths = np.linalg.norm(found.embedding, axis=1)
    once, always = share < 0.99, share > 0.99
    assert once.sum() > 10
    assert 0.8 < lengths[once].mean() / lengths[always].mean() < 1.25
