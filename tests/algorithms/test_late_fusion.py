"""Late fusion: lf-imvc's partitions are the program's, features give what kernels give, rotations decide nothing."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector

from mvarena.algorithms import EEIMVC, LFIMVC, OPLFMVC, OSLFIMVC
from mvarena.algorithms.kernel.base_partitions import ObservedKernel
from mvarena.algorithms.kernel.one_stage import turned_towards
from mvarena.testing.examples import blobs
from mvarena.transforms.kernels import center_kernels, linear_kernel


@pytest.mark.parametrize("model", [EEIMVC(), EEIMVC(regularization=1.0), LFIMVC(), OPLFMVC(), OSLFIMVC()], ids=str)
def test_features_give_what_their_kernels_give(model):
    data = blobs(60, dims=(5, 90, 6), missing=0.3 if model.spec.capabilities.missing else 0.0, seed=1)
    one, other = model.represent(data), model.represent(center_kernels(linear_kernel(data)))
    np.testing.assert_allclose(one.objective[-1], other.objective[-1], rtol=1e-7)
    if one.embedding is not None:
        np.testing.assert_allclose(projector(one.embedding), projector(other.embedding), atol=1e-6)


@pytest.mark.parametrize("method", [OPLFMVC, OSLFIMVC])
def test_how_eigenvectors_are_rotated_decides_nothing(method, monkeypatch):
    data = blobs(90, dims=(6, 12, 9), missing=0.0 if method is OPLFMVC else 0.4, spread=1.5, seed=1)
    found, top, rng = method().represent(data), ObservedKernel.top, np.random.default_rng(0)
    monkeypatch.setattr(
        ObservedKernel, "top", lambda kernel, k, n: top(kernel, k, n) @ np.linalg.qr(rng.standard_normal((k, k)))[0]
    )
    other = method().represent(data)
    np.testing.assert_array_equal(other.labels, found.labels)
    np.testing.assert_allclose(other.objective, found.objective, rtol=1e-9)


def test_a_base_partition_with_columns_of_zeros_keeps_what_it_spans():
    rng = np.random.default_rng(0)
    prior, H = (np.linalg.qr(rng.standard_normal((30, 3)))[0] for _ in range(2))
    narrow = H @ np.diag([1.0, 1.0, 0.0])
    (found,) = turned_towards([narrow], prior)
    np.testing.assert_allclose(found @ found.T, narrow @ narrow.T, atol=1e-12)
    # the nearest of all rotations: |found - prior| is the least
    assert np.vdot(found, prior) == pytest.approx(np.linalg.svd(narrow.T @ prior)[1].sum())


def test_a_view_whose_missing_samples_lie_in_one_cluster_leaves_nothing_arbitrary():
    data = blobs(60, dims=(5, 8), seed=6)
    mask = np.ones((60, 2), dtype=bool)
    mask[np.flatnonzero(data.labels == 0)[:9], 0] = False
    found = OSLFIMVC().represent(data.with_mask(mask))
    order = np.random.default_rng(0).permutation(60)
    other = OSLFIMVC().represent(data.with_mask(mask).take(order))
    np.testing.assert_allclose(found.objective, other.objective, rtol=1e-9)
