"""Short names: what has room stays whole, what tells methods apart stays, and no two are alike, in any figure."""

from __future__ import annotations

from itertools import product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.report.drawing.canvas import WIDTHS, drawable_words
from mvarena.report.short_names import short_names

GRID = [
    f"apmc (anchors=random, fusion=kernel, n_neighbors={k}, reach={reach}, scaled=false, weights=[1, 2])"
    for k, reach in product((5, 7, 10), ("all", "near"))
]


def test_what_has_room_stays_and_a_method_alone_is_shown_by_its_name() -> None:
    long = "eeimvc (anchors=random, fusion=kernel, n_neighbors=5)"
    assert short_names(["apmc (k=5)", long], 30) == {"apmc (k=5)": "apmc (k=5)", long: "eeimvc"}


def test_parameters_that_differ_stay() -> None:
    shown = short_names(GRID, 40)
    assert shown[GRID[0]] == "apmc (n_neighbors=5, reach=all, …)"
    assert shown[GRID[5]] == "apmc (n_neighbors=10, reach=near, …)"
    assert len(set(shown.values())) == len(GRID)


def test_a_value_with_commas_is_one_value() -> None:
    names = [f"mvc (anchors=random, fusion=kernel, weights=[1, {last}])" for last in (2, 3)]
    assert list(short_names(names, 30).values()) == ["mvc (weights=[1, 2], …)", "mvc (weights=[1, 3], …)"]


def test_marks_behind_a_name_stay() -> None:
    names = ["apmc (anchors=random, fusion=kernel) *", "apmc (anchors=random, fusion=sum) *"]
    assert list(short_names(names, 26).values()) == ["apmc (fusion=kernel, …) *", "apmc (fusion=sum, …) *"]


def test_names_that_would_read_alike_are_numbered() -> None:
    names = [f"{'x' * 30}{letter}{'y' * 30}" for letter in "abc"]
    shown = list(short_names(names, 20).values())
    assert len(set(shown)) == 3
    assert shown[1].endswith(" #2")


settings = st.dictionaries(st.sampled_from("abcdefgh"), st.text("xyz,()=… ", max_size=12), max_size=5)
words = st.builds(
    lambda method, own: f"{method} ({', '.join(f'{key}={value}' for key, value in own.items())})" if own else method,
    st.sampled_from(["apmc", "mic", "m" * 40]),
    settings,
)


@given(st.lists(words, max_size=12, unique=True), st.integers(10, 60))
def test_no_two_are_alike_and_each_has_room(names: list[str], most: int) -> None:
    shown = short_names(names, most)
    assert list(shown) == names
    assert len(set(shown.values())) == len(names)
    assert all(len(text) <= most for text in shown.values())
    assert all(shown[name] == name for name in names if len(name) <= most)


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_of_a_figure_differ_at_each_width(width: float) -> None:
    points = pd.DataFrame({"label": [*GRID, "apmc", "mic (a=1)"], "title": "digits"})
    drawn, note = drawable_words(points, ("label", "title"), width)
    assert drawn["label"].is_unique
    assert list(drawn["label"][-2:]) == ["apmc", "mic (a=1)"]
    assert note.startswith("The parameters of apmc (")
    assert note.endswith(" are in the figure's .csv.")
