"""Kernel preparation, filling, factors and simplex weights: what their definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.numerics import low_rank
from mvarena.numerics.kernel_filling import mean_filled, neighbour_filled, partition_filled
from mvarena.numerics.kernels import (
    center_and_normalize,
    distance_kernel,
    gaussian,
    polynomial_kernel,
    squared_distances,
)
from mvarena.numerics.low_rank import (
    centred_unit_factor,
    nystrom_features,
    top_kernel_vectors,
    top_left_vectors,
)
from mvarena.numerics.simplex import inverse_weights, power_weights, regularized_weights

seeds = st.integers(0, 10**6)


@given(seed=seeds, n=st.integers(2, 12), d=st.integers(1, 6))
def test_centring_and_normalising_is_centring_and_normalising_the_features(seed, n, d):
    x = np.random.default_rng(seed).standard_normal((n, d)) + 3
    found = center_and_normalize(x @ x.T)
    phi = centred_unit_factor(x)
    np.testing.assert_allclose(found, phi @ phi.T, atol=1e-8)
    np.testing.assert_allclose(found.diagonal(), 1, atol=1e-8)
    np.testing.assert_allclose((x - x.mean(axis=0)).sum(axis=0), 0, atol=1e-10)


def test_a_sample_at_the_centre_gets_a_zero_row():
    x = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1], [0, 0]]) + 7
    for found in (center_and_normalize(x @ x.T), centred_unit_factor(x), centred_unit_factor(x.copy(), overwrite=True)):
        assert np.isfinite(found).all()
        np.testing.assert_array_equal(found[4], 0)
    np.testing.assert_array_equal(center_and_normalize(np.ones((4, 4))), 0)


def test_other_kernels_by_their_formulas():
    x = np.arange(6.0).reshape(3, 2)
    np.testing.assert_allclose(polynomial_kernel(x), (1 + x @ x.T / 2) ** 3)
    np.testing.assert_allclose(polynomial_kernel(sparse.csr_array(x), 2), (1 + x @ x.T / 2) ** 2)
    distances = np.array([[0.0, 2], [2, 0]])
    np.testing.assert_allclose(distance_kernel(distances), [[1, np.exp(-2)], [np.exp(-2), 1]])
    np.testing.assert_array_equal(distance_kernel(np.zeros((2, 2))), 1)


@given(seed=seeds)
def test_the_sparse_factor_is_the_dense_one(seed):
    rng = np.random.default_rng(seed)
    x = rng.poisson(0.7, (12, 7)).astype(float)
    x[3] = 0
    thin, thick = centred_unit_factor(sparse.csr_array(x)), centred_unit_factor(x.copy())
    right, left = rng.standard_normal((7, 2)), rng.standard_normal((12, 2))
    np.testing.assert_allclose(thin @ right, thick @ right, atol=1e-9)
    np.testing.assert_allclose(thin @ right[:, 0], thick @ right[:, 0], atol=1e-9)
    np.testing.assert_allclose(thin.T @ left, thick.T @ left, atol=1e-9)
    np.testing.assert_allclose(thin.T @ left[:, 0], thick.T @ left[:, 0], atol=1e-9)


@pytest.mark.parametrize(("shape", "limit"), [((40, 6), 1000), ((6, 40), 1000), ((200, 300), 100), ((300, 200), 100)])
def test_left_vectors_are_the_kernels_eigenvectors(shape, limit, monkeypatch):
    monkeypatch.setattr(low_rank, "_GRAM_LIMIT", limit)
    rng = np.random.default_rng(0)
    phi = rng.standard_normal(shape) @ np.diag(np.linspace(3, 0.1, shape[1]))
    phi[:, :4] *= 10  # a gap after the fourth direction
    found = top_left_vectors(phi, 4)
    expected = top_kernel_vectors(phi @ phi.T, 4)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-7)
    np.testing.assert_allclose(found.T @ found, np.eye(4), atol=1e-9)


def test_columns_beyond_the_rank_are_zero():
    x = np.random.default_rng(1).standard_normal((20, 2))
    for found in (top_left_vectors(x, 5), top_kernel_vectors(x @ x.T, 5)):
        np.testing.assert_array_equal(found[:, 2:], 0)
        np.testing.assert_allclose(found[:, :2].T @ found[:, :2], np.eye(2), atol=1e-9)
    np.testing.assert_array_equal(top_left_vectors(np.zeros((5, 3)), 2), 0)
    assert top_left_vectors(np.ones((1, 3)), 2).shape == (1, 2)


def test_gaussian_factors():
    x = np.random.default_rng(2).standard_normal((80, 3))
    exact = gaussian(squared_distances(x), 2 * 1.5**2)
    whole = nystrom_features(x, 1.5, 80, seed=0)
    np.testing.assert_allclose(whole @ whole.T, exact, atol=1e-6)
    few = nystrom_features(x, 1.5, 20, seed=0)
    error = exact - few @ few.T
    assert np.linalg.eigvalsh((error + error.T) / 2).min() > -1e-6  # the Nystrom form is below the kernel
    assert np.trace(error) < 0.1 * 80  # an outlier that no landmark is near keeps its own error


def psd_kernels(rng, n, V, missing):
    mask = rng.random((n, V)) >= missing
    mask[np.arange(n), rng.integers(0, V, n)] = True
    mask[:2] = True
    kernels = []
    for v in range(V):
        x = rng.standard_normal((n, n + 1)) * mask[:, v : v + 1]
        kernels.append(x @ x.T)
    return kernels, mask


@given(seed=seeds, missing=st.floats(0, 0.8))
def test_fillings_keep_what_is_observed_and_stay_symmetric(seed, missing):
    rng = np.random.default_rng(seed)
    kernels, mask = psd_kernels(rng, 12, 3, missing)
    H = np.linalg.qr(rng.standard_normal((12, 2)))[0]
    imputed = [partition_filled(kernel, seen, H, 1e-3) for kernel, seen in zip(kernels, mask.T, strict=True)]
    for found in (mean_filled(kernels, mask), neighbour_filled(kernels, mask, 3), imputed):
        for kernel, new, seen in zip(kernels, found, mask.T, strict=True):
            np.testing.assert_array_equal(new[np.ix_(seen, seen)], kernel[np.ix_(seen, seen)])
            np.testing.assert_allclose(new, new.T, atol=1e-9 * np.abs(new).max())
    for new in (*mean_filled(kernels, mask), *imputed):
        assert np.linalg.eigvalsh((new + new.T) / 2).min() > -1e-8 * np.abs(new).max()


@given(seed=seeds, V=st.integers(1, 6), strength=st.sampled_from([0.0, 0.1, 10.0]))
def test_weights_minimise_on_the_simplex(seed, V, strength):
    rng = np.random.default_rng(seed)
    costs = rng.random(V) + 0.05
    root = rng.standard_normal((V, V))
    M = root @ root.T
    found = regularized_weights(costs, M, strength)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    Q = np.diag(costs) + strength / 2 * M
    gradient = 2 * Q @ found
    # Karush-Kuhn-Tucker: the gradient is least, and the same, wherever there is weight
    active = found > 1e-9
    assert np.ptp(gradient[active]) < 1e-6 * (1 + abs(gradient).max())
    assert (gradient[~active] >= gradient[active].min() - 1e-6 * (1 + abs(gradient).max())).all()
    if strength == 0:
        np.testing.assert_allclose(found, inverse_weights(costs))


def test_the_least_cost_takes_all_weight_where_it_is_zero_or_powers_are_near_one():
    np.testing.assert_allclose(inverse_weights(np.array([0.0, 1.0, 2.0])), [1, 0, 0], atol=1e-9)
    np.testing.assert_allclose(inverse_weights(np.array([-1.0, 1.0, 2.0])), [1, 0, 0], atol=1e-9)
    np.testing.assert_allclose(inverse_weights(np.zeros(4)), 0.25)
    np.testing.assert_array_equal(power_weights(np.array([1.0, 3.0, 0.5]), 1.0001, 1e-12), [0, 0, 1])
    np.testing.assert_array_equal(power_weights(np.zeros(2), 1.0001, 1e-12), [0.5, 0.5])


@pytest.mark.parametrize("exponent", [1.5, 2.5, 100.0])
def test_weights_of_a_power_are_the_minimum(exponent):
    costs = np.array([1.0, 3.0, 0.5])
    best = power_weights(costs, exponent, 1e-12)
    assert best.sum() == pytest.approx(1)
    for other in np.random.default_rng(0).dirichlet(np.ones(3), 200):
        assert best**exponent @ costs <= (other**exponent @ costs) * (1 + 1e-12)
