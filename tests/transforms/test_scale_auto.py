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
HISTOGRAM = RNG.dirichlet(np.geomspace(0.3, 30, 12), N)
PIXELS = np.where(RNG.random((N, 60)) < 0.2, RNG.integers(20, 256, (N, 60)), 0).astype(float)
LINKS = (RNG.random((N, N)) < 0.06).astype(float)
EXPRESSION = 8 + RNG.standard_normal((N, 20)) * np.linspace(1, 2, 20)
MARKS = np.where(RNG.random((N, 60)) < 0.4, RNG.integers(1, 4, (N, 60)), 0).astype(float)
COMPONENTS = RNG.standard_normal((N, 6)) * np.linspace(1, 10, 6)

VIEWS = {
    "counts": WORDS,
    "sparse": WORDS * RNG.uniform(0.1, 2, 300),
    "measurements": HISTOGRAM,
    "marks": MARKS,
    "amounts": EXPRESSION,
    "directions": RNG.standard_normal((N, 30)) * RNG.lognormal(0, 1, (N, 1)),
    "coordinates": COMPONENTS - COMPONENTS.mean(axis=0),
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
        (RNG.integers(0, 256, (N, 30)).astype(float), "amounts"),
        ((5 + RNG.standard_normal((N, 3))) * [1, 30, 1000], "measurements"),
        (RNG.standard_normal((400, 3)) * [1, 30, 1000], "coordinates"),
        (
            np.column_stack([RNG.integers(0, 4, (400, 33)) * (RNG.random((400, 33)) < 0.4), RNG.uniform(9, 80, 400)]),
            "measurements",
        ),
        (RNG.standard_normal((400, 3)) * RNG.lognormal(0, 0.3, (400, 1)), "coordinates"),
        (np.zeros((N, 4)), "sparse"),
        (np.eye(6)[RNG.integers(0, 6, N)], "sparse"),
        (LINKS + np.roll(LINKS, 1, axis=0) * LINKS, "sparse"),
    ],
    ids=[
        "binary words",
        "pixels on a background",
        "pixels",
        "unlike units",
        "components",
        "scores and an age",
        "three columns",
        "nothing",
        "one-hot",
        "links of some",
    ],
)
def test_what_is_near_a_border(matrix, holds):
    data = one_view(matrix)
    assert case_of(data.views[0], data.mask[:, 0]).holds == holds
    assert np.isfinite(scale_auto(data).views[0].matrix).all()


def test_full_views_that_are_not_centred_are_scaled_alike():
    views = {"a": EXPRESSION, "b": HISTOGRAM, "c": WORDS, "d": MARKS, "e": VIEWS["coordinates"]}
    data = MultiViewData.from_arrays(list(views.values()), view_names=list(views))
    measured = "measurements -> minmax, unit-view"
    assert decisions(data) == {
        "a": measured,
        "b": measured,
        "c": "counts -> tfidf, unit-rows",
        "d": measured,
        "e": "coordinates -> unit-view",
    }
    pair = MultiViewData.from_arrays([EXPRESSION, HISTOGRAM])
    expected = prepare(pair, "minmax", "unit-view")
    for scaled, view in zip(scale_auto(pair).views, expected.views, strict=True):
        np.testing.assert_allclose(scaled.matrix, view.matrix)
    centred = decisions(MultiViewData.from_arrays([VIEWS["coordinates"], VIEWS["directions"], EXPRESSION]))
    assert [text.split()[0] for text in centred.values()] == ["directions", "directions", "amounts"]
    alone = decisions(MultiViewData.from_arrays([EXPRESSION, WORDS, MARKS]))
    assert [text.split()[0] for text in alone.values()] == ["amounts", "counts", "marks"]


