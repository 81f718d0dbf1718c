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


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [
        (Selector(algo="mic"), [0, 1]),  # a parameter that is not named has its default
        (Selector(algo="mic", param={"beta": 0.1}), [2, 3]),
        (Selector(algo="mic", param={"beta": (0.01, 0.1)}), [0, 1, 2, 3]),
        (Selector(algo="mic", param={"literal": 0}), []),  # which is not false
        (Selector(algo="bsv-kmeans"), [4, 5]),  # what the literature picks by labels is open
        (Selector(algo="mic", rate=0.3), [1]),
        (Selector(algo="mic", data="cora"), []),
        (Selector(algo="mic", prepare="minmax"), []),
    ],
    ids=str,
)
def test_what_is_named_and_the_defaults_of_all_else_hold_together(trials, selector, chosen):
    assert list(trials[selector.chosen(trials)].index) == chosen


def test_none_stands_for_no_value():
    rows = [{"algorithm": "lrssc-pairwise", "params": json.dumps({"unit": unit})} for unit in (None, 25.0)]
    without = Selector(algo="lrssc-pairwise", param={"unit": "none"})
    assert without.chosen(pd.DataFrame(rows)).tolist() == [True, False]


def test_the_upper_word_counts():
    found = joined(Selector(data="a", protocol="mic", param={"x": 1}), Selector(data="b", param={"y": 2}))
    assert (found.data, found.protocol, dict(found.param)) == ("b", "mic", {"x": 1, "y": 2})


def test_filters_are_the_options_of_results():
    words = Selector(algo="mic", data="digits[fou,fac]", corrupt="missing-even", rate=0.3, protocol="mic").filters()
    assert words == '--algo mic --data "digits[fou,fac]" --corrupt missing-even --protocol mic --rate 0.3'
    words = Selector(algo="mic", param={"beta": (0.01, 0.1), "literal": True}).filters()
    assert words == "--algo mic --param mic.beta=0.01 mic.beta=0.1 mic.literal=True"
