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


@pytest.mark.parametrize("header", ["patient", "Patient ID", "sample_id", "caseID", "pid"])
def test_a_column_named_as_ids_are_holds_ids_although_they_are_numbers(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header},x\n12,1\n7,2\n9,3\n")
    (tmp_path / "b.csv").write_text(f"{header},y\n9,30\n12,10\n")
    data = read_table_files([tmp_path / "a.csv", tmp_path / "b.csv"], ReadOptions()).data
    assert data.ids == ("12", "7", "9")
    np.testing.assert_array_equal(data.views[1].matrix.ravel(), [10, 0, 30])
    np.testing.assert_array_equal(data.mask[:, 1], [True, False, True])


@pytest.mark.parametrize("header", ["grid", "solid", "x"])
def test_a_column_of_one_file_that_is_not_named_as_ids_is_a_feature(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header},y\n12,1\n7,2\n9,3\n")
    data = read_table_files([tmp_path / "a.csv"], ReadOptions()).data
    assert data.ids is None
    assert data.views[0].matrix.shape == (3, 2)


def test_distinct_numbers_under_one_header_in_all_files_are_ids(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("pt,x\n12,1\n7,2\n9,3\n")
    (tmp_path / "b.csv").write_text("pt,y\n9,30\n7,20\n12,10\n")
    found = read_table_files([tmp_path / "a.csv", tmp_path / "b.csv"], ReadOptions())
    assert found.data.ids == ("12", "7", "9")
    np.testing.assert_array_equal(found.data.views[1].matrix.ravel(), [10, 20, 30])
    assert "sample ids in the first column" in found.understood[0]
    (tmp_path / "b.csv").write_text("pt,y\n90,30\n70,20\n120,10\n")
    with pytest.raises(InvalidData, match="no sample id in common"):
        read_table_files([tmp_path / "a.csv", tmp_path / "b.csv"], ReadOptions())


@pytest.mark.parametrize(
    "files",
    [
        ("pt,x\n12,1\n7,2\n9,3\n", "pt,y\n9,30\n9,20\n12,10\n"),
        ("pt,x\n12,1\n7,2\n9,3\n", "pd,y\n9,30\n7,20\n12,10\n"),
        ("V1,V2\n12,1\n7,2\n9,3\n", "V1,V2\n9,30\n7,20\n12,10\n"),
        ("pt,x\n1.5,1\n7.5,2\n9.5,3\n", "pt,y\n9.5,30\n7.5,20\n1.5,10\n"),
    ],
    ids=["not-distinct", "other-header", "a-series", "decimals"],
)
def test_other_numbers_under_a_header_are_a_feature(tmp_path: Path, files: tuple[str, str]) -> None:
    for name, text in zip("ab", files, strict=True):
        (tmp_path / f"{name}.csv").write_text(text)
    data = read_table_files([tmp_path / "a.csv", tmp_path / "b.csv"], ReadOptions()).data
    assert data.ids is None
    assert [view.n_features for view in data.views] == [2, 2]


def test_texts_that_are_named_as_ids_are_the_ids_of_mat_and_npz_files(tmp_path: Path) -> None:
    views, names = np.random.default_rng(0).normal(size=(6, 3)), [f"s{i}" for i in range(6)]
    savemat(tmp_path / "a.mat", {"X": views, "y": np.arange(6) % 2, "sample_names": np.array(names, dtype=object)})
    np.savez(tmp_path / "a.npz", X=views, y=np.arange(6) % 2, ids=np.array(names))
    for found in (
        read_mat_file([tmp_path / "a.mat"], ReadOptions()),
        read_npz_file([tmp_path / "a.npz"], ReadOptions()),
    ):
        assert found.data.ids == tuple(names)
        assert not found.not_used
    np.savez(tmp_path / "a.npz", X=views, y=np.arange(6) % 2, ids=np.array(["s"] * 6))
    again = read_npz_file([tmp_path / "a.npz"], ReadOptions())
    assert again.data.ids is None
    assert again.not_used == ("ids (6 texts)",)


def test_ids_of_views_in_other_orders_are_refused(tmp_path: Path) -> None:
    views = {name: np.random.default_rng(0).normal(size=(6, 3)) for name in ("rna", "prot")}
    names = np.array([f"s{i}" for i in range(6)])
    np.savez(tmp_path / "a.npz", **views, rna_ids=names, prot_ids=names, y=np.arange(6) % 2)
    assert read_npz_file([tmp_path / "a.npz"], ReadOptions()).data.ids == tuple(names)
    np.savez(tmp_path / "a.npz", **views, rna_ids=names, prot_ids=names[::-1], y=np.arange(6) % 2)
    with pytest.raises(InvalidData, match="rna_ids and prot_ids list the samples in different orders"):
        read_npz_file([tmp_path / "a.npz"], ReadOptions())


def test_row_numbers_from_0_and_from_1_are_no_common_ids(tmp_path: Path) -> None:
    a, b, y = (tmp_path / name for name in ("a.csv", "b.csv", "y.csv"))
    lines = [f",{i % 7}.5,{i % 5}.5\n" for i in range(9)]
    a.write_text(",p,q\n" + "".join(f"{i}{line}" for i, line in enumerate(lines)))
    b.write_text(",r,s\n" + "".join(f"{i}{line}" for i, line in enumerate(lines, start=1)))
    y.write_text(",class\n" + "".join(f"{i},{i % 2}\n" for i in range(1, 10)))
    for views, options in (([a, b], ReadOptions()), ([a], ReadOptions(labels=str(y)))):
        with pytest.raises(
            InvalidData, match=r"a numbers its rows from 0, and (b|y.csv) from 1|a.csv numbers its rows"
        ):
            read_table_files(views, options)
    assert read_table_files([b], ReadOptions(labels=str(y))).data.n_clusters == 2
