"""Sparse positive definite systems with several right-hand sides, by products alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_TOL = 1e-12


def solve_positive(matrix: Any, right: Array, *, start: Array | None = None) -> Array:
    """X (n, k) with A X = B, for a symmetric positive definite A (n, n), sparse or dense, and B (n, k).

    start : (n, k) near the solution, if known.

    Conjugate gradients, each column by itself until its residual is 1e-12 of its right-hand side, preconditioned by the
    diagonal: cost O(nnz k) per step and as many steps as the square root of the condition number asks for, n at most;
    memory 5 n k, where a factor of A could fill n x n.
    Raises LinAlgError where A is not positive definite. Source: Hestenes and Stiefel (1952).
    """
    scale = np.asarray(matrix.diagonal(), dtype=np.float64)
    if scale.min() <= 0:
        raise np.linalg.LinAlgError("the diagonal of a positive definite matrix is positive, and this one's is not.")
    X = np.zeros_like(right) if start is None else start.copy()
    rest = right - matrix @ X
    goal = _TOL * np.linalg.norm(right, axis=0)
    moved = rest / scale[:, None]
    direction = moved.copy()
    size = _dots(rest, moved)
    for _ in range(10 * len(right) + 50):
        open_columns = np.linalg.norm(rest, axis=0) > goal
        if not open_columns.any():
            break
        product = np.asarray(matrix @ direction)
        curvature = _dots(direction, product)
        if (curvature[open_columns] <= 0).any():
            raise np.linalg.LinAlgError("the matrix is not positive definite.")
        step = np.divide(size, curvature, out=np.zeros_like(size), where=open_columns)
        X += step * direction
        rest -= step * product
        moved = rest / scale[:, None]
        after = _dots(rest, moved)
        direction = moved + np.divide(after, size, out=np.zeros_like(size), where=open_columns) * direction
        size = after
    return X


def _dots(left: Array, right: Array) -> Array:
    """The inner products of the columns."""
    return np.asarray(np.einsum("ij,ij->j", left, right))
