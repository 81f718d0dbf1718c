"""The data sets that come with mvarena are there without any folder of data, and never change."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from mvarena.loaders.cards import load_card
from mvarena.loaders.dataset import load_carded
from mvarena.loaders.specs import cards_root

FINGERPRINTS = {
    "digits": "bdc8d3737688e85f956f9067f546ae6fe1a098c01dd51bedb46481438f23608c",
    "dermatology": "c9a0e41b40007c937ff913fd21e47e8a405b1da2ae60304bcb3a7fb7af6a0a18",
    "wdbc": "979b85ed2b8ae79aa24defbc1e57bf9bbf912bb146dbc1d1283c3420712c72bc",
    "segment": "702fe72796cca2c6863feb0c1931e19ec5b7b7c285f3f3d16a734c190df673dc",
    "covid-serology": "afc9a8d0d3c1fb1899c1c92a7f4f3a79cb91e72179878668b13ba7f2472c7bc7",
}


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_a_bundle_is_there_with_nothing_set(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path))
    data = load_carded(name)
    assert data.fingerprint == FINGERPRINTS[name]
    assert data.is_complete
    assert load_card(name).redistributable


def test_their_files_are_small() -> None:
    sizes = [path.stat().st_size for path in cards_root().glob("*/*.npz")]
    assert len(sizes) >= 4
    assert sum(sizes) < 2.5e6


def test_a_bundle_is_built_from_the_publishers_file(real_data: Path, tmp_path: Path) -> None:
    build = runpy.run_path(str(cards_root() / "build.py"))
    build["write"](tmp_path / "a.npz", build["dermatology"](real_data / "dermatology" / "dermatology.mat"))
    assert (tmp_path / "a.npz").read_bytes() == (cards_root() / "dermatology" / "dermatology.npz").read_bytes()
