"""scale-auto: the rule line by line, from the view alone, and equal to the steps that it names."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mvarena.api import prepare
from mvarena.data import MultiViewData
from mvarena.transforms.scale_auto import RULE, case_of, decisions, scale_auto

RNG = np.random.default_rng(0)
N = 40
WORDS = RNG.poisson(0.08, (N, 300)).astype(float)
WORDS[:, 0] = 1
HISTOGRAM = RNG.dirichlet(np.ones(12), N)
PIXELS = np.where(RNG.random((N, 60)) < 0.2, RNG.integers(20, 256, (N, 60)), 0).astype(float)
LINKS = (RNG.random((N, N)) < 0.06).astype(float)

VIEWS = {
    "counts": WORDS,
    "sparse": WORDS * RNG.uniform(0.1, 2, 300),
    "measurements": HISTOGRAM,
    "coordinates": RNG.standard_normal((N, 6)) * np.linspace(1, 10, 6),
}


def one_view(matrix) -> MultiViewData:
    return MultiViewData.from_arrays([matrix])


def test_every_line_of_the_rule_has_an_example():
    assert [case.holds for case in RULE] == list(VIEWS)


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("holds", VIEWS)
def test_a_view_is_scaled_as_its_line_says(holds, stored):
    data = one_view(stored(VIEWS[holds]))
    case = case_of(data.views[0], data.mask[:, 0])
    assert case.holds == holds
    expected, found = prepare(data, *case.steps).views[0].matrix, scale_auto(data).views[0].matrix
    np.testing.assert_allclose(*(m.toarray() if sparse.issparse(m) else m for m in (found, expected)), atol=1e-12)


@pytest.mark.parametrize(
    ("matrix", "holds"),
    [
        ((WORDS > 0).astype(float), "sparse"),
        (PIXELS, "sparse"),
        (RNG.integers(0, 256, (N, 30)).astype(float), "measurements"),
        (RNG.standard_normal((N, 3)) * [1, 30, 1000], "measurements"),
        (np.zeros((N, 4)), "sparse"),
        (np.eye(6)[RNG.integers(0, 6, N)], "sparse"),
        (LINKS + np.roll(LINKS, 1, axis=0) * LINKS, "sparse"),
    ],
    ids=["binary words", "pixels on a background", "pixels", "unlike units", "nothing", "one-hot", "links of some"],
)
def test_what_is_near_a_border(matrix, holds):
    data = one_view(matrix)
    assert case_of(data.views[0], data.mask[:, 0]).holds == holds
    assert np.isfinite(scale_auto(data).views[0].matrix).all()


def test_dense_views_are_scaled_alike():
    histogram, coordinates, words = VIEWS["measurements"], VIEWS["coordinates"], VIEWS["counts"]
    found = decisions(MultiViewData.from_arrays([coordinates, histogram, words], view_names=["a", "b", "c"]))
    measured = "measurements -> minmax, unit-view"
    assert found == {"a": measured, "b": measured, "c": "counts -> tfidf, unit-rows"}
    data = MultiViewData.from_arrays([coordinates, histogram])
    expected = prepare(data, "minmax", "unit-view")
    for scaled, view in zip(scale_auto(data).views, expected.views, strict=True):
        np.testing.assert_allclose(scaled.matrix, view.matrix)
    alone = decisions(MultiViewData.from_arrays([coordinates, words, -coordinates]))
    assert [text.split()[0] for text in alone.values()] == ["coordinates", "counts", "coordinates"]


def test_a_few_negative_values_do_not_set_a_view_apart_from_its_sisters():
    shifted = VIEWS["measurements"] - np.quantile(VIEWS["measurements"], 0.05)
    views = [VIEWS["measurements"], shifted]
    first, second = scale_auto(MultiViewData.from_arrays(views)).views
    np.testing.assert_allclose(first.matrix, second.matrix, atol=1e-12)


def test_missing_rows_and_sparse_views_decide_nothing():
    matrices = [WORDS, VIEWS["coordinates"]]
    mask = np.ones((N, 2), dtype=bool)
    mask[:9, 0] = mask[30:, 1] = False
    data = MultiViewData.from_arrays([np.where(mask[:, [i]], m, np.nan) for i, m in enumerate(matrices)])
    found = scale_auto(data)
    for i, matrix in enumerate(matrices):
        alone = scale_auto(one_view(matrix[mask[:, i]])).views[0].matrix
        np.testing.assert_allclose(found.views[i].matrix[mask[:, i]], alone, atol=1e-12)
        assert not found.views[i].matrix[~mask[:, i]].any()


def test_labels_decide_nothing():
    labelled = MultiViewData.from_arrays([WORDS], labels=np.arange(N) % 3)
    np.testing.assert_array_equal(scale_auto(labelled).views[0].matrix, scale_auto(one_view(WORDS)).views[0].matrix)


def test_decisions_are_said_for_views_of_features_alone():
    data = MultiViewData.from_arrays([WORDS, np.eye(N)], kinds=["features", "kernel"], view_names=["text", "links"])
    assert decisions(data) == {"text": "counts -> tfidf, unit-rows"}


def test_a_negative_number_makes_counts_coordinates():
    words = WORDS.copy()
    words[3, 5] = -1
    assert decisions(one_view(words)) != decisions(one_view(WORDS))
    data = one_view(words)
    assert case_of(data.views[0], data.mask[:, 0]).holds == "coordinates"


def words_of(fill: float, n: int = 80, d: int = 100) -> np.ndarray:
    """Counts of 1 and 2 in that share of all entries."""
    rng = np.random.default_rng(1)
    matrix = np.zeros(n * d)
    used = rng.permutation(n * d)[: round(fill * n * d)]
    matrix[used] = rng.integers(1, 3, len(used))
    return matrix.reshape(n, d)


@pytest.mark.parametrize(
    ("matrix", "holds"),
    [
        (words_of(0.24), "counts"),
        (words_of(0.26), "sparse"),
        (words_of(0.49), "sparse"),
        (words_of(0.51), "measurements"),
        (words_of(0.04, n=100, d=100), "sparse"),  # 4 entries a row and a column: links
        (words_of(0.06, n=100, d=100), "counts"),
        (np.column_stack([np.linspace(-1, 1, N), np.linspace(-99, 99, N)]), "coordinates"),
        (np.column_stack([np.linspace(-1, 1, N), np.linspace(-101, 101, N)]), "measurements"),
    ],
    ids=["counts", "too full for counts", "sparse", "too full", "links", "words", "like spreads", "unlike spreads"],
)
def test_the_borders_of_the_rule_are_where_it_says(matrix, holds):
    data = one_view(matrix)
    assert case_of(data.views[0], data.mask[:, 0]).holds == holds


def test_rows_that_a_view_misses_do_not_decide():
    """Zeros of missing rows would make measurements sparse."""
    matrix = np.random.default_rng(0).random((40, 5)) + 1.0
    mask = np.ones((40, 2), dtype=bool)
    mask[:24, 0] = False
    data = MultiViewData.from_arrays([matrix, matrix], mask=mask)
    assert case_of(data.views[0], data.mask[:, 0]).holds == "measurements"
    everything = np.ones(40, dtype=bool)
    assert case_of(data.views[0], everything).holds == "sparse"
