"""UEAF: the objective is what it says, and groups that half of the rows miss."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import UEAF
from mvarena.algorithms.nmf.ueaf import FilledByFactors, Weights, feature_laplacian, laplacian, ueaf
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("ueaf")
MASK = GOLDEN["mask"]


def golden_views(ridge):
    views = []
    for v in range(3):
        X, E = GOLDEN[f"X{v}"], GOLDEN[f"E{v}"]
        L = feature_laplacian(X, 7, X.shape[1])
        views.append(FilledByFactors(X, MASK[:, v], GOLDEN[f"U{v}"], (np.eye(E.shape[1]), E), L, ridge))
    return views


def run(i, stopping, graph_term="program"):
    l1, l2, l3 = GOLDEN[f"l{i}"]
    views = golden_views(l1)
    weights = Weights(l2, l3, graph_term=graph_term)
    return ueaf(views, GOLDEN["S0"], GOLDEN["F0"], weights, stopping), views


def test_the_objective_is_what_it_says_and_counts_the_graph_once():
    found, views = run(0, Stopping(4), graph_term="once")
    l1, l2, l3 = GOLDEN["l0"]
    P, S = found.P, found.S
    pairs = np.square(P[:, None] - P[None]).sum(axis=-1)
    total = l3 * np.linalg.eigvalsh(laplacian(S))[:3].sum()
    for v, (view, weight) in enumerate(zip(views, found.weights, strict=True)):
        E = view.B @ view.R.T
        filled = GOLDEN[f"X{v}"].copy()
        filled[~MASK[:, v]] += E.T
        np.testing.assert_allclose(view.U.T @ view.U, np.eye(3), atol=1e-10)
        error = np.square(filled - P @ view.U.T).sum() + l1 * np.trace(E.T @ GOLDEN[f"L{v}"] @ E)
        total += weight**3 * (error + l2 / 2 * (pairs * S**2).sum())
    size = sum(np.square(GOLDEN[f"X{v}"]).sum() for v in range(3))
    assert found.history.objective[-1] == pytest.approx(total / size)
    assert found.weights.sum() == pytest.approx(1)


def test_many_groups_that_half_of_the_rows_miss_are_found():
    agreements = []
    for seed in range(4):
        data = blobs(200, dims=(10, 12, 9), n_clusters=8, missing=0.5, spread=3, seed=seed)
        agreements.append(adjusted_rand_score(data.labels, UEAF(random_state=0).fit(data).labels_))
    assert min(agreements) > 0.9
