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
from mvarena.algorithms.kernel.stopping import Stopping
from mvarena.contracts import algorithm
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, InvalidSetting, UnknownName
from mvarena.numerics.kernel_preparation import center_and_normalize
from mvarena.numerics.kernels import gaussian, squared_distances
from mvarena.numerics.spectral import top_eigenvectors

SQUARE = [MKKMZF, MKKMMF, MKKMKNN, MKKMAF, MKKMIK, LIMKKM]
ALL = [*SQUARE, EEIMVC]


def blobs(n=60, d=(5, 8, 6), k=3, missing=0.3, seed=0, spread=6.0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    views = [spread * rng.standard_normal((k, p))[labels] + rng.standard_normal((n, p)) for p in d]
    mask = rng.random((n, len(d))) >= missing
    mask[np.arange(n), rng.integers(0, len(d), n)] = True
    return views, mask, labels


def as_kernels(views, mask, garbage=None, **kwargs):
    kernels = []
    for x, seen in zip(views, mask.T, strict=True):
        block = center_and_normalize(gaussian(squared_distances(x[seen]), 2 * float(np.median(np.abs(x))) ** 2 * 8))
        kernel = np.full((len(x), len(x)), 0.0 if garbage is None else garbage)
        kernel[np.ix_(seen, seen)] = (block + block.T) / 2
        kernels.append(kernel)
    return MultiViewData.from_arrays(kernels, mask=mask, kinds=["kernel"] * len(views), n_clusters=3, **kwargs)


@pytest.mark.parametrize("method", ALL)
def test_clear_clusters_are_found(method):
    views, mask, labels = blobs()
    found = method(random_state=0).fit(as_kernels(views, mask))
    assert adjusted_rand_score(labels, found.labels_) > 0.9
    np.testing.assert_allclose(np.linalg.norm(found.embedding_, axis=1), 1)
    H = found.representation_.details["partition"]
    np.testing.assert_allclose(H.T @ H, np.eye(3), atol=1e-8)


@pytest.mark.parametrize("method", ALL)
def test_values_under_missing_rows_change_nothing(method):
    views, mask, _ = blobs(seed=1)
    clean = method().represent(as_kernels(views, mask))
    spoiled = method().represent(as_kernels(views, mask, garbage=1e6))
    np.testing.assert_array_equal(clean.embedding, spoiled.embedding)
    np.testing.assert_array_equal(clean.objective, spoiled.objective)


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("n", [60, 430])
def test_a_permutation_of_the_samples_permutes_the_embedding(method, n):
    views, mask, _ = blobs(n=n, seed=2)
    data = as_kernels(views, mask)
    order = np.random.default_rng(0).permutation(n)
    one = method(tol=1e-6).represent(data)
    other = method(tol=1e-6).represent(data.take(order))
    product = one.embedding[order] @ one.embedding[order].T
    np.testing.assert_allclose(other.embedding @ other.embedding.T, product, atol=1e-5)
    np.testing.assert_allclose(other.objective, one.objective, rtol=1e-6)


@pytest.mark.parametrize("method", ALL)
def test_runs_are_the_same(method):
    data = as_kernels(*blobs(seed=3)[:2])
    one, other = method(random_state=5).fit(data), clone(method(random_state=5)).fit(data)
    np.testing.assert_array_equal(one.labels_, other.labels_)
    np.testing.assert_array_equal(one.embedding_, other.embedding_)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.7), method=st.sampled_from([MKKMZF, MKKMMF, MKKMAF]))
def test_the_objective_never_rises(seed, missing, method):
    views, mask, _ = blobs(n=24, missing=missing, seed=seed, spread=1.0)
    objective = method(tol=0.0, max_iter=8).represent(as_kernels(views, mask)).objective
    assert (np.diff(objective) <= 1e-9 * objective[0]).all()


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.5))
def test_imputing_objectives_never_rise_without_a_ridge(seed, missing):
    views, mask, _ = blobs(n=30, missing=missing, seed=seed, spread=1.0)
    data = as_kernels(views, mask)
    for method in (MKKMIK(ridge=0.0, tol=0.0, max_iter=8), LIMKKM(ridge=1e-12, tau=0.8, tol=0.0, max_iter=8)):
        objective = method.represent(data).objective
        assert (np.diff(objective) <= 1e-8 * abs(objective[0])).all()


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.6))
def test_limkkm_with_everybody_in_every_neighbourhood_is_mkkm_ik(seed, missing):
    views, mask, _ = blobs(n=30, missing=missing, seed=seed, spread=1.0)
    data = as_kernels(views, mask)
    kernels = [view.matrix for view in data.views]
    stopping = Stopping(0.0, 4)
    local = limkkm(kernels, data.mask, 3, np.ones((30, 30)), 0.0, 1e-3, stopping)
    start = top_eigenvectors(sum(kernels), 3)[1]
    whole = mkkm_ik(kernels, data.mask, 3, 1e-3, stopping, start)
    np.testing.assert_allclose(local.partition @ local.partition.T, whole.partition @ whole.partition.T, atol=1e-6)
    np.testing.assert_allclose(local.weights, whole.weights, atol=1e-6)


