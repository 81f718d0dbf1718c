"""MIC: filled views, the objective of Eq. 4, the update of U, and what the scale does."""

from __future__ import annotations

import numpy as np

from mvarena.algorithms.nmf.filled_view import FilledView
from mvarena.algorithms.nmf.mic import MIC, mic, row_lengths, unit_directions, update_U
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

INCOMPLETE = blobs(40, dims=(8, 5), missing=0.2, nonnegative=True)


def complete(X: np.ndarray) -> FilledView:
    return FilledView.from_mask(X, np.ones(len(X), dtype=bool))


def view_objective(
    X: np.ndarray, U: np.ndarray, V: np.ndarray, star: np.ndarray, w: np.ndarray, alpha: float, beta: float, axis: int
) -> float:
    """Eq. 8 as it is written; w holds squared weights. axis : 1 for the lengths of rows, 0 for those of columns."""
    data = np.square(X - U @ V.T).sum(axis=1) + alpha * np.square(U - star).sum(axis=1)
    return float(w @ data) + beta * float(np.linalg.norm(U, axis=axis).sum())


def test_a_filled_view_is_the_filled_matrix() -> None:
    rng = np.random.default_rng(0)
    observed = rng.random(20) < 0.7
    X = np.where(observed[:, None], rng.random((20, 6)), 0.0)
    filled = np.where(observed[:, None], X, X[observed].mean(axis=0))
    view, thin, tall = FilledView.from_mask(X, observed), rng.random((6, 2)), rng.random((20, 2))
    weights = np.where(observed, 1.0, 0.49)
    np.testing.assert_allclose(view.times(thin), filled @ thin)
    np.testing.assert_allclose(view.transposed_times(tall), filled.T @ tall)
    np.testing.assert_allclose(view.total, filled.sum())
    np.testing.assert_allclose(view.weighted_norm(weights), (weights[:, None] * filled**2).sum())
    written = view.written()
    np.testing.assert_array_equal(written.matrix, filled)
    np.testing.assert_allclose(written.times(thin), filled @ thin)


def test_lengths_and_directions_of_rows_hold_where_squares_vanish_or_overflow() -> None:
    U = np.array([[3.0, 4.0], [3e-200, 4e-200], [3e160, 4e160], [0.0, 0.0], [3e-310, 4e-310]])
    np.testing.assert_allclose(row_lengths(U), [5.0, 5e-200, 5e160, 0.0, 5e-310])
    strengths = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    np.testing.assert_allclose(
        unit_directions(U, strengths), [[0.6, 0.8], [1.2, 1.6], [1.8, 2.4], [0.0, 0.0], [3.0, 4.0]], rtol=1e-6
    )


def test_the_objective_is_that_of_eq_4_and_the_consensus_its_minimum() -> None:
    rng = np.random.default_rng(3)
    X, w = [rng.random((30, d)) for d in (7, 4)], [rng.random(30) + 0.2 for _ in range(2)]
    starts = [rng.random((30, 3)) for _ in X], [rng.random((x.shape[1], 3)) for x in X]
    found = mic([complete(x) for x in X], w, *starts, Stopping(4), alpha=0.3, beta=0.7, steps=3)

    def objective(star: np.ndarray) -> float:
        parts = zip(X, found.U, found.V, w, strict=True)
        return sum(view_objective(x, u, v, star, s**2, 0.3, 0.7, 1) for x, u, v, s in parts)

    np.testing.assert_allclose(found.history.objective[-1], objective(found.consensus))
    assert objective(found.consensus + 1e-3 * rng.standard_normal((30, 3))) > objective(found.consensus)


def test_the_update_of_U_follows_the_gradient_of_the_objective() -> None:
    rng = np.random.default_rng(2)
    X, U, V, star = rng.random((9, 6)), rng.random((9, 3)), rng.random((6, 3)), rng.random((9, 3))
    w, alpha, beta = rng.random(9) + 0.2, 0.3, 0.7

    def objective(point: np.ndarray) -> float:
        return view_objective(X, point, V, star, w, alpha, beta, 1)

    moved = update_U(complete(X), U, V, V.T @ V + alpha * np.eye(3), star, w, alpha, beta)
    for i, j in np.ndindex(U.shape):
        shift = np.zeros_like(U)
        shift[i, j] = 1e-6
        slope = (objective(U + shift) - objective(U - shift)) / 2e-6
        assert np.sign(moved[i, j] - U[i, j]) == -np.sign(slope)
    assert objective(moved) < objective(U)


def test_at_the_paper_scale_beta_swamps_the_data_and_at_ours_it_does_not() -> None:
    def shrinkage(scale: str) -> float:
        sizes = [np.linalg.norm(MIC(scale=scale, beta=b).represent(INCOMPLETE).embedding) for b in (0.0, 0.1)]  # type: ignore[arg-type]
        return float(sizes[1] / sizes[0])

    assert shrinkage("total") < 0.5
    assert shrinkage("mean-entry") > 0.8
