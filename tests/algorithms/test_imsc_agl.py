"""IMSC-AGL: its start, its consensus, the step of F, and single precision."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers

from mvarena.algorithms import IMSCAGL
from mvarena.algorithms.subspace.imsc_agl import (
    ViewGraph,
    first_view,
    imsc_agl,
    spread_laplacian,
)
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("imsc_agl")


def golden_views():
    parts = [[GOLDEN[f"{name}{v}"] for name in ("X", "rows", "graph", "F")] for v in range(3)]
    return [ViewGraph(X, rows, graph.astype(float), F) for X, rows, graph, F in parts]


def test_the_start_matches_where_the_graph_is_in_one_piece():
    for view in golden_views():
        made = first_view(view.X, view.rows, len(view.F), 3, 5)
        np.testing.assert_array_equal(made.Z, view.Z)
        zeros = int((np.linalg.eigvalsh(spread_laplacian(view.Z, np.arange(len(view.Z)), len(view.Z))) < 1e-6).sum())
        if zeros == 1:  # or its eigenvectors are not unique
            np.testing.assert_allclose(projector(made.F), projector(view.F), atol=1e-12)


def test_a_graph_in_pieces_starts_at_its_pieces():
    points = np.vstack([np.random.default_rng(0).standard_normal((8, 4)) + shift for shift in (0, 50, 100)])
    made = first_view(points, np.arange(2, 26), 30, 2, 3)
    within = np.ptp(made.F[2:26].reshape(3, 8, 2), axis=1)
    assert within.max() < 1e-8
    assert np.abs(made.F[[0, 1, 26, 29]]).max() < 1e-12
    np.testing.assert_allclose(made.F.sum(axis=0), 0, atol=1e-10)


def test_the_consensus_of_the_paper_is_near_the_program_and_not_the_same():
    found = imsc_agl(golden_views(), Stopping(100, 1e-7), smoothness=0.1, sparsity=1000.0, agreement=100.0)
    gap = np.abs(projector(found.U) - projector(GOLDEN["U"])).max()
    assert 1e-6 < gap < 1e-2
    np.testing.assert_allclose(found.U.T @ found.U, np.eye(3), atol=1e-10)
    # nothing agrees more with all F_v together than their top eigenvectors
    total = sum(projector(view.F) for view in found.views)
    assert np.trace(found.U.T @ total @ found.U) == pytest.approx(np.linalg.eigvalsh(total)[-3:].sum())


@pytest.mark.parametrize("agreement", [0.0, 0.05, 100.0])
def test_the_step_of_F_takes_the_top_eigenvectors(agreement):
    view, k = golden_views()[0], 3
    n = len(view.F)
    U = np.linalg.qr(np.random.default_rng(0).standard_normal((n, k)))[0]
    view.update_embedding(U, 0.1, agreement)
    matrix = agreement * (U @ U.T) - 0.1 * spread_laplacian(view.W, view.rows, n)
    np.testing.assert_allclose(view.F.T @ view.F, np.eye(k), atol=1e-10)
    assert np.trace(view.F.T @ matrix @ view.F) == pytest.approx(np.linalg.eigvalsh(matrix)[-k:].sum(), abs=1e-12)


def test_single_precision_changes_the_result_by_less_than_shows(monkeypatch):
    data = blobs(90, dims=(12, 15), missing=0.2, spread=1.5, seed=2)
    double = IMSCAGL(random_state=0, max_iter=40).fit(data)
    monkeypatch.setattr(sys.modules[IMSCAGL.__module__], "_DOUBLE_UP_TO", 50)
    single = IMSCAGL(random_state=0, max_iter=40).fit(data)
    gap = np.abs(projector(single.embedding_) - projector(double.embedding_)).max()
    assert 0 < gap < 1e-6
    np.testing.assert_array_equal(single.labels_, double.labels_)
