"""What holds for every kernel method: masks, permutations, descent, refusals, memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import EEIMVC, LIMKKM, MKKMAF, MKKMIK, MKKMKNN, MKKMMF, MKKMZF
from mvarena.algorithms.kernel.limkkm import limkkm
from mvarena.algorithms.kernel.mkkm_ik import mkkm_ik
from mvarena.contracts import algorithm
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.testing.examples import blobs
from mvarena.transforms.kernel_views import center_kernels, linear_kernel

SQUARE = [MKKMZF, MKKMMF, MKKMKNN, MKKMAF, MKKMIK, LIMKKM]
ALL = [*SQUARE, EEIMVC]


def kernels(n=60, dims=(5, 8, 6), missing=0.3, **kwargs):
    return center_kernels(blobs(n, dims=dims, missing=missing, kind="kernel", **kwargs))


def rewritten(data, change):
    """The data with `change(matrix, observed)` as each view's kernel."""
    matrices = [change(view.matrix, seen) for view, seen in zip(data.views, data.mask.T, strict=True)]
    return MultiViewData.from_arrays(matrices, mask=data.mask, kinds=["kernel"] * data.n_views, n_clusters=3)


@pytest.mark.parametrize("method", ALL)
def test_clear_clusters_are_found(method):
    data = kernels()
    found = method(random_state=0).fit(data)
    assert adjusted_rand_score(data.labels, found.labels_) > 0.9
    np.testing.assert_allclose(np.linalg.norm(found.embedding_, axis=1), 1)
    H = found.representation_.details["partition"]
    np.testing.assert_allclose(H.T @ H, np.eye(3), atol=1e-8)


@pytest.mark.parametrize("method", ALL)
def test_values_under_missing_rows_change_nothing(method):
    data = kernels(seed=1)
    clean = method().represent(data)
    spoiled = method().represent(rewritten(data, lambda x, seen: np.where(np.outer(seen, seen), x, 1e6)))
    np.testing.assert_array_equal(clean.embedding, spoiled.embedding)
    np.testing.assert_array_equal(clean.objective, spoiled.objective)


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("n", [60, 430])
def test_a_permutation_of_the_samples_permutes_the_embedding(method, n):
    data = kernels(n, seed=2)
    order = np.random.default_rng(0).permutation(n)
    one = method(tol=1e-6).represent(data)
    other = method(tol=1e-6).represent(data.take(order))
    product = one.embedding[order] @ one.embedding[order].T
    np.testing.assert_allclose(other.embedding @ other.embedding.T, product, atol=1e-5)
    np.testing.assert_allclose(other.objective, one.objective, rtol=1e-6)


@pytest.mark.parametrize("method", ALL)
def test_runs_are_the_same(method):
    data = kernels(seed=3)
    one, other = method(random_state=5).fit(data), clone(method(random_state=5)).fit(data)
    np.testing.assert_array_equal(one.labels_, other.labels_)
    np.testing.assert_array_equal(one.embedding_, other.embedding_)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.7), method=st.sampled_from([MKKMZF, MKKMMF, MKKMAF]))
def test_the_objective_never_rises(seed, missing, method):
    data = kernels(24, missing=missing, seed=seed, spread=1.0)
    objective = method(tol=0.0, max_iter=8).represent(data).objective
    assert (np.diff(objective) <= 1e-9 * objective[0]).all()


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.5))
def test_imputing_objectives_never_rise_without_a_ridge(seed, missing):
    data = kernels(30, missing=missing, seed=seed, spread=1.0)
    for method in (MKKMIK(ridge=0.0, tol=0.0, max_iter=8), LIMKKM(ridge=1e-12, tau=0.8, tol=0.0, max_iter=8)):
        objective = method.represent(data).objective
        assert (np.diff(objective) <= 1e-8 * abs(objective[0])).all()


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.6))
def test_limkkm_with_everybody_in_every_neighbourhood_is_mkkm_ik(seed, missing):
    data = kernels(30, missing=missing, seed=seed, spread=1.0)
    matrices = [view.matrix for view in data.views]
    stopping = Stopping(max_iter=4)
    local = limkkm(matrices, data.mask, 3, np.ones((30, 30)), 0.0, 1e-3, stopping)
    start = top_eigenvectors(sum(matrices), 3)[1]
    whole = mkkm_ik(matrices, data.mask, 3, 1e-3, stopping, start)
    np.testing.assert_allclose(local.partition @ local.partition.T, whole.partition @ whole.partition.T, atol=1e-6)
    np.testing.assert_allclose(local.weights, whole.weights, atol=1e-6)


@pytest.mark.parametrize("method", SQUARE)
def test_memory_stays_within_what_is_declared(method):
    data = kernels(500, seed=6)
    estimator = method(max_iter=3)
    tracemalloc.start()
    estimator.represent(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    few_columns = 8 * 500 * 400  # Lanczos vectors and n x k arrays
    assert peak <= estimator.memory_needed(data) + few_columns
    assert estimator.squares(3) <= 3 + 5


@pytest.mark.parametrize("method", SQUARE)
def test_too_much_memory_is_refused_with_the_amount(method, monkeypatch):
    data = kernels()
    monkeypatch.setattr(algorithm, "memory_limit", lambda: 1000)
    with pytest.raises(Incompatible, match=r"with 60 samples it needs about .* GiB .* take fewer samples"):
        method().fit(data)


@pytest.mark.parametrize("method", SQUARE)
def test_features_are_refused_with_the_way_out(method):
    with pytest.raises(Incompatible, match="it needs kernel views and these are features views"):
        method().represent(blobs())


@pytest.mark.parametrize("method", ALL)
def test_sparse_kernels_are_the_same_as_dense_ones(method):
    data = kernels(seed=7)
    thin = rewritten(data, lambda x, _: sparse.csr_array(x))
    np.testing.assert_allclose(method().represent(thin).embedding, method().represent(data).embedding, atol=1e-9)


@pytest.mark.parametrize("method", ALL)
def test_one_view_complete_data_and_a_view_of_one_sample(method):
    whole = kernels(dims=(5,), missing=0.0, seed=8)
    assert adjusted_rand_score(whole.labels, method(random_state=0).fit(whole).labels_) > 0.9
    mask = np.ones((60, 3), dtype=bool)
    mask[1:, 2] = False
    lonely = method(random_state=0).fit(kernels(missing=0.0, seed=8).with_mask(mask))
    assert np.isfinite(lonely.embedding_).all()


@pytest.mark.parametrize("method", [MKKMIK(ridge=0.0), MKKMAF(ridge=0.0), LIMKKM(ridge=0.0, tau=0.02)])
def test_a_singular_imputation_asks_for_a_ridge(method):
    mask = np.ones((60, 3), dtype=bool)
    mask[2:, 2] = False  # two observed samples, three clusters: the observed rows of H have rank 2
    with pytest.raises(InvalidSetting, match="take a larger one"):
        method.represent(kernels(missing=0.0).with_mask(mask))


def test_a_kernel_of_low_rank_takes_the_weight_and_ends_the_iterations():
    found = MKKMZF().represent(center_kernels(linear_kernel(blobs(dims=(2, 6), seed=9))))
    assert found.details["weights"][0] > 0.99
    assert found.converged
    assert np.isfinite(found.embedding).all()
