"""Factorisations of wide sparse views: no array of the size of a dense one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mvarena.algorithms import DAIMC, DSNMF, MIC, RNNMF, MultiNMF
from mvarena.data import MultiViewData
from mvarena.testing.algorithm.inputs import traced_peak

MODELS = [
    MultiNMF(n_clusters=3, max_iter=4),
    MIC(n_clusters=3, max_iter=4),
    DAIMC(n_clusters=3, max_iter=4),
    RNNMF(n_clusters=3, n_components=5, max_iter=8),
    DSNMF(n_clusters=3, layers=(6, 3), max_iter=8),
]


@pytest.mark.parametrize("model", MODELS, ids=[model.spec.name for model in MODELS])
def test_three_wide_sparse_views_take_no_memory_of_dense_ones(model) -> None:
    n, d = 200, 8_000
    rng = np.random.default_rng(0)
    wide = [sparse.csr_array(sparse.random(n, d, 0.005, rng=rng)) for _ in range(3)]
    mask = np.ones((n, 3), dtype=bool)
    if model.spec.capabilities.missing:
        mask[:20, 0] = mask[20:40, 1] = mask[40:60, 2] = False
    peak = traced_peak(model, MultiViewData.from_arrays(wide, mask=mask))
    assert peak < 8 * n * d, f"{peak / 2**20:.0f} MiB were taken; one dense view is {8 * n * d / 2**20:.0f} MiB"
