"""The corruptions of numbers: exactly the promised share changes, and nothing that no view observes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import kstest

from mvarena.contracts.corruption import count_at
from mvarena.corruptions.across_views import SwappedPairs
from mvarena.corruptions.noise import Gaussian, Outliers
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible, InvalidSetting

ON_FEATURES = (Gaussian, Outliers)


def spoil(corruption, data, rate, seed=0):
    return corruption.apply(data, rate, np.random.default_rng(seed))


def random_data(n, dims=(4, 3, 5), *, seed=0, incomplete=False, stored_sparse=False, n_classes=3):
    rng = np.random.default_rng(seed)
    arrays = [rng.random((n, d)) + 0.5 for d in dims]
    if stored_sparse:
        arrays = [sparse.csr_array(np.where(rng.random(array.shape) < 0.5, array, 0.0)) for array in arrays]
    mask = np.ones((n, len(dims)), dtype=bool)
    if incomplete:
        mask = rng.random(mask.shape) < 0.7
        mask[~mask.any(axis=1), 0] = True
        mask[0] = True
    return MultiViewData.from_arrays(arrays, mask=mask, labels=np.arange(n) % n_classes)


def dense_of(view):
    return view.matrix.toarray() if view.is_sparse else view.matrix


def differences(before, after):
    return [dense_of(new) != dense_of(old) for old, new in zip(before.views, after.views, strict=True)]


@pytest.mark.parametrize("rate", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("stored_sparse", [False, True])
def test_gaussian_noise_has_the_asked_power(rate, stored_sparse):
    data = random_data(4000, seed=1, incomplete=True, stored_sparse=stored_sparse)
    noisy = spoil(Gaussian(), data, rate)
    for old, new, seen in zip(data.views, noisy.views, data.mask.T, strict=True):
        assert not dense_of(new)[~seen].any()
        signal, error = dense_of(old)[seen], (dense_of(new) - dense_of(old))[seen]
        assert np.mean(signal**2) / np.mean(error**2) == pytest.approx(rate, rel=0.05)
        assert abs(error.mean()) < 4 * error.std() / np.sqrt(error.size)


@settings(deadline=None, max_examples=30)
@given(
    n=st.integers(3, 30),
    rate=st.floats(0.01, 1),
    stored_sparse=st.booleans(),
    incomplete=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_outliers_are_the_same_samples_in_every_view_that_sees_them(n, rate, stored_sparse, incomplete, seed):
    data = random_data(n, seed=seed, stored_sparse=stored_sparse, incomplete=incomplete)
    spoiled = spoil(Outliers(), data, rate, seed)
    hit = np.zeros(n, dtype=bool)
    for changed, seen in zip(differences(data, spoiled), data.mask.T, strict=True):
        hit |= changed.any(axis=1)
        assert not changed[~seen].any()
    assert hit.sum() <= count_at(rate, n)
    for old, new, seen in zip(data.views, spoiled.views, data.mask.T, strict=True):
        before, after = dense_of(old)[seen], dense_of(new)[seen]
        assert (after >= before.min(axis=0)).all()
        assert (after <= before.max(axis=0)).all()
        assert new.is_sparse == old.is_sparse


def test_outliers_change_every_feature_of_the_share_asked():
    data = random_data(200)
    for changed in differences(data, spoil(Outliers(), data, 0.06)):
        assert set(changed.sum(axis=1)) == {0, changed.shape[1]}
        assert changed.any(axis=1).sum() == 12


@pytest.mark.parametrize("stored_sparse", [False, True])
def test_outliers_are_uniform_over_the_whole_range_of_their_feature(stored_sparse):
    data = random_data(3000, (3,), stored_sparse=stored_sparse)
    before = dense_of(data.views[0])
    after = dense_of(spoil(Outliers(), data, 1.0).views[0])
    low, high = before.min(axis=0), before.max(axis=0)
    for share in ((after - low) / (high - low)).T:
        assert share.min() < 0.005
        assert share.max() > 0.995
        assert kstest(share, "uniform").pvalue > 1e-4


@settings(deadline=None, max_examples=40)
@given(n=st.integers(2, 30), seed=st.integers(0, 10**6), share=st.floats(0, 1))
def test_swaps_are_pairs_that_leave_the_first_view(n, seed, share):
    rows = np.arange(n, dtype=float)[:, None]
    data = MultiViewData.from_arrays([rows, rows, rows * 10])
    rate = share * SwappedPairs().largest_rate(data)
    spoiled = spoil(SwappedPairs(), data, rate, seed)
    np.testing.assert_array_equal(spoiled.views[0].matrix, rows)
    moved = []
    for view, scale in zip(spoiled.views[1:], (1, 10), strict=True):
        source = (view.matrix[:, 0] / scale).astype(int)
        np.testing.assert_array_equal(source[source], np.arange(n))
        moved.append(source != np.arange(n))
        assert moved[-1].sum() == 2 * count_at(rate / 2, n)
    np.testing.assert_array_equal(moved[0], moved[1])


def test_the_views_pair_samples_independently():
    rows = np.arange(40.0)[:, None]
    data = MultiViewData.from_arrays([rows] * 4, labels=np.arange(40) % 2)
    for seed in range(5):
        partners = np.column_stack([view.matrix for view in spoil(SwappedPairs(), data, 1.0, seed).views[1:]])
        # two independent pairings of so many samples have about one pair in common
        assert all((partners[:, v] == partners[:, w]).mean() < 0.5 for v, w in ((0, 1), (0, 2), (1, 2)))


def test_a_swapped_kernel_is_the_kernel_of_the_swapped_samples():
    points = np.random.default_rng(0).normal(size=(12, 2))
    plain = MultiViewData.from_arrays([points, points])
    kernels = MultiViewData.from_arrays([points, points @ points.T], kinds=["features", "kernel"])
    swapped = spoil(SwappedPairs(), plain, 0.5).views[1].matrix
    np.testing.assert_allclose(spoil(SwappedPairs(), kernels, 0.5).views[1].matrix, swapped @ swapped.T)


@pytest.mark.parametrize("corruption", ON_FEATURES)
def test_kernel_views_are_refused_by_name(corruption):
    arrays = [np.ones((3, 2)), np.eye(3)]
    data = MultiViewData.from_arrays(arrays, kinds=["features", "kernel"], view_names=["text", "links"])
    with pytest.raises(Incompatible, match="view 'links' of data is a kernel"):
        spoil(corruption(), data, 0.3)


def test_swaps_need_complete_data():
    incomplete = random_data(9, incomplete=True)
    with pytest.raises(InvalidSetting, match="needs complete data"):
        spoil(SwappedPairs(), incomplete, 0.5)
