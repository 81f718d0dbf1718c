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
SCORES = RNG.integers(0, 4, (400, 33)) * (RNG.random((400, 33)) < 0.4)

VIEWS = {
    "counts": WORDS,
    "sparse": WORDS * RNG.uniform(0.1, 2, 300),
    "measurements": HISTOGRAM,
    "marks": MARKS,
    "amounts": EXPRESSION,
    "directions": RNG.standard_normal((N, 30)) * RNG.lognormal(0, 1, (N, 1)),
    "coordinates": COMPONENTS - COMPONENTS.mean(axis=0),
}


def held(matrix) -> str:
    """What a view of this matrix is taken for."""
    data = MultiViewData.from_arrays([matrix])
    return case_of(data.views[0], data.mask[:, 0]).holds


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


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("case", RULE, ids=[case.holds for case in RULE])
def test_a_view_is_scaled_as_its_line_says(case, stored):
    matrix = stored(VIEWS[case.holds])
    assert held(matrix) == case.holds
    data = MultiViewData.from_arrays([matrix])
    expected, found = prepare(data, *case.steps).views[0].matrix, scale_auto(data).views[0].matrix
    np.testing.assert_allclose(*(m.toarray() if sparse.issparse(m) else m for m in (found, expected)), atol=1e-12)


BORDERS = {
    "counts": (words_of(0.24), "counts"),
    "halves": (words_of(0.24) / 2, "sparse"),
    "too full for counts": (words_of(0.26), "marks"),
    "marks": (words_of(0.49), "marks"),
    "too full": (words_of(0.51), "amounts"),
    "links, 4 in a row and column": (words_of(0.04, n=100, d=100), "sparse"),
    "words": (words_of(0.06, n=100, d=100), "counts"),
    "nine tenths over one tenth 2.85": (spread_as(np.geomspace(1, 3.7, 31)), "amounts"),
    "and 3.09": (spread_as(np.geomspace(1, 4.1, 31)), "measurements"),
    "one of ten times the spread": (spread_as(np.r_[np.ones(30), 9.9]), "amounts"),
    "one of more": (spread_as(np.r_[np.ones(30), 10.1]), "measurements"),
    "not centred": (spread_as(np.geomspace(1, 9, 31), mean=0.51), "measurements"),
    "centred": (spread_as(np.geomspace(1, 9, 31), mean=0.49), "coordinates"),
    "binary words": ((WORDS > 0).astype(float), "sparse"),
    "pixels on a background": (PIXELS, "sparse"),
    "pixels": (RNG.integers(0, 256, (N, 30)).astype(float), "amounts"),
    "unlike units": ((5 + RNG.standard_normal((N, 3))) * [1, 30, 1000], "measurements"),
    "components": (RNG.standard_normal((400, 3)) * [1, 30, 1000], "coordinates"),
    "scores and an age": (np.column_stack([SCORES, RNG.uniform(9, 80, 400)]), "measurements"),
    "three columns": (RNG.standard_normal((400, 3)) * RNG.lognormal(0, 0.3, (400, 1)), "coordinates"),
    "nothing": (np.zeros((N, 4)), "sparse"),
    "one-hot": (np.eye(6)[RNG.integers(0, 6, N)], "sparse"),
    "links of some": (LINKS + np.roll(LINKS, 1, axis=0) * LINKS, "sparse"),
    "constant but for rounding": (np.c_[EXPRESSION, 3 + 1e-15 * RNG.integers(-3, 3, (N, 5))], "amounts"),
}


@pytest.mark.parametrize("case", BORDERS)
def test_the_borders_of_the_rule_are_where_it_says(case):
    matrix, holds = BORDERS[case]
    assert held(matrix) == holds
    assert np.isfinite(scale_auto(MultiViewData.from_arrays([matrix])).views[0].matrix).all()


@pytest.mark.parametrize("holds", VIEWS)
def test_units_and_a_thousandth_of_values_turned_negative_decide_nothing(holds):
    rng = np.random.default_rng(3)
    for _ in range(5):
        matrix = VIEWS[holds].copy()
        entries = np.argwhere(matrix != 0)
        for i, j in entries[rng.permutation(len(entries))[: max(1, len(entries) // 1000)]]:
            matrix[i, j] = -abs(matrix[i, j])
        assert held(matrix) == holds
    for factor in (1e-6, 1e6) if holds != "counts" else ():
        assert held(factor * VIEWS[holds]) == holds


def decided(**views) -> dict[str, str]:
    """What `decisions` says of each of these views beside the others."""
    kinds = ["kernel" if name == "kernel" else "features" for name in views]
    return decisions(MultiViewData.from_arrays(list(views.values()), view_names=list(views), kinds=kinds))


def test_full_views_that_are_not_centred_are_scaled_alike():
    measured = "measurements -> minmax, unit-view"
    views = {"a": EXPRESSION, "b": HISTOGRAM, "c": WORDS, "d": MARKS, "e": VIEWS["coordinates"], "kernel": np.eye(N)}
    words, components = "counts -> tfidf, unit-rows", "coordinates -> unit-view"
    assert decided(**views) == {"a": measured, "b": measured, "c": words, "d": measured, "e": components}
    centred = decided(a=VIEWS["coordinates"], b=VIEWS["directions"], c=EXPRESSION)
    assert [text.split()[0] for text in centred.values()] == ["directions", "directions", "amounts"]
    alone = decided(a=EXPRESSION, b=WORDS, c=MARKS)
    assert [text.split()[0] for text in alone.values()] == ["amounts", "counts", "marks"]
    pair = MultiViewData.from_arrays([EXPRESSION, HISTOGRAM - np.quantile(HISTOGRAM, 0.05)])
    expected = prepare(pair, "minmax", "unit-view")
    for scaled, view in zip(scale_auto(pair).views, expected.views, strict=True):
        np.testing.assert_allclose(scaled.matrix, view.matrix)


def test_missing_rows_and_sparse_views_decide_nothing():
    matrices = [WORDS, VIEWS["coordinates"]]
    mask = np.ones((N, 2), dtype=bool)
    mask[:9, 0] = mask[30:, 1] = False
    data = MultiViewData.from_arrays([np.where(mask[:, [i]], m, np.nan) for i, m in enumerate(matrices)])
    found = scale_auto(data)
    for i, matrix in enumerate(matrices):
        alone = scale_auto(MultiViewData.from_arrays([matrix[mask[:, i]]])).views[0].matrix
        np.testing.assert_allclose(found.views[i].matrix[mask[:, i]], alone, atol=1e-12)
        assert not found.views[i].matrix[~mask[:, i]].any()
