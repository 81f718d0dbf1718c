"""Weights of kernels on the simplex: min gamma^T Q gamma, the one quadratic programme of multiple kernel k-means."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.optimize import nnls

_FLOOR = 1e-12


def inverse_weights(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """gamma_p proportional to 1 / costs_p (V,), the minimiser of sum_p gamma_p^2 costs_p with sum 1, gamma >= 0.

    A cost of zero (a kernel that the clusters explain fully) or below (a kernel that is not positive semidefinite)
    counts as a tiny one, so that its weight is all but 1.
    """
    inverse = 1.0 / _lifted(costs)
    return np.asarray(inverse / inverse.sum())


def regularized_weights(
    costs: NDArray[np.float64], correlations: NDArray[np.float64], strength: float
) -> NDArray[np.float64]:
    """The minimiser (V,) of gamma^T (diag(costs) + strength / 2 * correlations) gamma with sum 1, gamma >= 0.

    Up to scale it is the minimiser of y^T Q y / 2 - 1^T y over y >= 0, a nonnegative least squares problem.
    `correlations` (V, V) is positive semidefinite. Cost O(V^3).
    """
    if strength == 0:
        return inverse_weights(costs)
    quadratic = np.diag(_lifted(costs)) + strength / 2 * correlations
    quadratic /= quadratic.max()
    factor = linalg.cholesky(quadratic)
    solution, _ = nnls(factor, linalg.solve_triangular(factor, np.ones(len(costs)), trans="T"))
    return np.asarray(solution / solution.sum())


def _lifted(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = float(costs.max())
    return np.asarray(np.maximum(costs, _FLOOR * largest if largest > 0 else 1.0))
