"""A study from a program's values: NumPy's numbers are numbers, and what cannot be one is said by its name."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.errors import InvalidSetting, UnknownName
from mvarena.study.model import Study

NEEDED = {"algorithms": "apmc", "datasets": "digits"}


def test_numpys_values_are_pythons():
    study = Study.of(
        **NEEDED, repeats=np.int64(3), restarts=np.uint8(4), n_clusters=np.int32(5), seed=np.int64(6),
        rates=np.array([0.1, 0.3]), scale=np.array(["auto", "none"]),
        params={"apmc": {"n_neighbors": np.array([5, 7])}},
    )  # fmt: skip
    assert study == Study(
        algorithms=("apmc",), datasets=("digits",), repeats=3, restarts=4, n_clusters=(5,), seed=6, rates=(0.1, 0.3),
        scale=("auto", "none"), params={"apmc": {"n_neighbors": (5, 7)}},
    )  # fmt: skip
    whole = (study.repeats, study.restarts, *study.n_clusters, study.seed, *study.params["apmc"]["n_neighbors"])
    assert {type(value) for value in whole} == {int}


@pytest.mark.parametrize(
    ("value", "numbers"),
    [(3, (3,)), ("3", (3,)), ([5, 3, 5], (5, 3)), (range(2, 4), (2, 3)), (["2:4", 3, 9], (2, 3, 4, 9))],
)
def test_numbers_of_clusters_are_one_or_several(value, numbers):
    assert Study.of(**NEEDED, n_clusters=value).n_clusters == numbers


def test_the_study_itself_takes_several_and_says_so():
    with pytest.raises(InvalidSetting, match=r"n_clusters are several, as in \(3,\); `Study.of` takes one, too"):
        Study(algorithms=("apmc",), datasets=("digits",), n_clusters=3)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("n_clusters", 1.5, "n_clusters must be whole numbers or a range"),
        ("n_clusters", True, "n_clusters must be whole numbers or a range"),
        ("n_clusters", [], "n_clusters must be whole numbers or a range"),
        ("n_clusters", [4, 0], "n_clusters must be at least 1, not 0"),
        ("n_clusters", "many", "'many' is neither a number nor a range such as 2:10"),
        ("repeats", "3", "repeats must be a whole number"),
        ("repeats", [3], "repeats must be a whole number"),
        ("restarts", 1.5, "restarts must be a whole number"),
        ("seed", True, "seed must be a whole number"),
        ("seed", np.float64(2), "seed must be a whole number"),
        ("fill", 3, "fill must be a text.*, not 3"),
        ("protocol", 0.5, "protocol must be a text.*, not 0.5"),
        ("scale", 3, "scale must be a text.*, not 3"),
        ("prepare", 0.5, "prepare must be a text.*, not 0.5"),
    ],
)
def test_what_a_field_cannot_hold_is_said(name, value, says):
    with pytest.raises(InvalidSetting, match=says) as caught:
        Study.of(**NEEDED, **{name: value})
    assert caught.value.field == name


def test_an_unknown_condition_gets_a_suggestion():
    with pytest.raises(UnknownName, match="Did you mean repeats"):
        Study.of(**NEEDED, repeat=3)
