"""IMVC-CBG and FPMVS-CAG: steps of a reference written from the equations, the objective, and the special cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from mvarena.algorithms import FPMVSCAG, IMVCCBG, PSIMVCPG
from mvarena.algorithms.anchor._anchor_graph import IncompleteViews, first_graph
from mvarena.algorithms.anchor.imvc_cbg import imvc_cbg
from mvarena.algorithms.anchor.smvsc import smvsc
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


def objective(X, seen, W, A, Z, weights, ridge):
    """The objective sample by sample and view by view. X : lists of (d_v, n), seen : (V, n), Z : (m, n)."""
    total = ridge * np.square(Z).sum()
    for v, (x, w) in enumerate(zip(X, W, strict=True)):
        for i in np.flatnonzero(seen[v]):
            total += weights[v] ** 2 * np.square(x[:, i] - w @ A @ Z[:, i]).sum()
    return total


def polar(matrix):
    left, _, right = np.linalg.svd(matrix, full_matrices=False)
    return left @ right


def on_the_simplex(gram, linear):
    """The minimiser of z^T gram z - 2 linear^T z over z >= 0 with sum 1, by a generic solver."""
    m = len(linear)
    found = minimize(
        lambda z: z @ gram @ z - 2 * linear @ z,
        np.full(m, 1 / m),
        jac=lambda z: 2 * (gram @ z - linear),
        bounds=[(0, None)] * m,
        constraints={"type": "eq", "fun": lambda z: z.sum() - 1, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return found.x


def reference(X, seen, A, Z, steps, ridge):
    """Turn by turn from the equations, samples in columns and a selection matrix H_v per view."""
    H = [np.diag(row.astype(float)) for row in seen]
    weights, values = np.full(len(X), 1 / len(X)), []
    for _ in range(steps):
        W = [polar(x @ h @ h.T @ Z.T @ A.T) for x, h in zip(X, H, strict=True)]
        A = polar(sum(a**2 * w.T @ x @ h @ h.T @ Z.T for a, w, x, h in zip(weights, W, X, H, strict=True)))
        bases = [w @ A for w in W]
        columns = []
        for i in range(X[0].shape[1]):
            used = [(a**2, b, x[:, i]) for a, b, x, row in zip(weights, bases, X, seen, strict=True) if row[i]]
            gram = sum(a * b.T @ b for a, b, _ in used) + ridge * np.eye(len(A))
            columns.append(on_the_simplex(gram, sum(a * b.T @ x for a, b, x in used)))
        Z = np.column_stack(columns)
        apart = [np.square((x - b @ Z) @ h).sum() for x, b, h in zip(X, bases, H, strict=True)]
        weights = (1 / np.array(apart)) / (1 / np.array(apart)).sum()
        values.append(objective(X, seen, W, A, Z, weights, ridge))
    return W, A, Z, weights, values


@pytest.mark.parametrize(("missing", "ridge"), [(0.0, 0.0), (0.0, 0.5), (0.4, 0.0), (0.4, 0.5)])
def test_it_follows_a_reference_written_from_the_equations(missing, ridge):
    data = blobs(25, dims=(7, 9, 8), missing=missing, seed=3, spread=1.0)
    views, m, steps = IncompleteViews.of(data), 4, 5
    start = first_graph(views, m, "clusters")
    found = imvc_cbg(views, views.leading_directions(m), np.eye(m), start, Stopping(steps, 0.0), ridge=ridge)
    W, A, Z, weights, values = reference(
        [np.asarray(X).T for X in views.matrices], data.mask.T, np.eye(m), start.T, steps, ridge
    )
    np.testing.assert_allclose(found.history.objective, values, rtol=1e-6)
    np.testing.assert_allclose(found.weights, weights, atol=1e-5)
    np.testing.assert_allclose(found.Z, Z.T, atol=1e-4)
    for ours, theirs in zip(found.W, W, strict=True):
        np.testing.assert_allclose(ours @ found.A, theirs @ A, atol=1e-4)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.floats(0, 0.7), st.integers(1, 5), st.sampled_from([0.0, 0.1, 10.0]))
def test_the_objective_never_rises_and_the_constraints_hold(seed, missing, m, ridge):
    data = blobs(25, dims=(7, 9, 8), missing=missing, seed=seed, spread=1.0)
    views = IncompleteViews.of(data)
    start = first_graph(views, m, "clusters")
    found = imvc_cbg(views, views.leading_directions(m), np.eye(m), start, Stopping(15), ridge=ridge)
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    assert (found.Z >= 0).all()
    np.testing.assert_allclose(found.Z.sum(axis=1), 1.0)
    assert (found.weights >= 0).all()
    assert found.weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found.A.T @ found.A, np.eye(m), atol=1e-8)
    for w in found.W:
        np.testing.assert_allclose(w.T @ w, np.eye(m), atol=1e-8)
    X = [np.asarray(matrix).T for matrix in views.matrices]
    expected = objective(X, data.mask.T, found.W, found.A, found.Z.T, found.weights, ridge)
    assert found.history.objective[-1] == pytest.approx(expected)


def test_without_a_ridge_and_with_all_views_both_are_one():
    data = blobs(60, dims=(7, 9), spread=1.0, seed=2)
    one, other = FPMVSCAG().represent(data), IMVCCBG(ridge=0.0).represent(data)
    np.testing.assert_array_equal(one.embedding, other.embedding)
    np.testing.assert_array_equal(one.objective, other.objective)
    assert IMVCCBG(ridge=0.5).represent(data).objective[-1] != one.objective[-1]


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_without_a_ridge_it_reaches_what_psimvc_pg_reaches(missing):
    data = blobs(60, dims=(7, 9), missing=missing, spread=1.0, seed=2)
    one, other = IMVCCBG(ridge=0.0).represent(data), PSIMVCPG().represent(data)
    np.testing.assert_allclose(one.objective, other.objective, rtol=1e-10)
    np.testing.assert_allclose(one.details["anchor_graph"], other.details["anchor_graph"], atol=1e-8)


@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_with_all_views_it_takes_the_exact_steps_of_smvsc(ridge):
    data = blobs(40, dims=(7, 9), spread=1.0, seed=6)
    views, m = IncompleteViews.of(data), 4
    start, directions = first_graph(views, m, "clusters"), views.leading_directions(m)
    one, other = (solver(views, directions, np.eye(m), start, Stopping(8), ridge=ridge) for solver in (imvc_cbg, smvsc))
    np.testing.assert_allclose(one.history.objective, other.history.objective, rtol=1e-10)
    np.testing.assert_allclose(one.Z, other.Z, atol=1e-8)


def test_a_larger_ridge_spreads_the_rows_of_the_graph():
    data = blobs(60, dims=(7, 9), missing=0.3, seed=5)
    lengths = [np.square(IMVCCBG(ridge=ridge).represent(data).details["anchor_graph"]).sum() for ridge in (0.0, 1, 100)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] == pytest.approx(60 / 3, rel=0.05)
