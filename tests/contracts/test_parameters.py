"""Parameters as data: one declaration checks values, reads text and says what may be set."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
import pytest
from annotated_types import Ge, Le

from mvarena.contracts.parameters import (
    Count,
    NonNegative,
    Parameter,
    Positive,
    Share,
    checked_parameters,
    parameter_of,
    parameters_of,
    parsed_parameter,
)
from mvarena.errors import InvalidSetting, UnknownName


def component(
    *,
    count: Count = 3,
    weight: Positive = 0.5,
    penalty: NonNegative = 0.0,
    share: Share = 1.0,
    width: Positive | None = None,
    flag: bool = False,
    kind: Literal["a", "b"] = "a",
    either: Literal["median"] | Positive = "median",
    view: str | int | None = None,
    bounded: Annotated[int, Ge(2), Le(4)] = 2,
    anything=None,
) -> None:
    """Has a parameter of each sort."""


WORDS = {
    "anything": "anything",
    "bounded": "a whole number of at least 2 and of at most 4",
    "count": "a whole number of at least 1",
    "either": "median or a number above 0",
    "flag": "yes or no",
    "kind": "a or b",
    "penalty": "a number of at least 0",
    "share": "a number above 0 and of at most 1",
    "view": "a text, a whole number or none",
    "weight": "a number above 0",
    "width": "a number above 0 or none",
}


def test_every_declaration_has_words() -> None:
    assert {name: one.words for name, one in parameters_of(component).items()} == WORDS


@pytest.mark.parametrize(("name", "choices"), [("flag", (False, True)), ("kind", ("a", "b")), ("count", ())])
def test_choices_are_known_where_there_are_finitely_many(name, choices) -> None:
    assert parameters_of(component)[name].choices == choices


GOOD = [
    ("count", "7", 7),
    ("weight", "2", 2.0),
    ("weight", "1e-3", 1e-3),
    ("width", "none", None),
    ("width", "None", None),
    ("flag", "no", False),
    ("flag", "off", False),
    ("flag", "false", False),
    ("flag", "yes", True),
    ("flag", "True", True),
    ("kind", "b", "b"),
    ("either", "median", "median"),
    ("either", "100", 100.0),
    ("view", "fou", "fou"),
    ("anything", "[1, 2]", [1, 2]),
    ("anything", "text", "text"),
]


@pytest.mark.parametrize(("name", "text", "value"), GOOD)
def test_text_is_read_by_the_declared_type(name, text, value) -> None:
    found = parsed_parameter("toy", component, name, text)
    assert found == value
    assert type(found) is type(value)


BAD = [
    ("count", "0"), ("count", "abc"), ("count", "2.5"), ("count", "none"), ("weight", "0"), ("weight", "inf"),
    ("weight", "nan"), ("weight", "-1"), ("penalty", "-1e-9"), ("share", "1.1"), ("flag", "maybe"), ("kind", "c"),
    ("either", "mean"), ("bounded", "5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), BAD)
def test_what_a_parameter_may_not_be_is_refused_with_what_it_may(name, text) -> None:
    with pytest.raises(InvalidSetting, match=f"toy.{name} must be .*, not '{text}'") as caught:
        parsed_parameter("toy", component, name, text)
    assert WORDS[name] in str(caught.value)
    assert (caught.value.field, caught.value.value) == (f"toy.{name}", text)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("count", np.int64(4), 4),
        ("weight", np.float32(0.5), 0.5),
        ("weight", 1, 1.0),
        ("width", None, None),
        ("view", 1, 1),
    ],
)
def test_values_become_plain_python(name, value, expected) -> None:
    found = checked_parameters("toy", component, {name: value})[name]
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [("count", True), ("count", 2.0), ("count", "3"), ("flag", 1), ("flag", "no"), ("weight", True), ("kind", None)],
)
def test_python_values_are_not_converted_between_types(name, value) -> None:
    with pytest.raises(InvalidSetting, match=f"toy.{name} must be"):
        checked_parameters("toy", component, {name: value})


def test_an_unknown_parameter_is_told_with_near_ones() -> None:
    with pytest.raises(UnknownName, match=r"no parameter of toy called 'wieght'\. Did you mean weight"):
        parameter_of("toy", component, "wieght")


def test_a_number_equal_to_the_default_is_the_default() -> None:
    def method(*, lam=1.0, flag=True): ...

    checked = checked_parameters("mine", method, {"lam": 1, "flag": 1})
    assert {name: type(value) for name, value in checked.items()} == {"lam": float, "flag": int}
    assert type(checked_parameters("mine", method, {"lam": 10})["lam"]) is int


@pytest.mark.parametrize(
    ("text", "default", "value"),
    [
        ("no", True, False), ("False", True, False), ("none", 1.0, None), (".5", 1.0, 0.5), ("[1, 2]", None, [1, 2]),
        ("auto", 1.0, "auto"), ("none", "none", "none"), ("yes", None, "yes"),
    ],
)  # fmt: skip
def test_what_is_typed_for_a_parameter_without_a_type_follows_its_default(text, default, value):
    assert Parameter("x", Any, default).parsed(text) == value
