"""What the factorisations X = H W^T share: multiplicative updates, scaling, residuals.

X is (n, d), dense or CSR, and is only ever multiplied by thin matrices: nothing here makes an n x d array of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# what the reference implementations of multiplicative updates put under a fraction
FLOOR = 1e-10


def positive_part(matrix: Array) -> Array:
    """max(A, 0), so that A = A+ - A-."""
    return np.maximum(matrix, 0.0)


def negative_part(matrix: Array) -> Array:
    """max(-A, 0), so that A = A+ - A-."""
    return np.maximum(-matrix, 0.0)


def ratio_step(factor: Array, attracting: Array, repelling: Array, *, root: bool, floor: float = FLOOR) -> Array:
    """A multiplicative update: factor * attracting / repelling, or the square root of the ratio.

    Parameters
    ----------
    factor, attracting, repelling : same shape, nonnegative: minus and plus the halves of the gradient.
    root : take the square root, which a convex bound of every term allows even where attracting holds the factor.
    floor : the least denominator: what both numbers leave at zero stays zero instead of becoming NaN.

    Source: Lee and Seung (2001); with the root, Ding, Li and Jordan (2010).
    """
    ratio = attracting / np.maximum(repelling, floor)
    return factor * (np.sqrt(ratio) if root else ratio)


def unit_sum_columns(basis: Array, coefficients: Array, *, floor: float = 1e-30) -> tuple[Array, Array]:
    """The same product with the columns of the (nonnegative) basis summing to 1: (basis / q, coefficients * q)."""
    sums = np.maximum(basis.sum(axis=0), floor)
    return basis / sums, coefficients * sums


def squared_norm(matrix: Any) -> float:
    """|X|_F^2 of a dense or CSR matrix."""
    return float(np.square(matrix.data if hasattr(matrix, "indptr") else matrix).sum())


def squared_residual(norm: float, product: Array, coefficients: Array, basis: Array) -> float:
    """|X - H W^T|_F^2 from `norm` = |X|_F^2 and `product` = X W (n, k); never below 0.

    Accurate to about 1e-15 |X|_F^2, which is what monotone steps are compared with. Cost O((n + d) k^2).
    """
    cross = float(np.vdot(product, coefficients))
    fitted = float(np.vdot(coefficients.T @ coefficients, basis.T @ basis))
    return max(norm - 2.0 * cross + fitted, 0.0)
