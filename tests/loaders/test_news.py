"""The picture features of the news data: smoothed shares that sum to one, and FOX as the authors computed it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.loaders.news import hsv_histogram
from mvarena.readers.mat import read_mat

# a colour (red, green, blue level of 0..7) and the bin that it falls into
COLOURS = [
    ((0, 0, 0), 9), ((7, 7, 7), 9), ((0, 0, 7), 63), ((0, 7, 7), 65), ((0, 7, 0), 68), ((7, 7, 0), 71), ((7, 0, 0), 73),
    ((7, 0, 7), 76), ((3, 3, 4), 63), ((4, 3, 3), 73),
]  # fmt: skip


@given(st.integers(0, 2**32 - 1))
def test_shares_sum_to_one_and_are_never_zero(seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.full(512, 0.1), size=3)
    histogram = hsv_histogram(shares)
    assert histogram.shape == (3, 256)
    assert np.allclose(histogram.sum(axis=1), 1)
    assert histogram.min() == pytest.approx(1 / 1256)


@pytest.mark.parametrize(("colour", "hsv_bin"), COLOURS)
def test_a_picture_of_one_colour_fills_one_bin(colour: tuple[int, int, int], hsv_bin: int) -> None:
    shares = np.zeros((8, 8, 8))
    shares[colour] = 1
    histogram = hsv_histogram(shares.reshape(1, -1))[0]
    assert histogram.argmax() == hsv_bin
    assert histogram[hsv_bin] == pytest.approx(1001 / 1256)


def test_the_derived_histogram_is_close_to_the_authors_on_fox(real_data: Path) -> None:
    path = real_data / "fox" / "FOX_ImageFeatureNormalizedMat.mat"
    authors = read_mat(path)["imageFeatureNormalizedMat"].T
    rgb, hsv = authors[:, 24:536], authors[:, 536:792]
    derived = 0.5 + 0.5 * hsv_histogram(2 * rgb - 1)
    varying = np.ptp(hsv, axis=0) > 1e-9
    assert np.abs(derived - hsv)[:, ~varying].max() < 1e-9
    assert np.abs(derived - hsv).max() < 0.02
    assert np.abs(derived - hsv)[:, varying].mean() < 4e-4
