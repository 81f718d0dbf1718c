"""SMVSC: it matches the authors' program, its objective never rises, and its constraints hold."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms import SMVSC
from mvarena.algorithms.anchor._anchor_graph import IncompleteViews, first_graph
from mvarena.algorithms.anchor.smvsc import smvsc
from mvarena.data import MultiViewData, View
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("smvsc")
STANDARD = [(x - x.mean(axis=0)) / x.std(axis=0, ddof=1) for x in (GOLDEN[f"X{v}"] for v in range(3))]


@pytest.mark.parametrize("run", range(3))
def test_the_contestant_matches_the_authors_program(run):
    m, ridge = int(GOLDEN[f"size{run}"]), float(GOLDEN[f"lam{run}"])
    data = MultiViewData("toy", tuple(View(f"v{v}", X) for v, X in enumerate(STANDARD)), n_clusters=3)
    found = SMVSC(n_anchors=m, ridge=ridge, start="program", graph="program").represent(data)
    np.testing.assert_allclose(found.objective, GOLDEN[f"obj{run}"], rtol=1e-11)
    np.testing.assert_allclose(found.details["anchor_graph"], GOLDEN[f"Z{run}"], atol=1e-12)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([0.0, 0.1, 10.0]))
def test_the_objective_never_rises_and_is_what_it_says(seed, m, ridge):
    data = blobs(25, dims=(7, 9, 8), seed=seed, spread=1.0)
    matrices = [view.matrix for view in data.views]
    views = IncompleteViews(matrices, data.mask)
    found = smvsc(
        views, views.leading_directions(m), np.eye(m), first_graph(views, m, "clusters"), Stopping(15), ridge=ridge
    )
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    np.testing.assert_allclose(found.Z.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.A.T @ found.A, np.eye(m), atol=1e-8)
    apart = [np.square(X - found.Z @ (w @ found.A).T).sum() for X, w in zip(matrices, found.W, strict=True)]
    expected = found.weights**2 @ apart + ridge * np.square(found.Z).sum()
    assert found.history.objective[-1] == pytest.approx(expected)


def test_the_two_steps_of_the_graph_differ_and_the_exact_one_ends_lower():
    data = blobs(60, dims=(9, 8), spread=1.0, seed=2)
    ends = [SMVSC(graph=graph, n_anchors=5).represent(data).objective[-1] for graph in ("exact", "program")]
    assert ends[0] < ends[1]
