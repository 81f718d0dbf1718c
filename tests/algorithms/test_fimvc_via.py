"""FIMVC-VIA: it matches the authors' program, its objective never rises, and its constraints hold."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms import FIMVCVIA
from mvarena.algorithms.anchor._anchor_graph import IncompleteViews, first_graph, shared_rows
from mvarena.algorithms.anchor.fimvc_via import fimvc_via
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("fimvc_via")
VIEWS = IncompleteViews([GOLDEN[f"X{v}"] for v in range(3)], GOLDEN["mask"])


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.floats(0, 0.7), st.integers(1, 6), st.sampled_from([0.0, 0.01, 10.0]))
def test_the_objective_never_rises_and_the_constraints_hold(seed, missing, m, ridge):
    data = blobs(25, dims=(6, 9, 7), missing=missing, seed=seed, spread=1.0)
    views = IncompleteViews.of(data)
    A = [np.linalg.qr(np.random.default_rng(seed).standard_normal((d, m)))[0] for d in (6, 9, 7)]
    found = fimvc_via(views, A, Stopping(15), ridge=ridge)
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    assert (found.Z >= 0).all()
    np.testing.assert_allclose(found.Z.sum(axis=1), 1.0)
    assert found.weights.sum() == pytest.approx(1.0)
    for A_v in found.A:
        np.testing.assert_allclose(A_v.T @ A_v, np.eye(m), atol=1e-8)
    # the objective is what it says: recomputed from the arrays
    again = sum(
        weight**2 * np.square((X - Z @ A.T) * seen[:, None]).sum()
        for X, Z, A, seen, weight in zip(
            views.matrices, [found.Z] * 3, found.A, data.mask.T, found.weights, strict=True
        )
    )
    assert found.history.objective[-1] == pytest.approx(again + ridge * np.square(found.Z).sum())


def test_a_row_of_Z_is_the_nearest_combination_of_anchors():
    rng = np.random.default_rng(0)
    A = [np.linalg.qr(rng.standard_normal((x.shape[1], 4)))[0] for x in VIEWS.matrices]
    weights = np.array([0.5, 0.2, 0.3])
    Z = shared_rows(VIEWS, VIEWS.times(A), weights, 0.1)

    def cost(i, z):
        apart = [np.square(X[i] - a @ z).sum() for X, a in zip(VIEWS.matrices, A, strict=True)]
        return float((weights**2 * VIEWS.mask[i]) @ apart + 0.1 * z @ z)

    for i in range(0, 60, 7):
        others = rng.dirichlet(np.ones(4), 200)
        assert cost(i, Z[i]) <= min(cost(i, z) for z in [*others, *np.eye(4)]) + 1e-12


@pytest.mark.parametrize("start", ["clusters", "first"])
def test_the_first_anchors_are_disjoint_sets_of_samples(start):
    Z = first_graph(VIEWS, 5, start)
    assert set(np.unique(Z)) == {0.0, 1.0}
    assert (Z.sum(axis=1) <= 1).all()
    assert (Z.sum(axis=0) >= 1).all()


def test_views_with_fewer_features_than_anchors_count_as_padded_with_zeros():
    data = blobs(40, dims=(2, 9), missing=0.2, seed=3)
    wide = np.hstack([data.views[0].matrix, np.zeros((40, 5))])
    padded = MultiViewData.from_arrays([wide, data.views[1].matrix], mask=data.mask, n_clusters=3)
    one, other = (FIMVCVIA(n_anchors=6).represent(x).objective for x in (data, padded))
    np.testing.assert_allclose(one, other, rtol=1e-9)


def test_one_number_per_view_scales_nothing():
    data = blobs(50, dims=(8, 9), missing=0.2, seed=2)
    scaled = data.with_views(
        [type(v)(v.name, v.matrix * f, v.kind) for v, f in zip(data.views, (7, 0.01), strict=True)]
    )
    np.testing.assert_allclose(*(FIMVCVIA().represent(x).objective for x in (data, scaled)), rtol=1e-8)
