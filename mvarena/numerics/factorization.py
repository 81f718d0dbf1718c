"""What the factorisations X = H W^T share: multiplicative and coordinate updates, scaling, residuals.

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


def coordinate_descent(
    factor: Array, gram: Array, target: Array, *, l1: float = 0.0, sweeps: int = 500, tol: float = 1e-12
) -> Array:
    """argmin over H >= 0 of |X - H W^T|^2 + l1 sum(H), column after column, each exactly.

    Parameters
    ----------
    factor : (n, k) start. gram : (k, k) = W^T W. target : (n, k) = X W. l1 : penalty on the sum of the entries.
    sweeps : at most so many passes over the columns. tol : stop when no entry moves by more than this share of
        the largest one.

    A column of W that is zero leaves its column of H at 0 where l1 > 0, else as it was. Cost O(n k^2) per sweep.
    Source: cyclic form of Hsieh and Dhillon (2011); every pass lowers the objective.
    """
    factor = factor.copy()
    slope = target - l1 / 2
    for _ in range(sweeps):
        moved = 0.0
        for column in range(factor.shape[1]):
            curvature = gram[column, column]
            if curvature > 0:
                gradient = factor @ gram[:, column] - slope[:, column]
                updated = np.maximum(factor[:, column] - gradient / curvature, 0.0)
            else:
                updated = np.zeros(len(factor)) if l1 > 0 else factor[:, column]
            moved = max(moved, float(np.abs(updated - factor[:, column]).max(initial=0.0)))
            factor[:, column] = updated
        if moved <= tol * float(factor.max(initial=0.0)):
            break
    return factor


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
