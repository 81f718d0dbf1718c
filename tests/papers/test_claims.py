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
    return [{"algorithm": algorithm, "rate": rate, "acc": acc, **more} for rate, acc in by_rate.items()]


SECOND = [{"label": "b", "algo": "sc-concat"}]
ABOVE = {"kind": "above", "second": SECOND, "rates": [0.1, 0.5, 0.9]}
MINE = rows("concat", {0.1: 0.5, 0.5: 0.4, 0.9: 0.3})


@pytest.mark.parametrize(
    ("claim", "other", "says"),
    [
        (ABOVE, {0.1: 0.1, 0.5: 0.1, 0.9: 0.1}, "holds at all 3 points"),
        (ABOVE, {0.1: 0.9, 0.5: 0.1, 0.9: 0.1}, "holds at 2 of 3 points"),
        (ABOVE, {0.1: 0.9, 0.5: 0.9, 0.9: 0.9}, "does not hold"),
        (ABOVE, {0.1: 0.1}, "holds"),
        (ABOVE, {0.1: 0.5}, "does not hold"),  # equal is not above
        (ABOVE, {}, "cannot be checked"),
        ({"kind": "falls", "rates": [0.1, 0.9]}, {}, "holds"),  # the ends are compared
        ({"kind": "falls", "rates": [0.9, 0.1]}, {}, "does not hold"),
        ({"kind": "falls", "rates": [0.1, 0.1]}, {}, "does not hold"),
        ({"kind": "grows", "second": SECOND, "rates": [0.1, 0.9]}, {0.1: 0.4, 0.9: 0.1}, "holds"),
        ({"kind": "shrinks", "second": SECOND, "rates": [0.1, 0.9]}, {0.1: 0.4, 0.9: 0.1}, "does not hold"),
        ({"kind": "faster", "second": SECOND, "rates": [0.1]}, {0.1: 0.9}, "holds"),  # by the time to fit
    ],
)
def test_a_claim_on_one_method_or_two_is_counted_point_by_point(evidence_of, claim, other, says):
    found = evidence_of(*MINE, *rows("sc-concat", other, fit_s=2.0))
    assert verdict(found, data=["toy"], **claim) == says


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
            {"algorithm": algorithm, "rate": rate, "acc": rate}
            | {"key": f"{letter}{10 * rate:.0f}", "run": (3, (3.0, 2.0, 1.0))}
            for algorithm, letter in (("concat", "a"), ("sc-concat", "b"))
            for rate in (0.1, 0.5, 0.9)
        )
    )
    (checked,) = check(figure(data=["toy"], **claim), found)
    assert [sorted(point.keys) for point in checked.points] == [keys]


def of_beta(values):
    fixed = {"alpha": 0.01, "literal": False, "max_iter": 30, "scale": "mean-entry", "steps": 10, "tol": 1e-4}
    return [{"algorithm": "mic", "params": fixed | {"beta": beta}, "acc": acc} for beta, acc in values.items()]


MIC = [{"label": "mic", "algo": "mic"}]


@pytest.mark.parametrize(
    ("claim", "stored", "says"),
    [
        ({"kind": "flat"}, {0.01: 0.50, 0.1: 0.53}, "holds"),  # three points
        ({"kind": "flat"}, {0.01: 0.50, 0.1: 0.54}, "does not hold"),
        ({"kind": "flat"}, {0.01: 0.50}, "cannot be checked"),
        ({"kind": "best-at", "best": 0.1}, {0.01: 0.50, 0.1: 0.6}, "holds"),
        ({"kind": "best-at", "best": 0.01}, {0.01: 0.50, 0.1: 0.6}, "does not hold"),
    ],
)
def test_a_claim_on_the_values_of_a_parameter(evidence_of, claim, stored, says):
    found = evidence_of(*of_beta(stored))
    assert verdict(found, first=MIC, param="beta", values=[0.01, 0.1], data=["toy"], **claim) == says


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
def test_an_objective_that_turns_back_is_not_monotone_and_iterations_are_within_a_limit(evidence_of, objective, says):
    found = evidence_of({"acc": 0.5, "key": "k", "run": (7, objective)})
    assert verdict(found, kind="monotone", data=["toy"]) == says
    assert [verdict(found, kind="within", at_most=most, data=["toy"]) for most in (7, 6)] == ["holds", "does not hold"]
