"""ConvexSub: the reconstruction is the minimum, the representation is the least one, weights of views."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.subspace.convexsub import ConvexSub, reconstruct, shared_representation, smallest_zero_gamma
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


def objective(X, Z, beta, gamma):
    return np.sum(beta * (X - Z) ** 2) + gamma * np.linalg.svd(Z, compute_uv=False).sum()


EXACT = Stopping(500, 1e-7, earliest=2)
shapes = st.tuples(st.integers(2, 9), st.integers(2, 9))


@given(shapes, st.floats(0.05, 1.0), st.floats(0.01, 0.9), st.integers(0, 99))
def test_the_end_is_the_minimum_and_no_step_rises(shape, least, share, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal(shape)
    beta = np.where(np.arange(shape[1]) < shape[1] // 2, least, 1.0)
    gamma = share * smallest_zero_gamma(X, beta)
    found = reconstruct(X, beta, gamma, Stopping(3000, 1e-12, earliest=2))
    assert (np.diff(found.history.objective) <= 1e-10 * found.history.objective[0]).all()
    assert found.history.objective[-1] == pytest.approx(objective(X, found.Z, beta, gamma), rel=1e-9)
    # optimality: 2 beta (X - Z) / gamma is a subgradient of the trace norm at Z
    Y = 2 * beta * (X - found.Z) / gamma
    assert np.linalg.norm(Y, 2) <= 1 + 1e-5
    np.testing.assert_allclose(np.sum(Y * found.Z), np.linalg.svd(found.Z, compute_uv=False).sum(), rtol=1e-4)


def test_equal_weights_need_one_step_and_give_the_closed_form():
    X = np.random.default_rng(0).standard_normal((12, 7))
    found = reconstruct(X, np.full(7, 2.0), 3.0, EXACT)
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    np.testing.assert_allclose(found.Z, (U * np.maximum(s - 0.75, 0)) @ Vt, atol=1e-12)
    assert found.history.n_iter == 2
    assert found.history.objective[0] == pytest.approx(found.history.objective[1], rel=1e-12)


@given(st.integers(0, 99))
def test_zero_is_the_minimum_exactly_from_that_gamma_on(seed):
    X = np.random.default_rng(seed).standard_normal((8, 6))
    beta = np.array([1.0, 1.0, 1.0, 0.3, 0.3, 0.3])
    edge = smallest_zero_gamma(X, beta)
    assert np.abs(reconstruct(X, beta, 1.001 * edge, Stopping(3000, 1e-7, earliest=2)).Z).max() < 1e-6
    assert np.abs(reconstruct(X, beta, 0.9 * edge, Stopping(3000, 1e-7, earliest=2)).Z).max() > 1e-3


@settings(max_examples=10)
@given(st.integers(0, 99))
def test_the_representation_reconstructs_with_the_least_sum_of_column_norms(seed):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((9, 3)) @ rng.standard_normal((3, 7))
    Phi = shared_representation(Z)
    assert Phi.shape == (9, 3)
    least = np.linalg.norm(Phi, axis=0).sum()
    B = np.linalg.lstsq(Phi, Z, rcond=None)[0]
    np.testing.assert_allclose(Phi @ B, Z, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(B, axis=1), 1.0, atol=1e-10)
    for _ in range(10):  # any other factorisation with unit rows costs at least as much
        mixed = Phi @ (np.eye(3) + 0.3 * rng.standard_normal((3, 3)))
        rows = np.linalg.lstsq(mixed, Z, rcond=None)[0]
        assert np.linalg.norm(mixed * np.linalg.norm(rows, axis=1), axis=0).sum() >= least - 1e-9


def test_there_must_be_a_weight_for_each_view():
    with pytest.raises(InvalidSetting, match="2 numbers, one per view of blobs"):
        ConvexSub(view_weights=[1.0]).represent(blobs())


def test_above_the_gamma_of_a_zero_solution_it_ends_without_a_warning():
    found = ConvexSub(gamma=1e6).represent(blobs(20, dims=(4, 5), seed=0))
    assert found.converged
    assert not found.embedding.any()
