"""Questions of our own: which trials stand for which alternative, what is counted, and the numbers of a page."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pandas as pd
import pytest
from pydantic import ValidationError

from mvarena.errors import InvalidData
from mvarena.papers.ablations import Alternative, Alternatives, Compared, compare_alternatives
from mvarena.papers.measure import Evidence
from mvarena.papers.model import Paper
from mvarena.papers.render import Rendered

AUTO = Alternative(name="auto", scale="auto", fill="knn")
NONE = Alternative(name="none", scale="none", fill="knn")
PAPER = Alternative(name="paper", paper=True)
OWN = Alternative(name="own", everybody="own")
FILLED = Alternative(name="filled", everybody="mean")

QUESTION = {
    "name": "scales",
    "title": "Scales",
    "study": "toy",
    "metrics": ("acc",),
    "rank_by": "acc",
    "axis": "scaling",
    "data": ("texts", "images"),
    "groups": {"words": ("texts",)},
    "alternative": [AUTO.model_dump(), NONE.model_dump()],
}


@pytest.mark.parametrize(
    ("alternative", "prepare", "takes_missing", "has_features", "meant"),
    [
        (AUTO, "scale-auto,fill-knn", False, True, True),
        (AUTO, "scale-auto", False, True, False),  # needs filling, and has none
        (AUTO, "scale-auto,fill-mean", False, True, False),
        (AUTO, "scale-auto", True, True, True),
        (AUTO, "scale-auto,fill-knn", True, True, False),  # would take missing samples itself
        (NONE, "fill-knn", False, True, True),
        (NONE, "gaussian-kernel,center-kernels,fill-knn", False, True, True),
        (AUTO, "fill-knn", False, True, False),
        (AUTO, "kernel-features,fill-knn", False, False, True),  # nothing to scale: stands for every scaling
        (PAPER, "unit-rows", True, True, True),
        (PAPER, "unit-rows,fill-knn", True, True, False),
        (OWN, "scale-auto", True, True, True),
        (OWN, "scale-auto,fill-mean", True, True, False),
        (FILLED, "scale-auto,fill-mean", True, True, True),
    ],
)
def test_what_an_alternative_means(alternative, prepare, takes_missing, has_features, meant):
    found = alternative.means(prepare, "unit-rows", takes_missing=takes_missing, has_features=has_features)
    assert found is meant


@pytest.fixture
def found(evidence_of: Callable[..., Evidence]) -> Evidence:
    """concat needs complete data, amgl takes missing samples; concat has no finished trial of `none` on images."""
    return evidence_of(
        {"algorithm": "concat", "dataset": "texts", "prepare": "scale-auto,fill-knn", "acc": (0.6, 0.8)},
        {"algorithm": "concat", "dataset": "texts", "prepare": "fill-knn", "acc": 0.5},
        {"algorithm": "concat", "dataset": "images", "prepare": "scale-auto,fill-knn", "acc": 0.9},
        {"algorithm": "amgl", "dataset": "texts", "prepare": "scale-auto", "acc": 0.4},
        {"algorithm": "amgl", "dataset": "texts", "prepare": "", "acc": 0.6},
        {"algorithm": "amgl", "dataset": "images", "prepare": "scale-auto", "acc": 0.3},
        {"algorithm": "amgl", "dataset": "images", "prepare": "", "acc": 0.1},
    )


@pytest.fixture
def item() -> Alternatives:
    return Alternatives.model_validate(QUESTION)


@pytest.fixture
def compared(item: Alternatives, found: Evidence) -> Compared:
    return compare_alternatives(item, found)


def test_a_place_counts_where_every_alternative_finished(compared):
    assert compared.left_out == (("concat", "images"),)
    places = [(algorithm, dataset) for _, algorithm, dataset in compared.values.index]
    assert places == [("amgl", "images"), ("amgl", "texts"), ("concat", "texts")]


def test_data_that_nobody_can_scale_stand_for_every_scaling(evidence_of, item):
    found = evidence_of(
        {"algorithm": "concat", "dataset": "texts", "prepare": "kernel-features,fill-knn", "acc": 0.5},
        {"algorithm": "concat", "dataset": "texts", "prepare": "unit-rows", "acc": ()},  # was refused
    )
    assert compare_alternatives(item, found).values.to_numpy().tolist() == [[50.0, 50.0]]


def test_means_ranks_and_counts(compared):
    pd.testing.assert_series_equal(
        compared.overall("acc"), pd.Series({"auto": 140 / 3, "none": 40.0}), check_names=False
    )
    pd.testing.assert_series_equal(
        compared.overall("acc", "words"), pd.Series({"auto": 55.0, "none": 55.0}), check_names=False
    )
    assert compared.mean_ranks.to_dict() == pytest.approx({"auto": 4 / 3, "none": 5 / 3})
    assert compared.best_for.to_dict() == {"auto": 1, "none": 0}  # equal means count for none
    assert compared.methods == ["concat", "amgl"]
    assert compared.agreement() == {("auto", "none"): pytest.approx(1.0)}


def test_methods_by_what_they_take(found):
    complete = compare_alternatives(Alternatives.model_validate(QUESTION | {"methods": "complete"}), found)
    missing = compare_alternatives(Alternatives.model_validate(QUESTION | {"methods": "missing"}), found)
    assert (complete.methods, missing.methods) == (["concat"], ["amgl"])


def test_nothing_to_compare_is_said(found):
    alone = Alternatives.model_validate(QUESTION | {"alternative": [AUTO.model_dump(), PAPER.model_dump()]})
    with pytest.raises(InvalidData, match="there is no data set on which a method has all of auto, paper"):
        compare_alternatives(alone, found)


@pytest.mark.parametrize("wrong", [{"groups": {"words": ("books",)}}, {"rank_by": "nmi"}, {"alternative": []}])
def test_a_question_that_does_not_fit_together(wrong):
    with pytest.raises((InvalidData, ValidationError)):
        Alternatives.model_validate(QUESTION | wrong)


@pytest.fixture
def rendered(found: Evidence) -> Rendered:
    paper = {"name": "toy", "title": "Toy", "source": "Nobody", "alternatives": [QUESTION]}
    return Rendered(Paper.model_validate(paper), found, "reports/toy/results.db")


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("auto / all / acc", "46.7"),
        ("none / words / acc", "55.0"),
        ("auto / concat / acc", "70.0"),
        ("auto / all / rank", "1.3"),
        ("auto / all / best", "1"),
        ("none / auto / agreement", "1.00"),
    ],
)
def test_numbers_within_sentences(rendered, what, number):
    assert rendered.part("value", f"scales / {what}") == number


@pytest.mark.parametrize("what", ["auto / nobody / acc", "minmax / all / acc", "auto / all / nmi"])
def test_numbers_that_there_are_not(rendered, what):
    with pytest.raises(InvalidData, match="is not a number of scales"):
        rendered.part("value", f"scales / {what}")


def test_the_part_of_a_page_says_what_was_left_out(rendered):
    text = rendered.part("table", "scales")
    for words in (
        "| auto | 46.7 | 55.0 | 1.33 | 1 method |",
        "| concat | 1 | **70.0** | 50.0 |",
        "concat on 1 data set",
    ):
        assert words in text


def test_every_number_is_in_the_csv(rendered, item):
    rows = list(csv.DictReader(io.StringIO(rendered.csv(item))))
    assert [(row["method"], row["dataset"], row["scaling"], row["mean"]) for row in rows[-2:]] == [
        ("concat", "texts", "auto", "70.0"),
        ("concat", "texts", "none", "50.0"),
    ]
    assert rows[-1]["trials"] == '--algo concat --data "texts" --scale "none"'
    assert [row["keys"] for row in rows[-2:]] == ["k0", "k1"]