@pytest.mark.parametrize("method", SQUARE)
def test_memory_stays_within_what_is_declared(method):
    views, mask, _ = blobs(n=500, seed=6)
    data = as_kernels(views, mask)
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
    data = as_kernels(*blobs()[:2])
    monkeypatch.setattr(algorithm, "memory_limit", lambda: 1000)
    with pytest.raises(Incompatible, match=r"with 60 samples it needs about .* GiB .* take fewer samples"):
        method().fit(data)


@pytest.mark.parametrize("method", SQUARE)
def test_features_are_refused_with_the_way_out(method):
    views, _, _ = blobs()
    with pytest.raises(Incompatible, match="add a transform"):
        method(n_clusters=3).fit(views)


@pytest.mark.parametrize("method", ALL)
def test_sparse_kernels_are_the_same_as_dense_ones(method):
    data = as_kernels(*blobs(seed=7)[:2])
    thin = MultiViewData.from_arrays(
        [sparse.csr_array(view.matrix) for view in data.views], mask=data.mask, kinds=["kernel"] * 3, n_clusters=3
    )
    np.testing.assert_allclose(method().represent(thin).embedding, method().represent(data).embedding, atol=1e-9)


@pytest.mark.parametrize("method", ALL)
def test_one_view_complete_data_and_a_view_of_one_sample(method):
    views, mask, labels = blobs(seed=8)
    whole = as_kernels(views[:1], np.ones((60, 1), dtype=bool))
    assert adjusted_rand_score(labels, method(random_state=0).fit(whole).labels_) > 0.9
    mask = np.ones((60, 3), dtype=bool)
    mask[1:, 2] = False
    lonely = method(random_state=0).fit(as_kernels(views, mask))
    assert np.isfinite(lonely.embedding_).all()


@pytest.mark.parametrize(
    "estimator",
    [
        MKKMKNN(n_neighbors=0),
        MKKMAF(ridge=-1.0),
        MKKMZF(max_iter=0),
        EEIMVC(tol=-1.0),
        MKKMIK(ridge=-1.0),
        LIMKKM(tau=0.0),
        LIMKKM(regularization=-1.0),
    ],
)
def test_impossible_settings_are_refused(estimator):
    with pytest.raises(InvalidSetting, match="must be"):
        estimator.fit(as_kernels(*blobs()[:2]))


@pytest.mark.parametrize("method", [MKKMIK(ridge=0.0), MKKMAF(ridge=0.0), LIMKKM(ridge=0.0, tau=0.02)])
def test_a_singular_imputation_asks_for_a_ridge(method):
    views, _, _ = blobs()
    mask = np.ones((60, 3), dtype=bool)
    mask[2:, 2] = False  # two observed samples, three clusters: the observed rows of H have rank 2
    with pytest.raises(InvalidSetting, match="take a larger one"):
        method.represent(as_kernels(views, mask))


def test_an_unknown_filling_is_named():
    with pytest.raises(UnknownName, match=r"'knnn'.*Did you mean knn"):
        MKKMIK(filling="knnn").fit(as_kernels(*blobs()[:2]))


def test_a_kernel_of_low_rank_takes_the_weight_and_ends_the_iterations():
    views, _, _ = blobs(d=(2, 6), missing=0.0, seed=9)
    linear = [center_and_normalize(x @ x.T) for x in views]
    data = MultiViewData.from_arrays([(x + x.T) / 2 for x in linear], kinds=["kernel"] * 2, n_clusters=3)
    found = MKKMZF().represent(data)
    assert found.details["weights"][0] > 0.99
    assert found.converged
    assert np.isfinite(found.embedding).all()
