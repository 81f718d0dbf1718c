"""Short names: what has room stays whole, and no two are alike."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from mvarena.report.short_names import short_names

GRID = [
    f"apmc (anchors=random, fusion=kernel, n_neighbors={k}, reach={reach}, scaled=false, weights=[1, 2])"
    for k, reach in product((5, 7, 10), ("all", "near"))
]


def test_what_has_room_stays_and_others_keep_their_ends() -> None:
    long = "eeimvc (anchors=random, fusion=kernel, n_neighbors=5) *"
    assert short_names(["apmc (k=5)", long], 30) == {"apmc (k=5)": "apmc (k=5)", long: "eeimvc (anchors…neighbors=5) *"}


def test_variants_of_a_method_are_told_apart_by_the_settings_that_differ() -> None:
    assert list(short_names([*GRID[:2], GRID[2].replace("apmc", "mic")], 35).values()) == [
        "apmc (reach=all)",
        "apmc (reach=near)",
        "mic (anchors=rand…, weights=[1, 2])",
    ]
    grid = [f"mic (alpha={alpha:g}, beta={beta:g})" for alpha, beta in product((0.001, 0.01), (0.001, 1))]
    short = ["mic (a=0.001, b=0.001)", "mic (alpha=0.001, beta=1)", "mic (a=0.01, b=0.001)", "mic (alpha=0.01, beta=1)"]
    assert list(short_names(grid, 26).values()) == short


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
