"""ECMSC: each block reaches its minimum, the objective is the one defined, precision."""

from __future__ import annotations

from itertools import combinations

import drawn_subspaces
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from mvarena.algorithms.subspace.ecmsc import (
    ECMSC,
    ECMSCWeights,
    ViewCoefficients,
    ecmsc,
    indicator,
    separations,
    unit_scale,
)
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping


def subspaces(n: int = 36, n_views: int = 2, seed: int = 0) -> MultiViewData:
    return drawn_subspaces.subspaces(n, n_views, seed, noise=0.02, n_features=8)


def columns_of(data: MultiViewData) -> list[np.ndarray]:
    return [unit_scale(view.matrix) for view in data.views]


def least_value(X: np.ndarray, W: np.ndarray) -> float:
    """min norm1(X - X Z) + sum W |Z|, diag(Z) = 0, column by column as a linear programme."""
    d, n = X.shape
    total = 0.0
    for j in range(n):
        others = np.flatnonzero(np.arange(n) != j)
        # X_j = X (p - q) + e - f with all of them nonnegative
        blocks = [X[:, others], -X[:, others], np.eye(d), -np.eye(d)]
        cost = np.concatenate([W[others, j], W[others, j], np.ones(2 * d)])
        total += linprog(cost, A_eq=np.hstack(blocks), b_eq=X[:, j]).fun
    return total


@settings(max_examples=5)
@given(st.integers(0, 99), st.sampled_from([4, 12]))
def test_a_views_coefficients_reach_the_minimum_of_a_linear_programme(seed, n_features):
    rng = np.random.default_rng(seed)
    X = unit_scale(rng.standard_normal((9, n_features)))
    W = 0.05 + 0.2 * rng.random((9, 9))
    view = ViewCoefficients(X, 10.0)
    view.improve(W, 8000)
    reached = view.fit() + np.vdot(W, np.abs(view.Z))
    assert reached == pytest.approx(least_value(X, W), rel=1e-3)
    np.testing.assert_array_equal(np.diag(view.Z), 0.0)


def test_columns_step_alike_however_many_step_together(monkeypatch):
    X = columns_of(subspaces(n=30))[0]
    W = 0.02 + 0.1 * np.random.default_rng(0).random((30, 30))
    found = []
    for columns in (7, 30):
        monkeypatch.setattr("mvarena.algorithms.subspace.ecmsc._COLUMNS", columns)
        view = ViewCoefficients(X, 10.0)
        for weights in (W, 2.0 * W):
            view.improve(weights, 20)
        assert view.fit() == pytest.approx(np.abs(X - X @ view.Z).sum(), rel=1e-12)
        found.append(view.Z)
    assert found[0].any()
    np.testing.assert_allclose(*found, atol=1e-12)


def test_the_indicator_is_orthonormal_and_the_best():
    rng = np.random.default_rng(0)
    Z = [rng.standard_normal((12, 12)) for _ in range(2)]
    F = indicator(Z, 3)
    np.testing.assert_allclose(F.T @ F, np.eye(3), atol=1e-10)

    def cost(F):  # tr(F^T L F) over both views, from pairs of samples
        return sum(
            0.5 * np.abs(view[i, j]) * np.sum((F[i] - F[j]) ** 2) for view in Z for i in range(12) for j in range(12)
        )

    best = cost(F)
    for _ in range(20):
        assert cost(np.linalg.qr(F + 0.1 * rng.standard_normal(F.shape))[0]) >= best - 1e-10
    # the weights of the entries are the same trace, times n / k
    pairs = sum(np.vdot(separations(F), np.abs(view)) for view in Z)
    assert pairs == pytest.approx(best * 12 / 3)


weights_of = st.builds(
    ECMSCWeights, sparse=st.floats(0.02, 0.5), exclusive=st.floats(0, 2.0), consistent=st.floats(0, 0.2)
)


@settings(max_examples=6)
@given(weights_of, st.integers(0, 9), st.integers(1, 3))
def test_the_objective_never_rises_and_is_the_one_defined(weights, seed, n_views):
    Xs = columns_of(subspaces(n=15, n_views=n_views, seed=seed))
    found = ecmsc(Xs, 3, weights, Stopping(8), inner_steps=5)
    assert (np.diff(found.history.objective) <= 1e-10 * found.history.objective[0]).all()
    Theta = separations(found.F)
    value = sum(
        np.abs(X - X @ Z).sum() + weights.sparse * np.abs(Z).sum() + weights.consistent * np.vdot(Theta, np.abs(Z))
        for X, Z in zip(Xs, found.Z, strict=True)
    )
    value += weights.exclusive * sum(np.abs(Z * other).sum() for Z, other in combinations(found.Z, 2))
    assert found.history.objective[-1] == pytest.approx(value, rel=1e-10)
    for Z in found.Z:
        np.testing.assert_array_equal(np.diag(Z), 0.0)


def test_single_precision_ends_where_double_precision_does():
    data = subspaces(n=402)
    found = {}
    for tol in (1e-3, 9e-5):  # a finer tolerance asks for double precision
        model = ECMSC(tol=tol, max_iter=6)
        found[tol] = model.represent(data)
    single, double = found[1e-3], found[9e-5]
    assert single.n_iter == double.n_iter
    assert (single.objective != double.objective).all()
    np.testing.assert_allclose(single.objective, double.objective, rtol=1e-5)
    assert (np.diff(single.objective) <= 1e-6 * single.objective[0]).all()


def test_consistency_keeps_coefficients_within_clusters():
    data = subspaces(seed=2)
    apart = data.labels[:, None] != data.labels
    crossing = []
    for consistent in (0.0, 0.1):
        weights = ECMSCWeights(sparse=0.02, exclusive=0.0, consistent=consistent)
        coefficients = ecmsc(columns_of(data), 3, weights, Stopping(15, 1e-4)).coefficients
        crossing.append(coefficients[apart].sum() / coefficients.sum())
    assert crossing[1] < crossing[0]
