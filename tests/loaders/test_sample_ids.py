"""Sample ids of files: csv views are joined by them, .npz files keep them, and files without ids have none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from mvarena import MultiViewData, load_dataset
from mvarena.contracts.reader import ReadOptions
from mvarena.errors import InvalidData
from mvarena.readers.npz import write_npz
from mvarena.readers.specs import read_mat_file, read_npz_file, read_table_files


@pytest.fixture
def joined(tmp_path: Path) -> MultiViewData:
    """Two views that miss samples, joined by ids."""
    (tmp_path / "rna.csv").write_text("id,x,y\nP3,1,2\nP1,3,4\n")
    (tmp_path / "protein.csv").write_text("id,z\nP1,5\nP2,6\n")
    return read_table_files([tmp_path / "rna.csv", tmp_path / "protein.csv"], ReadOptions()).data


def test_joined_views_keep_the_ids(joined: MultiViewData) -> None:
    assert joined.ids == ("P3", "P1", "P2")
    assert joined.select_views(["protein"]).ids == ("P1", "P2")


def test_an_npz_file_brings_them_back(tmp_path: Path, joined: MultiViewData) -> None:
    write_npz(joined, tmp_path / "clean.npz")
    read = read_npz_file([tmp_path / "clean.npz"], ReadOptions())
    assert read.data.ids == joined.ids
    assert read.data.fingerprint == joined.fingerprint
    assert read.understood == ("it is in mvarena's form: 2 views of 3 samples, with their ids",)
    assert read.not_used == ()


def test_ids_in_an_npz_file_are_one_per_sample(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", view_names=np.array(["a"]), X0=np.eye(3), ids=np.array(["p", "q"]))
    with pytest.raises(InvalidData, match="2 sample ids and 3 samples"):
        read_npz_file([tmp_path / "a.npz"], ReadOptions())


def test_files_without_ids_have_none(tmp_path: Path) -> None:
    views = np.random.default_rng(0).normal(size=(6, 3))
    np.savez(tmp_path / "old.npz", view_names=np.array(["a"]), X0=views, kinds=np.array(["features"]))
    savemat(tmp_path / "a.mat", {"X": views, "y": np.arange(6) % 2})
    (tmp_path / "a.csv").write_text("1,2\n3,4\n")
    assert read_npz_file([tmp_path / "old.npz"], ReadOptions()).data.ids is None
    assert read_mat_file([tmp_path / "a.mat"], ReadOptions()).data.ids is None
    assert read_table_files([tmp_path / "a.csv"], ReadOptions()).data.ids is None
    assert load_dataset("digits").ids is None
