"""Sentences of papers, checked point by point."""

from __future__ import annotations

import pytest

from mvarena.papers.claims import check
from mvarena.papers.model import Figure


def figure(**claim) -> Figure:
    claim = {"says": "it is so", "first": [{"label": "a", "algo": "concat"}], **claim}
    return Figure.model_validate({"name": "toy-figure-1", "title": "A figure", "study": "toy", "claim": [claim]})


def verdict(found, **claim) -> str:
    (checked,) = check(figure(**claim), found)
    return checked.verdict


def rows(algorithm, by_rate, **more):
    return [
        {"algorithm": algorithm, "params": {"n_clusters": None}, "rate": rate, "acc": acc, **more}
        for rate, acc in by_rate.items()
    ]


SECOND = [{"label": "b", "algo": "sc-concat"}]
POINTS = {"data": ["toy"], "rates": [0.1, 0.5, 0.9]}


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({0.1: 0.1, 0.5: 0.1, 0.9: 0.1}, "holds at all 3 points"),
        ({0.1: 0.9, 0.5: 0.1, 0.9: 0.1}, "holds at 2 of 3 points"),
        ({0.1: 0.9, 0.5: 0.9, 0.9: 0.9}, "does not hold"),
        ({0.1: 0.1}, "holds"),
        ({}, "cannot be checked"),
    ],
)
def test_above_is_counted_point_by_point(evidence_of, other, says):
    found = evidence_of(*rows("concat", {0.1: 0.5, 0.5: 0.4, 0.9: 0.3}), *rows("sc-concat", other))
    assert verdict(found, kind="above", second=SECOND, **POINTS) == says


@pytest.mark.parametrize(
    ("claim", "keys"),
    [
        ({"kind": "above", "second": SECOND, "rates": [0.1]}, ["a1", "b1"]),
        ({"kind": "falls", "rates": [0.1, 0.5, 0.9]}, ["a1", "a9"]),  # the ends alone are compared
        ({"kind": "grows", "second": SECOND, "rates": [0.1, 0.9]}, ["a1", "a9", "b1", "b9"]),
        ({"kind": "monotone", "rates": [0.9]}, ["a9"]),
        ({"kind": "within", "at_most": 3, "rates": [0.9]}, ["a9"]),
        ({"kind": "faster", "second": SECOND, "rates": [0.1]}, ["a1", "b1"]),
    ],
)
def test_a_point_names_the_trials_that_were_looked_at(evidence_of, claim, keys):
    found = evidence_of(
        *(
            {"algorithm": algorithm, "params": {"n_clusters": None}, "rate": rate, "acc": rate}
            | {"key": f"{letter}{10 * rate:.0f}", "run": (3, (3.0, 2.0, 1.0))}
            for algorithm, letter in (("concat", "a"), ("sc-concat", "b"))
            for rate in (0.1, 0.5, 0.9)
        )
    )
    (checked,) = check(figure(data=["toy"], **claim), found)
    assert [sorted(point.keys) for point in checked.points] == [keys]


def test_equal_is_not_above(evidence_of):
    found = evidence_of(*rows("concat", {0.1: 0.5}), *rows("sc-concat", {0.1: 0.5}))
    assert verdict(found, kind="above", second=SECOND, data=["toy"], rates=[0.1]) == "does not hold"


@pytest.mark.parametrize(("last", "says"), [(0.4, "holds"), (0.5, "does not hold"), (0.6, "does not hold")])
def test_falls_compares_the_ends(evidence_of, last, says):
    found = evidence_of(*rows("concat", {0.1: 0.5, 0.9: last}))
    assert verdict(found, kind="falls", data=["toy"], rates=[0.1, 0.9]) == says


@pytest.mark.parametrize(("kind", "says"), [("grows", "holds"), ("shrinks", "does not hold")])
def test_a_lead_grows_or_shrinks(evidence_of, kind, says):
    found = evidence_of(*rows("concat", {0.1: 0.5, 0.9: 0.4}), *rows("sc-concat", {0.1: 0.4, 0.9: 0.2}))
    assert verdict(found, kind=kind, second=SECOND, data=["toy"], rates=[0.1, 0.9]) == says


def of_beta(values):
    fixed = {"alpha": 0.01, "literal": False, "max_iter": 30, "scale": "mean-entry", "steps": 10, "tol": 1e-4}
    return [
        {"algorithm": "mic", "params": fixed | {"n_clusters": None, "beta": beta}, "acc": acc}
        for beta, acc in values.items()
    ]


MIC = [{"label": "mic", "algo": "mic"}]


@pytest.mark.parametrize(("high", "says"), [(0.53, "holds"), (0.54, "does not hold")])
def test_flat_is_three_points(evidence_of, high, says):
    found = evidence_of(*of_beta({0.01: 0.50, 0.1: high}))
    assert verdict(found, kind="flat", first=MIC, param="beta", values=[0.01, 0.1], data=["toy"]) == says


@pytest.mark.parametrize(("best", "says"), [(0.1, "holds"), (0.01, "does not hold")])
def test_best_at_a_value(evidence_of, best, says):
    found = evidence_of(*of_beta({0.01: 0.50, 0.1: 0.6}))
    assert verdict(found, kind="best-at", first=MIC, param="beta", values=[0.01, 0.1], best=best, data=["toy"]) == says


def test_a_parameter_without_one_of_its_values_is_not_judged(evidence_of):
    found = evidence_of(*of_beta({0.01: 0.50}))
    assert verdict(found, kind="flat", first=MIC, param="beta", values=[0.01, 0.1], data=["toy"]) == "cannot be checked"


@pytest.mark.parametrize(
    ("objective", "says"),
    [
        ((3.0, 2.0, 1.0), "holds"),
        ((1.0, 2.0, 3.0), "holds"),
        ((3.0, 1.0, 2.0), "does not hold"),
        ((3.0, 1.0, 1.0 + 1e-9), "holds"),  # rounding
        ((3.0, 1.0, 1.0 + 1e-8), "does not hold"),
        ((1.0, 3.0, 3.0 - 1e-9), "holds"),
        ((1.0, 3.0, 3.0 - 1e-8), "does not hold"),
        ((1.0,), "cannot be checked"),
    ],
)
def test_an_objective_that_turns_back_is_not_monotone(evidence_of, objective, says):
    found = evidence_of(
        {"algorithm": "concat", "params": {"n_clusters": None}, "acc": 0.5, "key": "k", "run": (3, objective)}
    )
    assert verdict(found, kind="monotone", data=["toy"]) == says


@pytest.mark.parametrize(("most", "says"), [(7, "holds"), (6, "does not hold")])
def test_iterations_within_a_limit(evidence_of, most, says):
    found = evidence_of({"algorithm": "concat", "params": {"n_clusters": None}, "acc": 0.5, "key": "k", "run": (7, ())})
    assert verdict(found, kind="within", at_most=most, data=["toy"]) == says


def test_faster_compares_the_time_to_fit(evidence_of):
    found = evidence_of(*rows("concat", {0.1: 0.5}, fit_s=1.0), *rows("sc-concat", {0.1: 0.5}, fit_s=2.0))
    assert verdict(found, kind="faster", second=SECOND, data=["toy"], rates=[0.1]) == "holds"
