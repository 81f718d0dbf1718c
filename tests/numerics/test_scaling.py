"""Rows of unit length: of data, where every row counts, and of embeddings, where rounding noise does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.numerics import scaling
from mvarena.numerics.scaling import unit_embedding, unit_rows


@given(seed=st.integers(0, 10**6), power=st.integers(-300, 300))
def test_a_row_of_data_has_unit_length_however_short_it_was(seed, power):
    rows = np.random.default_rng(seed).standard_normal((4, 3))
    rows[0] *= 10.0**power
    np.testing.assert_allclose(np.linalg.norm(unit_rows(rows), axis=1), 1)
    np.testing.assert_allclose(unit_rows(sparse.csr_array(rows)).toarray(), unit_rows(rows), rtol=1e-15)


@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-200, 1.0, 1e100]))
def test_only_the_noise_in_an_embedding_becomes_zero(seed, scale):
    embedding = scale * np.random.default_rng(seed).standard_normal((6, 3))
    embedding[1] *= 1e-9
    embedding[2] *= 1e-15
    embedding[3] = 0.0
    known = np.array([True, True, False, False, True, True])
    found = unit_embedding(embedding)
    np.testing.assert_array_equal(found[~known], 0)
    np.testing.assert_array_equal(found[known], unit_rows(embedding[known]))


def test_an_embedding_of_zeros_and_of_no_samples():
    np.testing.assert_array_equal(unit_embedding(np.zeros((3, 2))), np.zeros((3, 2)))
    assert unit_embedding(np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("order", ["C", "F"])
def test_unit_rows_of_blocks_are_those_of_the_whole_to_the_bit(order, monkeypatch) -> None:
    rows = np.asarray(np.random.default_rng(0).standard_normal((50, 7)), order=order)
    rows[3] = 0
    whole = unit_rows(rows)
    monkeypatch.setattr(scaling, "_BLOCK_ROWS", 8)
    found = unit_rows(rows)
    np.testing.assert_array_equal(found, whole)
    assert found.flags.f_contiguous == whole.flags.f_contiguous
    counts = np.arange(1, 101).reshape(50, 2)
    np.testing.assert_array_equal(unit_rows(counts), unit_rows(counts.astype(float)))
