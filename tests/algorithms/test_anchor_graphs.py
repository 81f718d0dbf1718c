"""imvc-cbg, fpmvs-cag, psimvc-pg, smvsc, fimvc-via: steps of a reference from the equations, starts, special cases."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize

from mvarena.algorithms import FIMVCVIA, FPMVSCAG, IMVCCBG, PSIMVCPG, SMVSC
from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SharedSpace,
    anchor_graph,
    first_graph,
    shared_rows,
)
from mvarena.algorithms.anchor.smvsc import rows_of_complete_views
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
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


@pytest.mark.parametrize(("missing", "ridge"), [(0.0, 0.5), (0.4, 0.0)])
def test_it_follows_a_reference_written_from_the_equations(missing, ridge):
    data = blobs(25, dims=(7, 9, 8), missing=missing, seed=3, spread=1.0)
    views, m, steps = IncompleteViews.of(data), 4, 5
    start, bases = first_graph(views, m, "clusters"), SharedSpace.started(views, m, m, "clusters")
    found = anchor_graph(views, start, bases, Stopping(steps), ridge=ridge)
    W, A, Z, weights, values = reference(
        [np.asarray(X).T for X in views.matrices], data.mask.T, np.eye(m), start.T, steps, ridge
    )
    np.testing.assert_allclose(found.history.objective, values, rtol=1e-6)
    np.testing.assert_allclose(found.weights, weights, atol=1e-5)
    np.testing.assert_allclose(found.Z, Z.T, atol=1e-4)
    for ours, theirs in zip(bases.W, W, strict=True):
        np.testing.assert_allclose(ours @ bases.A, theirs @ A, atol=1e-4)


def test_on_complete_data_without_a_ridge_they_are_one():
    data = blobs(60, dims=(7, 9), spread=1.0, seed=2)
    one, *others = (model.represent(data) for model in (FPMVSCAG(), IMVCCBG(ridge=0.0), PSIMVCPG()))
    for other in others:
        np.testing.assert_array_equal(one.objective, other.objective)
        np.testing.assert_array_equal(one.details["anchor_graph"], other.details["anchor_graph"])


def test_the_exact_step_of_smvsc_is_that_of_the_others_and_ends_lower_than_the_programs():
    data = blobs(60, dims=(9, 8), spread=1.0, seed=2)
    ends = [SMVSC(graph=graph, n_anchors=5).represent(data).objective[-1] for graph in ("exact", "program")]
    assert ends[0] < ends[1]
    views, products = IncompleteViews.of(data), np.random.default_rng(0).random((2, 60, 5))
    one, other = (
        rows(views, products, np.array([0.3, 0.7]), 0.1)
        for rows in (shared_rows, partial(rows_of_complete_views, graph="exact"))
    )
    np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("start", ["clusters", "first"])
def test_the_first_anchors_are_disjoint_sets_of_samples(start):
    views = IncompleteViews.of(blobs(60, dims=(7, 9), missing=0.3, seed=2))
    Z = first_graph(views, 5, start)
    assert set(np.unique(Z)) == {0.0, 1.0}
    assert (Z.sum(axis=1) <= 1).all()
    assert (Z.sum(axis=0) >= 1).all()


def test_views_with_fewer_features_than_anchors_count_as_padded_with_zeros():
    data = blobs(40, dims=(2, 9), missing=0.2, seed=3)
    wide = np.hstack([data.views[0].matrix, np.zeros((40, 5))])
    padded = MultiViewData.from_arrays([wide, data.views[1].matrix], mask=data.mask, n_clusters=3)
    for method in (FIMVCVIA, PSIMVCPG):
        one, other = (method(n_anchors=6).represent(x).objective for x in (data, padded))
        np.testing.assert_allclose(one, other, rtol=1e-9)


def test_a_space_smaller_than_the_prototypes_is_refused():
    with pytest.raises(InvalidSetting, match="dimension must be at least n_anchors, 5, not 4"):
        PSIMVCPG(n_anchors=5, dimension=4).represent(blobs())
