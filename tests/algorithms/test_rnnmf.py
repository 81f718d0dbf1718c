"""rNNMF: sparse R equals the matrix R of the paper, a step as printed, twins, smoothing, the final graph."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvarena.algorithms.nmf.rnnmf import (
    RNNMF,
    RNNMFState,
    neighbour_terms,
    rnnmf,
    smoothed_sum,
    step,
)
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.neighbours import nearest_other_row
from mvarena.testing.examples import blobs


def full_R(neighbour: np.ndarray) -> np.ndarray:
    """Eq. 2: -1 on the diagonal, 1 at (i, j) where i is the neighbour of j."""
    n = len(neighbour)
    R = -np.eye(n)
    R[neighbour, np.arange(n)] += 1.0
    return R


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_the_four_products_of_eq_10(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    H, d2 = rng.random((n, 3)), rng.random(n) + 0.1
    neighbour = nearest_other_row(H)
    R = full_R(neighbour)
    plus, minus, D = np.maximum(R, 0), np.maximum(-R, 0), np.diag(d2)
    attracting, repelling = neighbour_terms(H, neighbour, d2)
    np.testing.assert_allclose(attracting.T, H.T @ (plus @ D @ minus.T + minus @ D @ plus.T), atol=1e-12)
    np.testing.assert_allclose(repelling.T, H.T @ (plus @ D @ plus.T + minus @ D @ minus.T), atol=1e-12)


def test_one_step_is_eq_12_as_printed() -> None:
    rng = np.random.default_rng(0)
    X, W, H, alpha = rng.random((9, 6)), rng.random((6, 3)), rng.random((9, 3)), 0.4
    D1 = np.diag(1 / np.linalg.norm(X.T - W @ H.T, axis=0))
    W2 = W * (X.T @ D1 @ H) / (W @ H.T @ D1 @ H)
    after = step(X, RNNMFState(W, H, X @ W, squared_norms(X)), nearest_other_row(H), alpha)
    np.testing.assert_allclose(after.W, W2, rtol=1e-9)
    assert after.H.shape == H.shape


def test_twins_are_frozen_as_printed_and_not_once_smoothed() -> None:
    rng = np.random.default_rng(5)
    X = rng.random((30, 4)) @ rng.random((4, 12)) + 0.1 * rng.random((30, 12))
    W, H = rng.random((12, 4)), rng.random((30, 4))
    X[1], H[1] = X[0], H[0]
    printed, smoothed = (rnnmf(X, W, H, Stopping(100), alpha=0.01, smoothing=share) for share in (0.0, 0.01))
    np.testing.assert_allclose(printed.H[0], H[0], rtol=1e-3)
    assert np.abs(smoothed.H[0] / H[0] - 1.0).max() > 0.1


@given(st.floats(0.0, 2.0), st.floats(0.01, 1.0))
def test_the_smoothed_length_is_huber_s_function(length: float, shortest: float) -> None:
    found = smoothed_sum(np.array([length]), shortest)
    assert length <= found + 1e-12
    assert found <= max(length, shortest) + 1e-12
    assert found == length or length < shortest


def test_components_beyond_a_views_shape_are_left_out() -> None:
    data = blobs(20, dims=(3, 30), n_clusters=2, nonnegative=True)
    assert RNNMF(n_components=60).represent(data).details["representation"].shape == (20, 3 + 20)
