"""A method looks the same wherever it is drawn, and no two look alike."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.look import Colour, Dash, Look, Marker
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.registry.catalog import installed_catalog
from mvarena.report.style import COLOURS, DASHES, MARKERS, look_of, looks

SPECS = [spec for spec in installed_catalog().specs("algorithm") if isinstance(spec, AlgorithmSpec)]
BUILT_IN = {spec.name: spec.look for spec in SPECS if spec.look is not None}
OWN = {"one": Look("blue", "o", "solid"), "two": Look("blue", "s", "dashed"), "three": Look("wine", "o", "dotted")}
NAMES = st.lists(st.sampled_from([*OWN, "mine", "theirs", "one (m=7)", "one (m=10)", "a", "b", "c"]), unique=True)


def test_every_look_can_be_drawn() -> None:
    assert set(COLOURS) == set(get_args(Colour))
    assert set(MARKERS) == set(get_args(Marker))
    assert set(DASHES) == set(get_args(Dash))


def test_built_ins_differ_in_colour_or_marker() -> None:
    assert len({(look.colour, look.marker) for look in BUILT_IN.values()}) == len(BUILT_IN)


def test_methods_that_papers_compare_have_colours_of_their_own() -> None:
    for group in (
        ["apmc", "multinmf", "pvc", "img", "mic", "daimc", "sc-concat", "sc-average"],
        ["apmc", "bsv-kmeans", "bsv-spectral", "concat", "sc-concat", "sc-average", "kernel-addition"],
        ["apmc", "mic", "rnnmf", "eeimvc", "emvc"],
        ["mic", "multinmf", "concat", "convexsub", "pvc", "cgc"],
        [
            "emvc",
            "bsv-kmeans",
            "bsv-spectral",
            "concat",
            "kernel-addition",
            "coreg-pairwise",
            "coreg-centroid",
            "amgl",
            "rmsc",
        ],
        ["rnnmf", "multinmf", "dsnmf", "rmsc", "mvgl", "lrssc-pairwise", "lrssc-centroid", "ecmsc", "bsv-kmeans"],
        ["eeimvc", "mkkm-zf", "mkkm-mf", "mkkm-knn", "mkkm-af", "mkkm-ik", "limkkm"],
    ):
        assert len({BUILT_IN[name].colour for name in group}) == len(group)


@given(NAMES, NAMES)
def test_an_announced_look_does_not_change_with_its_company(some: list[str], others: list[str]) -> None:
    one, other = looks(some, OWN), looks([*others, *some], OWN)
    for name in set(some) & set(OWN):
        assert one[name] == other[name] == OWN[name]


def test_of_two_that_announce_one_look_the_later_name_takes_the_next_marker() -> None:
    same = Look("pink", "o", "solid")
    assert looks(["b", "a"], {"a": same, "b": same}) == {"a": same, "b": Look("pink", MARKERS[1], "solid")}


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=9))
def test_colours_never_change_and_looks_never_collide(names: list[str]) -> None:
    found = looks(names, {})
    assert {name: found[name].colour for name in names} == {name: look_of(name, {}).colour for name in names}
    assert len({(look.colour, look.marker) for look in found.values()}) == len(names)


def test_a_hashed_look_is_pinned() -> None:
    """The hash is a promise across machines and versions: figures of last year must match those of today."""
    assert look_of("somebodys-method", BUILT_IN) == Look("wine", "^", "solid")


def test_variants_keep_their_methods_colour() -> None:
    assert look_of("three (n_neighbors=7)", OWN).colour == OWN["three"].colour
    assert look_of("mine (m=7)", OWN).colour == look_of("mine", OWN).colour


def test_more_names_than_markers_still_get_a_look() -> None:
    names = [f"apmc (m={m})" for m in range(30)]
    assert set(looks(names, BUILT_IN)) == set(names)


def test_colours_can_be_told_apart_in_grey() -> None:
    """Neighbours in lightness may share a grey; black, the middle and the lightest must not."""
    grey = sorted(
        0.2126 * int(code[1:3], 16) + 0.7152 * int(code[3:5], 16) + 0.0722 * int(code[5:], 16)
        for code in COLOURS.values()
    )
    assert grey[0] == 0
    assert 70 < grey[len(grey) // 2] < 130
    assert 150 < grey[-1] < 200  # lighter would vanish on white
