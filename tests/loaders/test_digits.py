"""The bundled digits are the same numbers everywhere; the publisher's files give the same digits unrounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mvarena.loaders.dataset import load_carded

VIEWS = ("fou", "fac", "kar", "pix", "zer", "mor")
FINGERPRINT = "bdc8d3737688e85f956f9067f546ae6fe1a098c01dd51bedb46481438f23608c"
ROUNDING = {"fou": 6e-6, "fac": 0, "kar": 6e-4, "pix": 0, "zer": 6e-3, "mor": 0.5}


def test_the_fingerprint_never_changes() -> None:
    assert load_carded("digits").fingerprint == FINGERPRINT


def test_statistics() -> None:
    data = load_carded("digits")
    assert data.view_names == VIEWS
    assert [view.n_features for view in data.views] == [76, 216, 64, 240, 47, 6]
    assert np.bincount(data.labels).tolist() == [200] * 10
    assert data.is_complete
    assert data.n_clusters == 10
    assert [view.matrix.min() < 0 for view in data.views] == [name == "kar" for name in VIEWS]


def test_numbers_come_back_as_they_were_printed() -> None:
    first = {view.name: view.matrix[0] for view in load_carded("digits").views}
    assert first["fou"][:3].tolist() == [0.065882, 0.19731, 0.10383]
    assert first["zer"][:3].tolist() == [0.011033, 0.83147, 15.352]
    assert first["mor"].tolist() == [1, 0, 0, 133.15, 1.3117, 1620.2]


def test_the_seed_is_ignored() -> None:
    assert load_carded("digits").fingerprint == load_carded("digits", 1).fingerprint


@pytest.mark.usefixtures("real_data")
def test_the_bundle_is_the_publishers_data_rounded() -> None:
    bundled, original = load_carded("digits"), load_carded("digits-uci")
    assert np.array_equal(bundled.labels, original.labels)
    for ours, theirs in zip(bundled.views, original.views, strict=True):
        assert np.abs(ours.matrix - theirs.matrix).max() <= ROUNDING[ours.name]


def test_the_publishers_files_match_the_verified_numbers(verified_npz: Path) -> None:
    data = load_carded("digits-uci")
    with np.load(verified_npz / "digits.npz", allow_pickle=False) as expected:
        assert np.array_equal(data.labels, expected["y"])
        for i, view in enumerate(data.views):
            assert np.array_equal(view.matrix, expected[f"X{i}"])
