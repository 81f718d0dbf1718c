"""Near rows: the nearest ones where all cells are probed, most of them by default, and never a step that costs n^2."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mvarena.numerics import neighbours as module
from mvarena.numerics.neighbours import near_rows, nearest_rows


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 200), st.integers(1, 6))
def test_with_all_cells_probed_they_are_the_nearest(seed, n, m):
    m = min(m, n)
    points = np.random.default_rng(seed).standard_normal((n, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CROWDED", n)
        np.testing.assert_array_equal(near_rows(points, m, probes=n), nearest_rows(points, points, m)[0])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_most_are_found_among_groups_and_each_row_is_its_own_nearest(form):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((2000, 6)) + 10 * rng.standard_normal((8, 6))[np.arange(2000) % 8]
    found, nearest = near_rows(form(points), 4), nearest_rows(points, points, 4)[0]
    np.testing.assert_array_equal(found[:, 0], np.arange(2000))
    assert np.mean([len(set(a) & set(b)) / 4 for a, b in zip(found, nearest, strict=True)]) > 0.85
    assert all(len(set(row)) == 4 for row in found)


def test_where_the_rows_stand_changes_nothing():
    rng = np.random.default_rng(1)
    points = rng.standard_normal((500, 3))
    order = rng.permutation(500)
    np.testing.assert_array_equal(order[near_rows(points[order], 3)], near_rows(points, 3)[order])


def test_a_crowd_of_equal_rows_is_searched_in_parts(monkeypatch):
    compared = []

    def counted(points, others, m):
        compared.append(points.shape[0] * others.shape[0])
        return nearest_rows(points, others, m)

    monkeypatch.setattr(module, "nearest_rows", counted)
    n = 10_000
    points = np.zeros((n, 2))
    points[:200] = np.random.default_rng(0).standard_normal((200, 2))
    found = near_rows(points, 3)
    assert not points[found[200:]].any()
    assert sum(compared) < 20 * n**1.5
