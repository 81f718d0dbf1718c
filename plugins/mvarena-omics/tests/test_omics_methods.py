"""SNF and NEMO: references written from the equations, entry by entry, numbers of snfpy, and what must hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import mvarena
import numpy as np
import pytest
from golden_snfpy import views as views_of_snfpy
from mvarena.errors import MvarenaError
from mvarena.testing.comparisons import similarities
from mvarena.testing.examples import blobs
from sklearn.metrics import adjusted_rand_score

from mvarena_omics.mofa import MOFA
from mvarena_omics.nemo import NEMO, relative_similarity
from mvarena_omics.snf import SNF, balanced, fused, network


def distances(X):
    return np.sqrt(np.square(X[:, None] - X).sum(axis=2))


def scale(D, i, j, m):
    """(mean of the m smallest of row i, of row j, without the diagonal, and D_ij) / 3."""
    means = [np.sort(np.delete(D[a], a))[:m].mean() for a in (i, j)]
    return (means[0] + means[1] + D[i, j]) / 3


def near(D, i, m):
    return [j for j in np.argsort(D[i], kind="stable") if j != i][:m]


def snf_reference(views, K, mu, steps, normal):
    n, P, S = len(views[0]), [], []
    for X in views:
        D = distances(X)
        W = np.zeros((n, n))
        for i in range(n):
            for j in range(n):
                width = mu * scale(D, i, j, K)
                W[i, j] = (
                    np.exp(-(D[i, j] ** 2) / (2 * width**2)) / (np.sqrt(2 * np.pi) * width)
                    if normal
                    else np.exp(-(D[i, j] ** 2) / width)
                )
        p, s = np.eye(n) / 2, np.zeros((n, n))
        for i in range(n):
            for j in range(n):
                if i != j:
                    p[i, j] = W[i, j] / (2 * sum(W[i, r] for r in range(n) if r != i))
                if j in near(D, i, K):
                    s[i, j] = W[i, j] / sum(W[i, r] for r in near(D, i, K))
        P.append((p + p.T) / 2)
        S.append(s)
    for _ in range(steps):
        moved = []
        for v in range(len(P)):
            q = S[v] @ np.mean([P[u] for u in range(len(P)) if u != v], axis=0) @ S[v].T
            q = np.array(
                [[0.5 if i == j else q[i, j] / (2 * (q[i].sum() - q[i, i])) for j in range(n)] for i in range(n)]
            )
            moved.append((q + q.T) / 2)
        P = moved
    mean = np.mean(P, axis=0)
    mean = mean / mean.sum(axis=1)[:, None]
    return (mean + mean.T) / 2 + np.eye(n)


@pytest.mark.parametrize("similarity", ["paper", "normal"])
@pytest.mark.parametrize("V", [2, 3])
def test_snf_follows_a_reference_written_from_the_equations(similarity, V):
    rng = np.random.default_rng(V)
    views = [rng.standard_normal((15, 3)) for _ in range(V)]
    networks = [network(distances(X), 4, 0.5, similarity) for X in views]
    found = fused([(p + p.T) / 2 for p, _ in networks], [s for _, s in networks], 3)
    np.testing.assert_allclose(found, snf_reference(views, 4, 0.5, 3, similarity == "normal"), atol=1e-12)
    data = mvarena.data.MultiViewData.from_arrays(views, n_clusters=3)
    model = SNF(n_neighbors=4, n_steps=3, similarity=similarity)
    np.testing.assert_allclose(model.represent(data).affinity, found, atol=1e-12)


@pytest.fixture
def snfpy():
    """Numbers that golden_snfpy.py wrote."""
    return json.loads((Path(__file__).parent / "golden_snfpy.json").read_text("utf-8"))


def test_similarities_are_those_of_snfpy_up_to_a_factor_for_each_row(snfpy):
    for X, theirs in zip(views_of_snfpy(10, 0), snfpy["similarities"], strict=True):
        ours, _ = network(distances(X), 4, 0.5, "normal")
        np.testing.assert_allclose(ours, balanced(np.array(theirs)), rtol=1e-10)


def test_clusters_are_nearly_those_of_snfpy(snfpy):
    """Its networks keep another diagonal than the paper's, so that border samples may differ."""
    data = mvarena.MultiViewData.from_arrays(views_of_snfpy(60, 1), n_clusters=3)
    ours = SNF(n_neighbors=10, similarity="normal", random_state=0).fit_predict(data)
    assert adjusted_rand_score(ours, snfpy["labels"]) > 0.85
    assert adjusted_rand_score(np.arange(60) % 3, snfpy["labels"]) < 0.9, "the groups overlap"


