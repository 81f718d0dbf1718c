"""Passes over the rows of tall arrays in blocks that stay in the cache: side by side, and summed in a fixed order.

A dozen array operations in a row each wait for memory; over one such block after another only the first does. What a
pass sums does not depend on the number of threads: the blocks, which of them are added up together and the order of
the sums follow from the shape alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from scipy import sparse

from mvarena.system.threads import one_linear_algebra_thread, side_by_side_tasks

Sums: TypeAlias = tuple[Any, ...]
Pass: TypeAlias = Callable[..., Sums]

# up to a million multiplications OpenBLAS has a kernel for small products, which takes half the time
_MULTIPLICATIONS = 500_000
_FEWEST, _MOST = 128, 4096
_BLOCKS_PER_TASK = 8


class RowBlocks:
    """n rows cut into blocks, for products of (n, d) matrices with (d, k) ones.

    Parameters
    ----------
    matrices : with n rows each, dense or CSR, of which the widest dense one decides. k : columns of the products.
    """

    def __init__(self, matrices: Sequence[Any], k: int) -> None:
        n = matrices[0].shape[0]
        width = max((matrix.shape[1] for matrix in matrices if not sparse.issparse(matrix)), default=1)
        step = min(max(_MULTIPLICATIONS // (max(width, 1) * max(k, 1)), _FEWEST), _MOST)
        # of no rows there is one block, too, whose sums are zeros
        self.slices = [slice(start, min(start + step, n)) for start in range(0, max(n, 1), step)]

    def of(self, array: Any) -> list[Any]:
        """The blocks of an array of n rows: views of a dense one; CSR blocks share its entries."""
        if not sparse.issparse(array):
            return [array[rows] for rows in self.slices]
        return [_csr_block(array, rows) for rows in self.slices]

    @contextmanager
    def side_by_side(self) -> Iterator[Pass]:
        """Function that applies its first argument to blocks of rows of the others, and adds up the results.

            with blocks.side_by_side() as summed:
                target, gram = summed(step, blocks.of(X), blocks.of(U))

        `step` returns a tuple of numbers and arrays of its own, or lists, which are joined in the order of the rows;
        what it writes to its blocks are those rows alone.
        """
        starts = range(0, len(self.slices), _BLOCKS_PER_TASK)
        with side_by_side_tasks(len(starts)) as each, one_linear_algebra_thread():

            def summed(step: Callable[..., Sums], *blocked: Sequence[Any]) -> Sums:
                def task(start: int) -> Sums:
                    result = slice(start, start + _BLOCKS_PER_TASK)
                    return _total(map(step, *(blocks[result] for blocks in blocked)))

                return _total(each(task, starts))

            yield summed


def _total(parts: Any) -> Sums:
    """The sums, part by part, of tuples of numbers, arrays and lists; those of the first one are written to."""
    totals: list[Any] = []
    for part in parts:
        if not totals:
            totals = list(part)
            continue
        for i, value in enumerate(part):
            totals[i] += value
    return tuple(totals)


def _csr_block(matrix: Any, rows: slice) -> Any:
    first, last = int(matrix.indptr[rows.start]), int(matrix.indptr[rows.stop])
    block = sparse.csr_array((rows.stop - rows.start, matrix.shape[1]), dtype=matrix.dtype)
    # given to the constructor, views of much larger arrays would be copied
    block.data, block.indices = matrix.data[first:last], matrix.indices[first:last]
    block.indptr = matrix.indptr[rows.start : rows.stop + 1] - matrix.indptr[rows.start]
    return block