@pytest.mark.parametrize("holds", VIEWS)
def test_a_thousandth_of_values_turned_negative_decides_nothing(holds):
    rng = np.random.default_rng(3)
    for _ in range(5):
        matrix = VIEWS[holds].copy()
        entries = np.argwhere(matrix != 0)
        for i, j in entries[rng.permutation(len(entries))[: max(1, len(entries) // 1000)]]:
            matrix[i, j] = -abs(matrix[i, j])
        data = one_view(matrix)
        assert case_of(data.views[0], data.mask[:, 0]).holds == holds


@pytest.mark.parametrize("factor", [1e-6, 1e6])
@pytest.mark.parametrize("holds", [holds for holds in VIEWS if holds != "counts"])
def test_the_unit_of_a_view_decides_nothing(holds, factor):
    data = one_view(factor * VIEWS[holds])
    assert case_of(data.views[0], data.mask[:, 0]).holds == holds


def test_columns_that_are_constant_but_for_rounding_have_no_unit():
    constant = 3.0 + 1e-15 * RNG.integers(-3, 3, (N, 5))
    data = one_view(np.column_stack([EXPRESSION, constant]))
    assert case_of(data.views[0], data.mask[:, 0]).holds == "amounts"


def test_a_few_negative_values_do_not_set_a_view_apart_from_its_sisters():
    shifted = HISTOGRAM - np.quantile(HISTOGRAM, 0.05)
    first, second = scale_auto(MultiViewData.from_arrays([HISTOGRAM, shifted])).views
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


def test_decisions_are_said_for_views_of_features_alone():
    data = MultiViewData.from_arrays([WORDS, np.eye(N)], kinds=["features", "kernel"], view_names=["text", "links"])
    assert decisions(data) == {"text": "counts -> tfidf, unit-rows"}


def words_of(fill: float, n: int = 80, d: int = 100) -> np.ndarray:
    """Counts of 1 and 2 in that share of all entries."""
    rng = np.random.default_rng(1)
    matrix = np.zeros(n * d)
    used = rng.permutation(n * d)[: round(fill * n * d)]
    matrix[used] = rng.integers(1, 3, len(used))
    return matrix.reshape(n, d)


def spread_as(spreads: np.ndarray, mean: float = 5.0) -> np.ndarray:
    """Columns of these mean absolute deviations, and of as many times their means."""
    column = np.linspace(-2, 2, 41)
    columns = np.random.default_rng(2).permuted(np.repeat(column[:, None], len(spreads), axis=1), axis=0)
    return (columns / np.abs(column).mean() + mean) * spreads


@pytest.mark.parametrize(
    ("matrix", "holds"),
    [
        (words_of(0.24), "counts"),
        (words_of(0.24) / 2, "sparse"),
        (words_of(0.26), "marks"),
        (words_of(0.49), "marks"),
        (words_of(0.51), "amounts"),
        (words_of(0.04, n=100, d=100), "sparse"),  # 4 entries a row and a column: links
        (words_of(0.06, n=100, d=100), "counts"),
        (spread_as(np.geomspace(1, 3.7, 31)), "amounts"),  # nine tenths over one tenth: 2.85
        (spread_as(np.geomspace(1, 4.1, 31)), "measurements"),  # 3.09
        (spread_as(np.r_[np.ones(30), 9.9]), "amounts"),
        (spread_as(np.r_[np.ones(30), 10.1]), "measurements"),
        (spread_as(np.geomspace(1, 9, 31), mean=0.51), "measurements"),
        (spread_as(np.geomspace(1, 9, 31), mean=0.49), "coordinates"),
    ],
    ids=[
        "counts",
        "halves",
        "too full for counts",
        "marks",
        "too full",
        "links",
        "words",
        "like spreads",
        "unlike spreads",
        "one of ten times the spread",
        "one of more",
        "not centred",
        "centred",
    ],
)
def test_the_borders_of_the_rule_are_where_it_says(matrix, holds):
    data = one_view(matrix)
    assert case_of(data.views[0], data.mask[:, 0]).holds == holds
