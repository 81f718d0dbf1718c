"""DAIMC: its k x k solutions solve the d x d equations, also where these are singular."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from mvarena.algorithms.nmf.daimc import update_B, update_U


@pytest.mark.parametrize("alpha", [1e-4, 1.0, 100.0])
@pytest.mark.parametrize("d", [7, 2])
def test_U_solves_the_sylvester_equation(alpha: float, d: int) -> None:
    rng = np.random.default_rng(0)
    B, P, root = rng.standard_normal((d, 3)), rng.standard_normal((d, 3)), rng.standard_normal((9, 3))
    expected = solve_sylvester(alpha * B @ B.T, root.T @ root, P + alpha * B)
    np.testing.assert_allclose(update_U(P, root.T @ root, B, alpha), expected, rtol=1e-9, atol=1e-11)


def test_U_stays_small_where_neither_V_nor_B_tells_two_columns_apart() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        V, X, B = rng.random((12, 4)), rng.standard_normal((12, 30)), 1e-3 * rng.standard_normal((30, 4))
        V[:, 2], B[:, 2] = V[:, 1], B[:, 1]
        V /= V.sum(axis=0)
        U = update_U(X.T @ V, V.T @ V, B, 1e-4)
        assert np.abs(U).max() < 100
        np.testing.assert_allclose(1e-4 * B @ (B.T @ U) + U @ (V.T @ V), X.T @ V + 1e-4 * B, atol=1e-13)


def test_B_solves_its_normal_equations() -> None:
    rng = np.random.default_rng(1)
    U, lengths, beta = rng.standard_normal((8, 3)), rng.random(8) + 0.1, 3.0
    expected = np.linalg.solve(U @ U.T + np.diag(beta / (2 * lengths)), U)
    np.testing.assert_allclose(update_B(U, lengths, beta), expected, rtol=1e-9)
