"""PSIMVC-PG: it matches the authors' program, its objective never rises, and its constraints hold."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms import FIMVCVIA, PSIMVCPG
from mvarena.algorithms.anchor._anchor_graph import IncompleteViews, first_graph
from mvarena.algorithms.anchor.psimvc_pg import psimvc_pg
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("psimvc_pg")


@pytest.mark.parametrize("run", range(3))
def test_the_contestant_matches_the_authors_program(run):
    d, m = (int(size) for size in GOLDEN[f"size{run}"])
    views = tuple(View(f"v{v}", GOLDEN[f"X{v}"]) for v in range(3))
    data = MultiViewData("toy", views, GOLDEN["mask"].astype(bool), n_clusters=3)
    found = PSIMVCPG(dimension=d, n_anchors=m, start="program", weighting="norm", tol=1e-3, max_iter=50).represent(data)
    np.testing.assert_allclose(found.objective, GOLDEN[f"obj{run}"], rtol=1e-11)
    np.testing.assert_allclose(found.details["anchor_graph"], GOLDEN[f"Z{run}"], atol=1e-11)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.floats(0, 0.7), st.integers(1, 5), st.integers(0, 2))
def test_the_objective_never_rises_and_the_constraints_hold(seed, missing, m, more):
    data = blobs(25, dims=(7, 9, 8), missing=missing, seed=seed, spread=1.0)
    views, d = IncompleteViews.of(data), m + more
    W = views.leading_directions(d)
    found = psimvc_pg(views, W, np.eye(d, m), first_graph(views, m, "clusters"), Stopping(15))
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    assert (found.Z >= 0).all()
    np.testing.assert_allclose(found.Z.sum(axis=1), 1.0)
    assert found.weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found.A.T @ found.A, np.eye(m), atol=1e-8)
    for w in found.W:
        np.testing.assert_allclose(w.T @ w, np.eye(d), atol=1e-8)
    apart = [
        np.square((X - found.Z @ (w @ found.A).T) * seen[:, None]).sum()
        for X, w, seen in zip(views.matrices, found.W, data.mask.T, strict=True)
    ]
    assert found.history.objective[-1] == pytest.approx(found.weights**2 @ apart)


def test_with_one_view_it_is_fimvc_via_without_its_ridge():
    data = blobs(40, dims=(8,), seed=4)
    one, other = PSIMVCPG(tol=0.0).represent(data), FIMVCVIA(ridge=0.0, tol=0.0).represent(data)
    np.testing.assert_allclose(one.objective[-1], other.objective[-1], rtol=1e-6)


def test_a_space_smaller_than_the_prototypes_is_refused():
    with pytest.raises(InvalidSetting, match="dimension must be at least n_anchors, 5, not 4"):
        PSIMVCPG(n_anchors=5, dimension=4).represent(blobs())
