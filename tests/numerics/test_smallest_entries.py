"""The smallest entries of rows: those of a stable sort, whatever ties there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.numerics import neighbours
from mvarena.numerics.neighbours import smallest_in_rows


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.integers(1, 30), st.data())
def test_they_are_those_that_a_stable_sort_puts_first(n, width, data):
    m = data.draw(st.integers(1, width))
    values = data.draw(st.integers(1, 20))
    matrix = np.random.default_rng(values).integers(0, values, (n, width)).astype(float)
    columns, smallest = smallest_in_rows(matrix, m)
    np.testing.assert_array_equal(columns, np.argsort(matrix, axis=1, kind="stable")[:, :m])
    np.testing.assert_array_equal(smallest, np.sort(matrix, axis=1)[:, :m])


@pytest.mark.parametrize("rows", [1, 7, 20])
def test_the_blocks_do_not_matter(rows, monkeypatch):
    matrix = np.random.default_rng(0).random((20, 12))
    columns, values = smallest_in_rows(matrix, 5)
    monkeypatch.setattr(neighbours, "_ROWS", rows)
    np.testing.assert_array_equal(smallest_in_rows(matrix, 5)[0], columns)
    np.testing.assert_array_equal(smallest_in_rows(matrix, 5)[1], values)
