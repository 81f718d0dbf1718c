"""eeimvc: the compressed problem, sparse against dense, approximations."""

from __future__ import annotations

import numpy as np
from comparisons import projector
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mvarena.algorithms import EEIMVC
from mvarena.algorithms.kernel.base_partitions import KernelChoice, observed_kernels, summed_partition
from mvarena.algorithms.kernel.compression import compress
from mvarena.algorithms.kernel.eeimvc import eeimvc
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


def features(n=60, dims=(5, 8, 6), missing=0.3, **kwargs):
    return blobs(n, dims=dims, missing=missing, **kwargs)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), n=st.integers(20, 120), missing=st.floats(0, 0.7), with_prior=st.booleans())
def test_the_compressed_problem_is_the_same_problem(seed, n, missing, with_prior):
    data = features(n=n, dims=(2, 4), n_clusters=2, missing=missing, seed=seed, spread=1.0)
    kernels = list(observed_kernels(data, KernelChoice("linear", "nystrom", 10, None, 0)))
    starts = [kernel.top(2, n) for kernel in kernels]
    prior = summed_partition(kernels, n, 2) if with_prior else None
    small = compress(starts, data.mask, prior)
    for large, start in zip(small.partitions, starts, strict=True):
        np.testing.assert_allclose(small.expand(large), start, atol=1e-12)
    regularization = 0.3 if with_prior else 0.0
    stopping = Stopping(max_iter=6)
    one = eeimvc(starts, data.mask, stopping, regularization=regularization, prior=prior)
    other = eeimvc(small.partitions, small.mask, stopping, regularization=regularization, prior=small.prior)
    np.testing.assert_allclose(other.history.objective, one.history.objective, rtol=1e-8)
    np.testing.assert_allclose(other.weights, one.weights, atol=1e-6)
    np.testing.assert_allclose(small.expand(other.partition), one.partition, atol=1e-5)


def test_iterations_do_not_see_the_number_of_samples():
    data = features(n=1_000, seed=10)
    kernels = list(observed_kernels(data, KernelChoice("linear", "nystrom", 10, None, 0)))
    small = compress([kernel.top(3, 1_000) for kernel in kernels], data.mask)
    assert len(small.mask) <= (2**3 - 1) * 3 * 3


def test_sparse_features_are_the_same_as_dense_ones():
    rng, n = np.random.default_rng(2), 600
    labels = np.arange(n) % 3
    rates = rng.random((2, 3, 450)) ** 6
    dense = [rng.poisson(rate[labels]).astype(float) for rate in rates]
    mask = np.ones((n, 2), dtype=bool)
    mask[: n // 4, 0] = mask[-n // 4 :, 1] = False
    thin = EEIMVC(n_clusters=3).represent(
        MultiViewData.from_arrays([sparse.csr_array(x) for x in dense], mask=mask, n_clusters=3)
    )
    thick = EEIMVC(n_clusters=3).represent(MultiViewData.from_arrays(dense, mask=mask, n_clusters=3))
    np.testing.assert_allclose(thin.embedding, thick.embedding, atol=1e-5)


def test_nystrom_with_every_landmark_is_exact_and_with_few_is_near():
    data = features(n=300, seed=3, spread=2.0)
    exact = EEIMVC(kernel="gaussian", approximation="exact").represent(data)
    whole = EEIMVC(kernel="gaussian", n_components=300).represent(data)
    # both take the median distance (all rows are used), so only the rank tolerance stands between the two
    np.testing.assert_allclose(projector(whole.embedding), projector(exact.embedding), atol=1e-4)
    near = EEIMVC(kernel="gaussian", n_components=100, random_state=0).represent(data)
    assert np.abs(projector(near.embedding) - projector(exact.embedding)).mean() < 0.1
