"""FastMICE: stage by stage as the authors' program; neighbours by definition, the distance of each view."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import FastMICE
from mvarena.algorithms.anchor import fastmice
from mvarena.algorithms.anchor.fastmice import (
    GroupedAnchors,
    cross_affinity,
    distances_by_view,
    holds_texts,
    transfer_cut,
)
from mvarena.data import MultiViewData
from mvarena.numerics.neighbours import nearest_rows
from mvarena.testing.examples import word_counts

GOLDEN = golden_numbers("fastmice")
# the program adds 1e-10 to lengths before it divides by them
ADDED = 1e-8


def affinities_of(run: int) -> sparse.csr_array:
    """The cross-affinities of the views that the run drew, from the program's features, anchors and groups."""
    views = GOLDEN[f"views{run}"]
    parts = []
    for v in views:
        features, anchors, groups, centres = (
            GOLDEN[f"{name}{run}_{v}"] for name in ("features", "anchors", "groups", "centres")
        )
        grouped = GroupedAnchors(anchors, groups, centres)
        parts.append(cross_affinity(GOLDEN[f"X{v}"][:, features], grouped, -(-3 // len(views))))
    return sparse.csr_array(sparse.hstack(parts))


@pytest.mark.parametrize("run", range(8))
def test_affinities_and_embeddings_are_those_of_the_authors_program(run):
    np.testing.assert_allclose(affinities_of(run).toarray(), GOLDEN[f"B{run}"], atol=ADDED)
    E, values = transfer_cut(sparse.csr_array(GOLDEN[f"B{run}"]), int(GOLDEN[f"K{run}"]))
    np.testing.assert_allclose(values, GOLDEN[f"ev{run}"][: len(values)], atol=1e-13)
    np.testing.assert_allclose(projector(E), projector(GOLDEN[f"E{run}"]), atol=ADDED)


@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 6), st.booleans())
def test_neighbours_are_anchors_at_their_distances_and_with_one_group_the_nearest(seed, p, m, one_group):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((25, 4))
    anchors = rng.standard_normal((p, 4))
    grouped = (
        GroupedAnchors(anchors, np.zeros(p, dtype=int), anchors.mean(axis=0, keepdims=True))
        if one_group
        else GroupedAnchors.of(anchors, rng)
    )
    indices, squared = grouped.nearest(X, m)
    assert indices.shape == (25, min(m, p))
    np.testing.assert_allclose(squared, ((X[:, None] - anchors[indices]) ** 2).sum(axis=2), atol=1e-12)
    assert (np.diff(squared, axis=1) >= 0).all()
    assert all(len(set(row)) == len(row) for row in indices)
    if p <= 10 * m + 1:  # all are candidates
        np.testing.assert_allclose(squared, nearest_rows(X, anchors, m)[1], atol=1e-12)
    elif one_group:
        np.testing.assert_allclose(squared[:, 0], nearest_rows(X, anchors, 1)[1][:, 0], atol=1e-12)


def test_texts_are_clustered_by_their_words_although_some_share_none_of_those_drawn():
    data = word_counts(200, 60)
    model = FastMICE(random_state=0, distance="cosine", n_anchors=100)
    assert adjusted_rand_score(data.labels, model.fit(data).labels_) > 0.9


def test_single_precision_stays_so():
    X = np.random.default_rng(0).standard_normal((40, 3)).astype(np.float32)
    grouped = GroupedAnchors.of(X[:9], np.random.default_rng(1))
    assert grouped.anchors.dtype == grouped.centres.dtype == np.float32
    np.testing.assert_allclose(grouped.nearest(X, 2)[1], nearest_rows(X, X[:9], 2)[1], atol=1e-5)


def test_a_sample_far_from_all_anchors_is_similar_to_the_nearest():
    points = np.concatenate([np.zeros((400, 2)), [[40.0, 0.0]]])
    anchors = np.array([[0.0, 0.0], [0.01, 0.0], [1.0, 0.0]])
    grouped = GroupedAnchors(anchors, np.zeros(3, dtype=np.int64), anchors.mean(axis=0, keepdims=True))
    B = cross_affinity(points, grouped, 2).toarray()
    np.testing.assert_allclose(np.linalg.norm(B, axis=1), 1.0)
    assert B[-1].argmax() == 2


def test_neighbours_of_sparse_rows_are_the_same_in_parts_and_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    points = sparse.csr_array(sparse.random(150, 40, density=0.1, random_state=1))
    grouped = GroupedAnchors.of(points[:90].toarray(), rng)
    at_once = grouped.nearest(points, 3)
    monkeypatch.setattr(fastmice, "_TABLE_ENTRIES", 0)
    in_parts = grouped.nearest(points, 3)
    np.testing.assert_array_equal(at_once[0], in_parts[0])
    np.testing.assert_array_equal(at_once[1], in_parts[1])


# which distance a view gets


def texts(n: int = 40, d: int = 300) -> np.ndarray:
    return np.random.default_rng(0).poisson(0.08, (n, d)).astype(float)


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_texts_are_told_from_links_and_measurements(stored):
    words, rng = texts(), np.random.default_rng(1)
    links = (rng.random((80, 80)) < 0.04).astype(float)
    some = words.copy()
    some[0, words[0] > 0] *= -1  # a fortieth of the rows
    assert holds_texts(stored(words))
    assert holds_texts(stored(np.log1p(words)))
    assert not holds_texts(stored(links))
    assert not holds_texts(stored(some))
    assert not holds_texts(stored(rng.random((40, 30))))


def test_single_negative_values_and_filled_rows_do_not_change_what_a_view_is():
    words = texts()
    words[np.nonzero(words)[0][5], np.nonzero(words)[1][5]] *= -1
    assert holds_texts(words)
    mask = np.zeros(40, dtype=bool)
    mask[:8] = True  # a fifth is observed
    filled = np.where(mask[:, None], words, words[mask].mean(axis=0))
    assert np.count_nonzero(filled) > 0.25 * filled.size
    assert holds_texts(filled)


def test_each_view_gets_its_own_distance(monkeypatch):
    rng = np.random.default_rng(1)
    data = MultiViewData.from_arrays([texts(), rng.random((40, 30))], n_clusters=3, view_names=["words", "sizes"])
    assert distances_by_view(data) == {"words": "cosine distance", "sizes": "Euclidean distance"}
    used = set()
    monkeypatch.setattr(
        fastmice,
        "cross_affinity",
        lambda points, *given, cosine: (
            used.add((points.shape[1] > 30, cosine)) or cross_affinity(points, *given, cosine=cosine)
        ),
    )
    FastMICE(n_base=12, random_state=0).represent(data)
    assert used == {(True, True), (False, False)}
    used.clear()
    FastMICE(n_base=12, random_state=0, distance="euclidean").represent(data)
    assert used == {(True, False), (False, False)}
