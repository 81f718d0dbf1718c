"""What all factorisation methods promise: little memory for wide sparse views, odd rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from mvarena.algorithms import DAIMC, DSNMF, IMG, MIC, PVC, RNNMF, MultiNMF
from mvarena.data import MultiViewData
from mvarena.testing.algorithm.inputs import traced_peak
from mvarena.testing.examples import blobs

MAKERS: dict[str, Any] = {
    "multinmf": lambda: MultiNMF(n_clusters=3, max_iter=8),
    "mic": lambda: MIC(n_clusters=3, max_iter=8),
    "daimc": lambda: DAIMC(n_clusters=3, max_iter=8),
    "pvc": lambda: PVC(n_clusters=3),
    "img": lambda: IMG(n_clusters=3),
    "rnnmf": lambda: RNNMF(n_clusters=3, n_components=5, max_iter=15),
    "dsnmf": lambda: DSNMF(n_clusters=3, layers=(6, 3), max_iter=15),
}
PAIRS = ("pvc", "img")
INCOMPLETE = ("mic", "daimc")


def matrix_of(found: Any) -> np.ndarray:
    matrix = found.embedding if found.embedding is not None else found.affinity
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@pytest.mark.parametrize("name", sorted(set(MAKERS) - set(PAIRS)))
def test_three_wide_sparse_views_take_no_memory_of_dense_ones(name: str) -> None:
    n, d = 200, 8_000
    rng = np.random.default_rng(0)
    wide = [sparse.csr_array(sparse.random(n, d, 0.005, rng=rng)) for _ in range(3)]
    mask = np.ones((n, 3), dtype=bool)
    if name in INCOMPLETE:
        mask[:20, 0] = mask[20:40, 1] = mask[40:60, 2] = False
    data = MultiViewData.from_arrays(wide, mask=mask)
    peak = traced_peak(MAKERS[name](), data)
    assert peak < 8 * n * d, f"{name} took {peak / 2**20:.0f} MiB; one dense view is {8 * n * d / 2**20:.0f} MiB"


@pytest.mark.parametrize("name", MAKERS)
def test_zero_rows_constant_columns_and_twins_stay_finite(name: str) -> None:
    views = [view.matrix.copy() for view in blobs(45, dims=(12, 9), nonnegative=True).views]
    for view in views:
        view[0] = 0.0
        view[:, 0] = 1.0
        view[0, 0] = 0.0
        view[2] = view[3]
    model = MAKERS[name]().fit(views)
    assert np.isfinite(matrix_of(model.representation_)).all()
    assert np.isfinite(model.objective_).all()
