"""Passes over blocks of rows: every row once, the same sums to the bit whatever the number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_limits

from mvarena.numerics import row_blocks
from mvarena.numerics.row_blocks import RowBlocks


@given(st.integers(0, 3000), st.integers(1, 40), st.integers(1, 12))
def test_every_row_is_in_one_block(n: int, d: int, k: int) -> None:
    X = np.arange(n * d, dtype=float).reshape(n, d)
    blocks = RowBlocks([X], k)
    np.testing.assert_array_equal(np.vstack(blocks.of(X)), X)
    as_sparse = blocks.of(sparse.csr_array(X))
    np.testing.assert_array_equal(sparse.vstack(as_sparse).toarray(), X)


def test_what_is_written_to_a_block_stands_in_the_array() -> None:
    X = np.zeros((1000, 3))
    blocks = RowBlocks([X], 2)

    def fill(part: np.ndarray) -> tuple[int]:
        part[:] = 1.0
        return (len(part),)

    with blocks.side_by_side() as summed:
        assert summed(fill, blocks.of(X)) == (1000,)
    assert (X == 1).all()


def test_blocks_of_csr_share_its_entries() -> None:
    X = sparse.random_array((5000, 30), density=0.2, format="csr", rng=np.random.default_rng(0))
    for part in RowBlocks([X], 3).of(X):
        assert np.shares_memory(part.data, X.data)


@pytest.mark.parametrize("as_sparse", [False, True])
def test_sums_are_those_of_the_whole_and_the_same_on_any_number_of_threads(
    as_sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_blocks, "_MOST", 256)
    rng = np.random.default_rng(0)
    X, U = rng.random((10_000, 20)), rng.random((10_000, 4))
    matrix = sparse.csr_array(X * (X > 0.5)) if as_sparse else X
    blocks = RowBlocks([matrix], 4)
    assert len(blocks.slices) > 3 * row_blocks._BLOCKS_PER_TASK
    found = []
    for threads in (1, 2, 3):
        with threadpool_limits(threads, user_api="blas"), blocks.side_by_side() as summed:
            found.append(summed(lambda x, u: (x.T @ u, u.T @ u, float(u.sum())), blocks.of(matrix), blocks.of(U)))
    for one in found[1:]:
        for part, first in zip(one, found[0], strict=True):
            np.testing.assert_array_equal(part, first)
    np.testing.assert_allclose(found[0][0], matrix.T @ U)
    np.testing.assert_allclose(found[0][2], U.sum())