def test_snf_is_symmetric_and_rows_of_a_network_have_sum_one():
    D = distances(np.random.default_rng(0).standard_normal((20, 4)))
    P, S = network(D, 5, 0.5, "paper")
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    np.testing.assert_allclose(S.sum(axis=1), 1.0)
    assert (np.diff(S.indptr) == 5).all()
    affinity = SNF().represent(blobs(40, dims=(5, 6))).affinity
    np.testing.assert_allclose(affinity, affinity.T, atol=1e-15)
    assert (affinity >= 0).all()


def test_snf_has_a_network_of_samples_far_apart_and_of_equal_ones():
    far = distances(1e6 * np.random.default_rng(0).standard_normal((12, 3)))
    P, S = network(far, 3, 0.5, "paper")
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    np.testing.assert_allclose(S.sum(axis=1), 1.0)
    equal, _ = network(np.zeros((6, 6)), 2, 0.5, "paper")
    np.testing.assert_allclose(equal, balanced(np.ones((6, 6))))


def test_snf_needs_two_complete_views():
    with pytest.raises(MvarenaError, match="2 views"):
        SNF().represent(blobs(30, dims=(5,)))
    with pytest.raises(MvarenaError, match="complete data"):
        SNF().represent(blobs(30, missing=0.3))


def test_relative_similarities_follow_a_reference_written_from_the_equations():
    D2 = distances(np.random.default_rng(1).standard_normal((14, 3))) ** 2
    n, m, R = len(D2), 4, np.zeros((14, 14))
    S = np.array([[np.exp(-D2[i, j] / (2 * scale(D2, i, j, m))) / np.sqrt(2 * np.pi * scale(D2, i, j, m))
                   for j in range(n)] for i in range(n)])  # fmt: skip
    for i in range(n):
        for j in range(n):
            R[i, j] += S[i, j] / sum(S[i, r] for r in near(D2, i, m)) * (j in near(D2, i, m))
            R[i, j] += S[i, j] / sum(S[r, j] for r in near(D2, j, m)) * (i in near(D2, j, m))
    np.testing.assert_allclose(relative_similarity(D2, m), R, atol=1e-12)
    np.testing.assert_allclose(relative_similarity(1e4 * D2, m), R, atol=1e-12)


def test_nemo_of_one_view_is_its_relative_similarity():
    data = blobs(30, dims=(5,))
    expected = relative_similarity(distances(np.asarray(data.views[0].matrix)) ** 2, 30 // 3)
    np.testing.assert_allclose(
        NEMO()
        .represent(
            data,
        )
        .affinity,
        expected,
        atol=1e-10,
    )


def test_nemo_averages_over_the_views_that_observe_both_samples():
    data = blobs(40, dims=(5, 6), missing=0.4, seed=2)
    mask, expected = data.mask, np.zeros((40, 40))
    for view, seen in zip(data.views, mask.T, strict=True):
        rows = np.flatnonzero(seen)
        X = np.asarray(view.matrix)[rows]
        expected[np.ix_(rows, rows)] += relative_similarity(distances(X) ** 2, len(rows) // 3)
    shared = mask.astype(int) @ mask.T.astype(int)
    assert (shared == 0).any()
    assert (shared == 2).any()
    found = NEMO().represent(data).affinity
    np.testing.assert_allclose(found, expected / np.maximum(shared, 1), atol=1e-10)
    assert not found[shared == 0].any()


@pytest.mark.parametrize("model", [SNF(random_state=0), SNF(similarity="normal", random_state=0), NEMO(random_state=0)])
def test_clear_clusters_are_found(model):
    data = blobs(120, dims=(12, 15), seed=1)
    assert adjusted_rand_score(data.labels, model.fit(data).labels_) > 0.9


def test_mofa_finds_the_groups_though_samples_are_missing():
    pytest.importorskip("mofapy2", reason="mofapy2 is not installed: pip install 'mvarena-omics[mofa]'")
    data = mvarena.corrupt(blobs(60), "missing-even", 0.3, seed=0)
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    model = MOFA(n_clusters=3, random_state=0).fit(data)
    assert adjusted_rand_score(data.labels, model.labels_) > 0.9
    assert (np.diff(model.objective_) < 1e-6 * abs(model.objective_[-1])).all(), "the bound rises"
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002


@pytest.mark.parametrize(
    ("model", "same"),
    [(NEMO(n_clusters=3), True), (SNF(n_clusters=3, similarity="normal"), True), (SNF(n_clusters=3), False)],
)
@pytest.mark.parametrize("views", [(0,), (0, 1)])
def test_a_view_in_another_unit_changes_what_the_spec_says(model, same, views):
    data = blobs(40, dims=(5, 8), spread=1.5)
    larger = [replace(view, matrix=1e3 * view.matrix) if v in views else view for v, view in enumerate(data.views)]
    before, after = (similarities(model.represent(some)) for some in (data, data.with_views(larger)))
    assert np.allclose(after, before, rtol=0, atol=1e-6 * np.abs(before).max()) == same
