"""The looks of methods can be told apart by every eye, and in grey."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.report.style import COLOURS, MUTED, looks

# Machado, Oliveira and Fernandes (2009), Table 1 at severity 1.0: from linear RGB to what such an eye sees
SIMULATED = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}
# sRGB to XYZ (IEC 61966-2-1), and the white of D65
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)
SEEN = 10.0  # CIE 1976: some 2.3 is just noticeable side by side; lines and dots need several times that


def lab(code: str, eye: str) -> np.ndarray:
    """L*, a* and b* of a colour as an eye sees it."""
    coded = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(SIMULATED[eye] @ linear, 0, 1) / WHITE
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, eye: str) -> float:
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


def test_the_measure_itself() -> None:
    assert lab("#FFFFFF", "normal") == pytest.approx([100, 0, 0], abs=0.1)
    assert distance("#FF0000", "#00FF00", "normal") > 100
    # a red and a green that a deuteranope cannot tell apart
    assert distance("#A06000", "#6A7A00", "deuteranopia") < SEEN < distance("#A06000", "#6A7A00", "normal")


@pytest.mark.parametrize("eye", ["normal", "protanopia", "deuteranopia", "tritanopia"])
def test_all_colours_differ_to_every_eye(eye: str) -> None:
    near = {pair: distance(COLOURS[pair[0]], COLOURS[pair[1]], eye) for pair in combinations(COLOURS, 2)}
    assert {pair: round(far, 1) for pair, far in near.items() if far < SEEN} == {}
    assert min(distance(MUTED, code, eye) for code in COLOURS.values()) > SEEN


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, min_size=2, max_size=8))
def test_up_to_eight_methods_differ_to_every_eye_and_in_grey(names: list[str]) -> None:
    """By the colour alone, but in grey, where markers tell near ones apart."""
    found = looks(names, {})
    for one, other in combinations(names, 2):
        for eye in SIMULATED:
            if distance(found.colour(one), found.colour(other), eye) <= SEEN:
                assert eye == "grey"
                assert found[one].marker != found[other].marker
        assert found[one].marker != found[other].marker
