"""A method looks the same wherever it is drawn, and no two look alike."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.specs import AlgorithmSpec, Colour, Dash, Look, Marker
from mvarena.registry.catalog import installed_catalog
from mvarena.report.style import COLOURS, DASHES, MARKERS, MUTED, look_of, looks

SPECS = [spec for spec in installed_catalog().specs("algorithm") if isinstance(spec, AlgorithmSpec)]
BUILT_IN = {spec.name: spec.look for spec in SPECS if spec.look is not None}
OWN = {"one": Look("blue", "o", "solid"), "two": Look("blue", "s", "dashed"), "three": Look("wine", "o", "dotted")}
NAMES = st.lists(st.sampled_from([*OWN, "mine", "theirs", "one (m=7)", "one (m=10)", "a", "b", "c"]), unique=True)


def test_every_look_can_be_drawn_and_built_ins_differ_in_colour_or_marker() -> None:
    assert len({(look.colour, look.marker) for look in BUILT_IN.values()}) == len(BUILT_IN)
    assert set(COLOURS) == set(get_args(Colour))
    assert set(MARKERS) == set(get_args(Marker))
    assert set(DASHES) == set(get_args(Dash))


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=60))
def test_looks_are_distinct_as_far_as_there_are_colours_markers_and_dashes(names: list[str]) -> None:
    found = looks(names, {})
    given = [found[name] for name in names]
    for part, choices in (("colour", COLOURS), ("marker", MARKERS), ("dash", DASHES)):
        assert len({getattr(look, part) for look in given}) == min(len(names), len(choices))
    assert len({(look.colour, look.marker) for look in given}) == len(names)


@given(st.lists(st.sampled_from(sorted(BUILT_IN)), unique=True, max_size=9))
def test_built_ins_have_a_colour_each_and_their_own_where_nobody_else_wants_it(names: list[str]) -> None:
    found = looks(names, BUILT_IN)
    assert len({found[name].colour for name in names}) == len(names)
    for part in ("colour", "marker", "dash"):
        wished = [getattr(BUILT_IN[name], part) for name in names]
        for name in names:
            if wished.count(getattr(BUILT_IN[name], part)) == 1:
                assert getattr(found[name], part) == getattr(BUILT_IN[name], part)


@given(NAMES)
def test_the_order_of_names_changes_nothing(names: list[str]) -> None:
    assert looks(names, OWN) == looks(names[::-1], OWN)


def test_an_announced_look_goes_before_one_that_is_hashed() -> None:
    wish = look_of("mine", {})
    found = looks(["mine", "zz"], {"zz": wish})
    assert found["zz"] == wish
    assert found["mine"].colour != wish.colour
    assert found["mine"].marker != wish.marker


def test_what_stands_back_takes_no_look_from_others() -> None:
    same = Look("pink", "o", "solid")
    found = looks(["a", "b"], {"a": same, "b": same}, muted=["a"])
    assert found["b"] == same
    assert (found.colour("a"), found.colour("b")) == (MUTED, COLOURS["pink"])


def test_a_hashed_look_is_pinned() -> None:
    """The hash is a promise across machines and versions: figures of last year must match those of today."""
    assert look_of("somebodys-method", BUILT_IN) == Look("wine", "^", "solid")
    assert look_of("three (n_neighbors=7)", OWN).colour == OWN["three"].colour  # variants keep their method's
    assert look_of("mine (m=7)", OWN).colour == look_of("mine", OWN).colour
