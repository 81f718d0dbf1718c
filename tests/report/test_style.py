"""A method looks the same wherever it is drawn, and no two look alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mvarena.report.style import BUILT_IN, COLOURS, DASHES, MARKERS, Look, look_of, looks

NAMES = st.lists(
    st.sampled_from([*BUILT_IN, "mine", "theirs", "apmc (m=7)", "apmc (m=10)", "a", "b", "c"]), unique=True
)


def test_built_ins_differ_in_colour_or_marker_and_can_be_drawn() -> None:
    assert len({(look.colour, look.marker) for look in BUILT_IN.values()}) == len(BUILT_IN)
    for look in BUILT_IN.values():
        assert look.colour in COLOURS
        assert look.marker in MARKERS
        assert look.dash in DASHES


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
def test_a_built_in_does_not_change_with_its_company(some: list[str], others: list[str]) -> None:
    one, other = looks(some), looks([*others, *some])
    for name in set(some) & set(BUILT_IN):
        assert one[name] == other[name] == BUILT_IN[name]


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=9))
def test_colours_never_change_and_looks_never_collide(names: list[str]) -> None:
    found = looks(names)
    assert {name: found[name].colour for name in names} == {name: look_of(name).colour for name in names}
    assert len({(look.colour, look.marker) for look in found.values()}) == len(names)


def test_a_hashed_look_is_pinned() -> None:
    """The hash is a promise across machines and versions: figures of last year must match those of today."""
    assert look_of("somebodys-method") == Look("wine", "^", "solid")


def test_variants_keep_their_methods_colour() -> None:
    assert look_of("apmc (n_neighbors=7)").colour == BUILT_IN["apmc"].colour
    assert look_of("mine (m=7)").colour == look_of("mine").colour


def test_more_names_than_markers_still_get_a_look() -> None:
    names = [f"apmc (m={m})" for m in range(30)]
    assert set(looks(names)) == set(names)


def test_colours_can_be_told_apart_in_grey() -> None:
    """Neighbours in lightness may share a grey; black, the middle and the lightest must not."""
    grey = sorted(
        0.2126 * int(code[1:3], 16) + 0.7152 * int(code[3:5], 16) + 0.0722 * int(code[5:], 16)
        for code in COLOURS.values()
    )
    assert grey[0] == 0
    assert 70 < grey[len(grey) // 2] < 130
    assert 150 < grey[-1] < 200  # lighter would vanish on white
