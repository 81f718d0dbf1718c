"""Single precision rows give what the same numbers give in double precision, block by block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics import kernels
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.float32 import SingleFactor, SingleRows
from mvarena.numerics.low_rank import centred_unit_factor, top_left_vectors
from mvarena.numerics.neighbours import nearest_rows
from mvarena.numerics.scaling import unit_rows


@pytest.fixture(autouse=True)
def _blocks_of_a_few_rows(monkeypatch):
    monkeypatch.setattr(kernels, "_BLOCK_ENTRIES", 20)


shapes = given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 7))


def drawn(seed: int, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((n, d)) + 3 * rng.standard_normal(d)).astype(np.float32)


@shapes
def test_products_and_extremes(seed, n, d):
    X = drawn(seed, n, d)
    right = np.random.default_rng(seed).standard_normal((d, 2))
    np.testing.assert_allclose(SingleRows(X) @ right, X.astype(float) @ right, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(SingleRows(X).max(axis=0), X.astype(float).max(axis=0))
    np.testing.assert_array_equal(canonical_order(SingleRows(X)), canonical_order(X.astype(float)))


@shapes
def test_the_factor_is_that_of_double_precision(seed, n, d):
    X = drawn(seed, n, d)
    Phi = centred_unit_factor(X.astype(float))
    factor = centred_unit_factor(X)
    assert isinstance(factor, SingleFactor)
    np.testing.assert_allclose(factor @ np.eye(d), Phi, atol=1e-12)
    np.testing.assert_allclose(factor @ np.ones(d), Phi.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(factor.T @ np.eye(n), Phi.T, atol=1e-12)
    np.testing.assert_allclose(factor.gram(), Phi.T @ Phi, atol=1e-11)
    found, expected = (top_left_vectors(one, min(2, d)) for one in (factor, Phi))
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-6)


@shapes
def test_the_factor_of_chosen_rows_is_that_of_their_copy(seed, n, d):
    X = drawn(seed, n, d)
    chosen = np.flatnonzero(np.random.default_rng(seed).random(n) < 0.7)
    if not chosen.size:
        return
    in_place, copied = SingleFactor(X, chosen), SingleFactor(X[chosen])
    assert in_place.shape == copied.shape == (len(chosen), d)
    for part in ((lambda one: one @ np.eye(d)), (lambda one: one.T @ np.eye(len(chosen))), SingleFactor.gram):
        np.testing.assert_array_equal(part(in_place), part(copied))


@shapes
def test_nearest_rows_and_unit_rows(seed, n, d):
    X = drawn(seed, n, d)
    X[0] = 0
    for found, expected in zip(
        nearest_rows(X, X[:3], 2), nearest_rows(X.astype(float), X[:3].astype(float), 2), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    unit = unit_rows(X)
    assert unit.dtype == np.float32
    np.testing.assert_allclose(unit, unit_rows(X.astype(float)), atol=1e-7)
