"""Many views on two threads: arrays take no more than is declared, by the methods that share work over threads."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_limits

from mvarena.algorithms import EMVC, IMSCAGL, RMSC
from mvarena.testing.algorithm.inputs import traced_peak
from mvarena.testing.examples import blobs

N, VIEWS = 500, 6


@pytest.mark.parametrize(
    "model", [EMVC(max_iter=2), RMSC(max_iter=2), RMSC(max_iter=2, solver="paper"), IMSCAGL(max_iter=2)], ids=str
)
def test_arrays_stay_within_what_is_declared(model):
    data = blobs(N, dims=(20,) * VIEWS, n_clusters=4, spread=3, seed=7)
    with threadpool_limits(2, user_api="blas"):
        peak = traced_peak(model, data)
    of_few_columns = 8 * N * 400  # blocks of rows, Krylov bases, n x k arrays, the views' copies
    assert peak <= model.memory_needed(data) + of_few_columns
