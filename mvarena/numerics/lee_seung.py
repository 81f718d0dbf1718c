"""Plain nonnegative factorisation by multiplicative updates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.factorization import ratio_step, unit_sum_columns
from mvarena.numerics.row_passes import RowBlocks

Array = NDArray[np.float64]


def lee_seung(matrix: Any, coefficients: Array, basis: Array, steps: int) -> tuple[Array, Array]:
    """`steps` multiplicative updates of both factors of min |X - H W^T|^2, H, W >= 0, basis columns summing to 1.

    Parameters
    ----------
    matrix : (n, d) X >= 0, dense or CSR. coefficients : (n, k) H. basis : (d, k) W; both positive.

    Returns (H, W). The objective never rises. Cost O(nnz(X) k + (n + d) k^2) per step, in one pass over the rows.
    Source: Lee and Seung (2001).
    """
    basis, coefficients = unit_sum_columns(basis, coefficients)
    coefficients = np.ascontiguousarray(coefficients)
    blocks = RowBlocks([matrix], basis.shape[1])
    X, H = blocks.of(matrix), blocks.of(coefficients)
    with blocks.side_by_side() as summed:
        for _ in range(steps):
            attracting, gram = summed(_RowStep(basis), X, H)
            basis = ratio_step(basis, attracting, basis @ gram, root=False)
    basis, coefficients = unit_sum_columns(basis, coefficients)
    return coefficients, basis


class _RowStep:
    """A step of the rows' coefficients, in place, and of what the basis follows by: X^T H and H^T H."""

    def __init__(self, basis: Array) -> None:
        self._basis, self._gram = basis, basis.T @ basis

    def __call__(self, X: Any, H: Array) -> tuple[Array, Array]:
        H[:] = ratio_step(H, np.asarray(X @ self._basis), H @ self._gram, root=False)
        return np.asarray(X.T @ H), H.T @ H
