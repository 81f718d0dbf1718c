"""Which trials a cell is made of."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from mvarena.papers.selector import Selector, joined


@pytest.fixture
def trials() -> pd.DataFrame:
    """Two betas of mic, and the two views of a single-view baseline, at two rates."""
    default = {"alpha": 0.01, "literal": False, "max_iter": 30, "scale": "mean-entry", "steps": 10, "tol": 1e-4}
    rows = [
        {"algorithm": "mic", "params": json.dumps(default | {"n_clusters": None, "beta": beta}), "rate": rate}
        for beta in (0.01, 0.1)
        for rate in (0.1, 0.3)
    ]
    rows += [
        {"algorithm": "bsv-kmeans", "params": json.dumps({"n_clusters": None, "view": view}), "rate": 0.1}
        for view in ("fou", "fac")
    ]
    return pd.DataFrame(rows).assign(dataset="digits", corruption="missing-even", prepare="", protocol="mic")


def test_a_parameter_that_is_not_named_has_its_default(trials):
    assert list(trials[Selector(algo="mic").chosen(trials)].index) == [0, 1]


def test_a_named_parameter_has_that_value_alone(trials):
    assert list(trials[Selector(algo="mic", param={"beta": 0.1}).chosen(trials)].index) == [2, 3]


def test_several_values_are_alternatives(trials):
    assert Selector(algo="mic", param={"beta": (0.01, 0.1)}).chosen(trials).sum() == 4


def test_what_the_literature_picks_by_labels_is_open(trials):
    assert Selector(algo="bsv-kmeans").chosen(trials).sum() == 2


def test_none_stands_for_no_value():
    rows = [{"algorithm": "lrssc-pairwise", "params": json.dumps({"unit": unit})} for unit in (None, 25.0)]
    without = Selector(algo="lrssc-pairwise", param={"unit": "none"})
    assert without.chosen(pd.DataFrame(rows)).tolist() == [True, False]


def test_true_is_not_one(trials):
    assert not Selector(algo="mic", param={"literal": 0}).chosen(trials).any()


@pytest.mark.parametrize(
    ("condition", "count"), [({"rate": 0.3}, 1), ({"data": "cora"}, 0), ({"prepare": "minmax"}, 0)]
)
def test_conditions_hold_together(trials, condition, count):
    assert Selector(algo="mic", **condition).chosen(trials).sum() == count


def test_the_upper_word_counts():
    found = joined(Selector(data="a", protocol="mic", param={"x": 1}), Selector(data="b", param={"y": 2}))
    assert (found.data, found.protocol, dict(found.param)) == ("b", "mic", {"x": 1, "y": 2})


def test_filters_are_the_options_of_results():
    words = Selector(algo="mic", data="digits[fou,fac]", corrupt="missing-even", rate=0.3, protocol="mic").filters()
    assert words == '--algo mic --data "digits[fou,fac]" --corrupt missing-even --protocol mic --rate 0.3'


def test_filters_name_parameters():
    words = Selector(algo="mic", param={"beta": (0.01, 0.1), "literal": True}).filters()
    assert words == "--algo mic --param mic.beta=0.01 mic.beta=0.1 mic.literal=True"
