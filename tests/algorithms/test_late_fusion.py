"""lf-imvc, os-lf-imvc and oplf-mvc: lf-imvc matches the authors' program step by step; all rise."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import LFIMVC, OPLFMVC, OSLFIMVC
from mvarena.algorithms.kernel.base_partitions import KernelChoice, ObservedKernel, observed_kernels, summed_partition
from mvarena.algorithms.kernel.compression import compress
from mvarena.algorithms.kernel.lf_imvc import lf_imvc
from mvarena.algorithms.kernel.one_stage import centroid_rotation, one_stage, turned_towards
from mvarena.algorithms.kernel.partition import published_stopping
from mvarena.data import MultiViewData, View
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import center_and_normalize, gaussian, squared_distances
from mvarena.numerics.scaling import unit_rows
from mvarena.testing.examples import blobs
from mvarena.transforms.kernels import center_kernels, linear_kernel

LF = golden_numbers("lf_imvc")
LINEAR = KernelChoice("linear", "nystrom", 10, None, 0)


def per_view(array):
    return [array[:, :, p] for p in range(3)]


@pytest.mark.parametrize("run", range(4))
def test_lf_imvc_matches_the_authors_program_where_rows_are_zero(run):
    found = lf_imvc(per_view(LF["zf_base"]), published_stopping(200, 1e-4), regularization=float(LF[f"lam{run}"]))
    np.testing.assert_allclose(found.history.objective, LF[f"zf_obj{run}"], rtol=1e-11)
    np.testing.assert_allclose(unit_rows(found.partition), LF[f"zf_H{run}"], atol=1e-9)
    for p in range(3):
        np.testing.assert_allclose(found.base_partitions[p], LF[f"zf_HP{run}"][:, :, p], atol=1e-9)
        np.testing.assert_allclose(found.rotations[p], LF[f"zf_WP{run}"][:, :, p], atol=1e-9)


def toy_kernels(mask):
    """The kernels that the authors' program was given: Gaussian, centred and normalised before deletion."""
    toy = golden_numbers("kernel_methods")
    squares = [squared_distances(toy[f"X{v}"]) for v in range(3)]
    kernels = [center_and_normalize(gaussian(one, 2 * np.median(np.sqrt(one)) ** 2)) for one in squares]
    views = [View(f"v{v}", kernels[v] * np.outer(mask[:, v], mask[:, v]), "kernel") for v in range(3)]
    return MultiViewData("toy", tuple(views), mask, n_clusters=3)


@pytest.mark.parametrize("run", range(4))
def test_the_contestant_lf_imvc_matches_the_authors_program_on_complete_kernels(run):
    data = toy_kernels(np.ones(LF["demo_base"].shape[::2], dtype=bool))
    found = LFIMVC(regularization=float(LF[f"lam{run}"])).represent(data)
    np.testing.assert_allclose(found.objective, LF[f"demo_obj{run}"], rtol=1e-12)
    np.testing.assert_allclose(found.embedding, LF[f"demo_H{run}"], atol=1e-12)


@pytest.mark.parametrize("run", range(4))
def test_the_contestant_lf_imvc_leaves_the_rows_of_missing_samples_zero(run):
    mask = golden_numbers("kernel_methods")["mask"].astype(bool)
    regularization = float(LF[f"lam{run}"])
    found = LFIMVC(regularization=regularization).represent(toy_kernels(mask))
    # the program scales the rounding noise in these rows to unit length
    start = per_view(LF["zf_base"] * mask[:, None, :])
    expected = lf_imvc(start, published_stopping(200, 1e-4), regularization=regularization)
    np.testing.assert_allclose(found.objective, expected.history.objective, rtol=1e-10)
    np.testing.assert_allclose(found.embedding, unit_rows(expected.partition), atol=1e-8)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), missing=st.floats(0, 0.7), regularization=st.sampled_from([0.0, 0.1, 1.0, 100.0]))
def test_objectives_never_fall_and_observed_rows_stay(seed, missing, regularization):
    data = blobs(25, dims=(5, 8, 6), missing=missing, seed=seed, spread=1.0)
    kernels = list(observed_kernels(data, LINEAR))
    base = [kernel.top(3, 25) for kernel in kernels]
    prior = summed_partition(kernels, 25, 3)
    fused = lf_imvc(base, Stopping(12), regularization=regularization)
    assert (np.diff(fused.history.objective) >= -1e-9).all()
    np.testing.assert_allclose(fused.partition.T @ fused.partition, np.eye(3), atol=1e-8)
    one = one_stage(
        base,
        centroid_rotation(prior, 3),
        Stopping(12),
        missing=[np.flatnonzero(~seen) for seen in data.mask.T],
        regularization=regularization,
        prior=prior,
    )
    assert (np.diff(one.history.objective) >= -1e-9).all()
    assert np.linalg.norm(one.weights) == pytest.approx(1)
    for v, (H_p, start) in enumerate(zip(one.base_partitions, base, strict=True)):
        np.testing.assert_array_equal(H_p[data.mask[:, v]], start[data.mask[:, v]])
        assert np.linalg.norm(H_p[~data.mask[:, v]], 2) <= 1 + 1e-9 if (~data.mask[:, v]).any() else True


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), n=st.integers(20, 120), missing=st.floats(0, 0.6))
def test_lf_imvc_on_a_few_rows_per_pattern_is_the_same_problem(seed, n, missing):
    data = blobs(n, dims=(2, 4), n_clusters=2, missing=missing, seed=seed, spread=1.0)
    base = [kernel.top(2, n) for kernel in observed_kernels(data, LINEAR)]
    small = compress(base, data.mask)
    one, other = (lf_imvc(start, Stopping(6), regularization=0.5) for start in (base, small.partitions))
    np.testing.assert_allclose(other.history.objective, one.history.objective, rtol=1e-8)
    np.testing.assert_allclose(projector(small.expand(other.partition)), projector(one.partition), atol=1e-5)


def test_a_large_regularization_keeps_the_base_partitions():
    data = blobs(60, dims=(5, 8), missing=0.2)
    base = [kernel.top(3, 60) for kernel in observed_kernels(data, LINEAR)]
    found = lf_imvc(base, Stopping(10), regularization=1e8)
    for H_p, start in zip(found.base_partitions, base, strict=True):
        np.testing.assert_allclose(H_p, start, atol=1e-6)


@pytest.mark.parametrize("method", [LFIMVC, OPLFMVC, OSLFIMVC])
def test_features_give_what_their_kernels_give(method):
    data = blobs(60, dims=(5, 90, 6), missing=0.0 if method is OPLFMVC else 0.3, seed=1)
    kernels = center_kernels(linear_kernel(data))
    one, other = method().represent(data), method().represent(kernels)
    np.testing.assert_allclose(one.objective[-1], other.objective[-1], rtol=1e-7)


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


@pytest.mark.parametrize("seed", [1, 2])
def test_os_lf_imvc_finds_clusters_of_which_views_miss_many_samples(seed):
    # with base partitions whose columns have nothing to do with those of the prior: at most 0.8
    data = blobs(90, dims=(6, 12, 9), missing=0.4, spread=1.5, seed=seed)
    assert adjusted_rand_score(data.labels, OSLFIMVC(random_state=0).fit(data).labels_) > 0.95


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
