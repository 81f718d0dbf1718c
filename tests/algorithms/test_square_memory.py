"""What holds for every method with n x n matrices of its own: its arrays take no more than it declares."""

from __future__ import annotations

import tracemalloc

import pytest
from threadpoolctl import threadpool_limits

from mvarena.algorithms.graph.amgl import AMGL
from mvarena.algorithms.graph.coreg import CoRegCentroid, CoRegPairwise
from mvarena.algorithms.graph.emvc import EMVC
from mvarena.algorithms.graph.mvgl import MVGL
from mvarena.algorithms.graph.rmsc import RMSC
from mvarena.algorithms.subspace.ecmsc import ECMSC
from mvarena.algorithms.subspace.lrssc import LRSSCCentroid, LRSSCPairwise
from mvarena.data import MultiViewData
from mvarena.testing.examples import blobs

N, VIEWS = 500, 6
MODELS = [
    AMGL(),
    CoRegPairwise(),
    CoRegCentroid(),
    ECMSC(max_iter=2),
    EMVC(),
    LRSSCCentroid(max_iter=3),
    LRSSCPairwise(max_iter=3),
    MVGL(max_iter=2),
    RMSC(),
    RMSC(solver="paper"),
]


def six_views() -> MultiViewData:
    return blobs(N, dims=(20,) * VIEWS, n_clusters=4, spread=3, seed=7)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_arrays_stay_within_what_is_declared(model):
    data = six_views()
    with threadpool_limits(2, user_api="blas"):
        tracemalloc.start()
        model.represent(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    of_few_columns = 8 * N * 400  # blocks of rows, Krylov bases, n x k arrays, the views' copies
    assert peak <= model.memory_needed(data) + of_few_columns


def test_emvc_and_rmsc_need_no_more_than_twelve_squares_for_six_views():
    assert EMVC().squares(VIEWS) <= 12
    assert RMSC().squares(VIEWS) <= 12
