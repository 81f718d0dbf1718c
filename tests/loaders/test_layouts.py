"""Layouts of cards on small invented files of every format: where views, labels, ids and outcomes are found."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from array_files import cell, mat
from scipy import sparse
from scipy.io import mmwrite
from toy_cards import card_text

from mvarena.data import MultiViewData
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.loaders.cards import Card, read_card
from mvarena.loaders.layout import read_layout, read_outcomes_at
from mvarena.loaders.places import Places

N = 6
A = np.arange(N * 4, dtype=float).reshape(N, 4) + 1
B = np.arange(N * 3, dtype=float).reshape(N, 3) - 5
IDS = ["s1", "s2", "s3", "s4", "s5", "s6"]


def card(
    folder: Path, layout: str, views: dict[str, str], files: list[str], *, above: str = "", below: str = ""
) -> Card:
    """A card of these files; `views` has what is said of each view beside its name."""
    text = card_text(dict.fromkeys(files, b"1"), f"{above}[layout]\n{layout}", samples=N, views=views)
    (folder / "toy").mkdir()
    (folder / "toy" / "card.toml").write_text(text + below)
    return read_card(folder / "toy" / "card.toml")


def read(folder: Path, layout: str, views: dict[str, str], files: list[str], **further: str) -> MultiViewData:
    return read_layout(card(folder, layout, views, files, **further), {name: folder / name for name in files})


def test_items_of_a_cell_array_with_samples_as_columns(tmp_path: Path) -> None:
    mat(tmp_path, X=cell(A.T, B.T), y=[[2, 1, 2, 1, 1, 2]])
    data = read(tmp_path, 'views = "X{#}"\nlabels = "y"\ntransposed = true', {"a": "", "b": ""}, ["a.mat"])
    assert np.array_equal(data.views[0].matrix, A)
    assert np.array_equal(data.views[1].matrix, B)
    assert [data.classes[code] for code in data.labels] == list("212112")


def test_columns_pages_transposes_and_indicators_of_classes(tmp_path: Path) -> None:
    kernel = np.eye(N) + 1
    truth = np.eye(3)[[0, 2, 1, 1, 0, 2]]
    mat(tmp_path, T=A, K=np.stack([kernel, 2 * kernel], axis=2), U=B.T, truth=truth)
    said = {"tail": 'place = "T(:,2:4)"', "turned": 'place = "U\'"', "page": 'place = "K(:,:,2)"'}
    data = read(tmp_path, 'labels = "truth"', said, ["a.mat"])
    assert np.array_equal(data.views[0].matrix, A[:, 1:4])
    assert np.array_equal(data.views[1].matrix, B)
    assert np.array_equal(data.views[2].matrix, 2 * kernel)
    assert data.labels.tolist() == [0, 2, 1, 1, 0, 2]


def test_parts_below_each_other_and_named_classes(tmp_path: Path) -> None:
    mat(tmp_path, first=A[:4], rest=A[4:], y1=[1, 1, 10, 10], y2=[1.0, 10.0])
    layout = 'labels = ["y1", "y2"]\n[layout.classes]\n10 = "ten"'
    data = read(tmp_path, layout, {"a": 'place = ["first", "rest"]'}, ["a.mat"])
    assert np.array_equal(data.views[0].matrix, A)
    assert [data.classes[code] for code in data.labels] == ["1", "1", "ten", "ten", "1", "ten"]


def test_samples_that_stand_class_by_class(tmp_path: Path) -> None:
    mat(tmp_path, a=A)
    below = "[class_counts]\nmany = 4\nfew = 2\n"
    data = read(tmp_path, 'labels = "sorted"', {"a": ""}, ["a.mat"], below=below)
    assert [data.classes[code] for code in data.labels] == ["many"] * 4 + ["few"] * 2


def table(values: np.ndarray, ids: list[str]) -> pd.DataFrame:
    return pd.DataFrame(values, index=ids, columns=[f"f{i}" for i in range(values.shape[1])])


def test_tables_are_joined_by_ids_whichever_way_they_lie(tmp_path: Path) -> None:
    order = [3, 0, 5, 1]
    table(A, IDS).to_csv(tmp_path / "a.csv")
    table(B[order], [IDS[i] for i in order]).T.to_csv(tmp_path / "b.csv")
    said = {"a": 'place = "a.csv"', "b": 'place = "b.csv"'}
    data = read(tmp_path, 'ids = "rows"', said, ["a.csv", "b.csv"])
    assert data.ids == tuple(IDS)
    assert data.mask.tolist() == [[True, i in order] for i in range(N)]
    assert np.array_equal(data.views[1].matrix[sorted(order)], B[sorted(order)])
    assert (data.labels, data.n_clusters) == (None, 2)


def test_numbers_of_tables_are_those_that_their_text_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    values = rng.random((N, 5)) * 10.0 ** rng.integers(-8, 8, (N, 5))
    np.savetxt(tmp_path / "a", values, fmt="%.17g")
    data = read(tmp_path, "header = false", {"a": ""}, ["a"])
    assert np.array_equal(data.views[0].matrix, values)


def test_longer_ids_codes_columns_beside_and_samples_left_out(tmp_path: Path) -> None:
    frame = table(A, [f"{name}-x" for name in IDS])
    frame["f1"] = ["low", "high", "low", "low", "high", "low"]
    frame.to_csv(tmp_path / "a.csv")
    table(B, [f"{name}-x" for name in IDS]).to_csv(tmp_path / "b.csv")
    pd.DataFrame({"kind": ["k1", "?", "k2", "k1", "k2", "?"]}, index=IDS).to_csv(tmp_path / "y.csv")
    layout = 'ids = "y.csv:index"\nid_letters = 2\nlabels = "y.csv:kind"\nleave_out = ["?"]\n'
    layout += "label_pattern = '^k?(.)'\n[layout.codes]\nlow = 1\nhigh = 3"
    said = {"a": 'place = "a.csv"\nbeside = ["b.csv:f2"]'}
    data = read(tmp_path, layout, said, ["a.csv", "b.csv", "y.csv"])
    kept = [0, 2, 3, 4]
    expected = np.hstack([A, B[:, 2:]])[kept]
    expected[:, 1] = [1, 1, 1, 3]
    assert np.array_equal(data.views[0].matrix, expected)
    assert data.ids == tuple(IDS[i] for i in kept)
    assert [data.classes[code] for code in data.labels] == ["1", "2", "1", "2"]


def test_columns_of_other_samples_are_not_put_beside(tmp_path: Path) -> None:
    table(A, IDS).to_csv(tmp_path / "a.csv")
    table(B, IDS[::-1]).to_csv(tmp_path / "b.csv")
    with pytest.raises(InvalidData, match="'a' do not list the same samples"):
        read(tmp_path, "", {"a": 'place = "a.csv"\nbeside = ["b.csv"]'}, ["a.csv", "b.csv"])


def test_text_where_numbers_are_to_be_is_named(tmp_path: Path) -> None:
    table(A, IDS).assign(f1="low").to_csv(tmp_path / "a.csv")
    with pytest.raises(InvalidData, match=r"'a\.csv' is not a table of numbers: .*low"):
        read(tmp_path, "", {"a": 'place = "a.csv"'}, ["a.csv"])


def test_members_of_an_archive_and_rows_that_all_views_observe(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        for name, matrix in (("a.mtx", A), ("b.mtx", B[:4])):
            stream = io.BytesIO()
            mmwrite(stream, sparse.coo_array(matrix))
            entry = tarfile.TarInfo(f"folder/{name}")
            entry.size = stream.tell()
            stream.seek(0)
            archive.addfile(entry, stream)
    (tmp_path / "a.docs").write_text("\n".join(IDS))
    (tmp_path / "b.docs").write_text("\n".join(IDS[2:]))
    (tmp_path / "y.clist").write_text("sport: s1,s2, s4\npolitics: s3,s5,s6\n")
    said = {name: f'ids = "{name}.docs"' for name in "ab"}
    layout = 'views = "a.tar.gz:*.mtx"\nlabels = "y.clist:topic"\nids = "y.clist:index"\ncomplete = true'
    data = read(tmp_path, layout, said, ["a.tar.gz", "a.docs", "b.docs", "y.clist"])
    assert data.ids == tuple(IDS[2:])
    assert [data.classes[code] for code in data.labels] == ["politics", "sport", "politics", "politics"]
    matrices = [view.matrix.toarray() if view.is_sparse else view.matrix for view in data.views]
    assert np.array_equal(matrices[0], A[2:])
    assert np.array_equal(matrices[1], B[:4])


@pytest.mark.parametrize("place", ["Z", "X{9}", "X{1}$name", "y(:,:,1)"])
def test_a_place_that_is_not_there_is_named_with_its_file(tmp_path: Path, place: str) -> None:
    mat(tmp_path, X=cell(A), y=[[1, 2]])
    with pytest.raises(InvalidData, match=r"a\.mat has no '.*', which 'toy' is read from.*its card"):
        Places("toy", {"a.mat": tmp_path / "a.mat"}).value(place)


# files of R


def test_a_file_of_r_without_the_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdata", None)
    with pytest.raises(DataUnavailable, match=r"a\.rda .*pip install 'mvarena\[rda\]'"):
        Places("toy", {"a.rda": tmp_path / "a.rda"}).value("x")


def saved_rda(path: Path, **objects: object) -> None:
    rdata = pytest.importorskip("rdata", reason="the package rdata, which reads files of R, is not installed")
    rdata.write_rda(path, objects)


def test_lists_and_data_frames_of_r(tmp_path: Path) -> None:
    frame = table(A, IDS).assign(site=pd.Categorical(["u", "v", "u", "v", "u", "u"]))
    frame.index, frame.columns = (pd.Index(list(names), dtype=object) for names in (frame.index, frame.columns))
    parts = {"b": B, "rest": frame}
    saved_rda(tmp_path / "a.rda", all=parts)
    said = {"a": 'place = "all$rest[,1:4]"', "b": 'place = "all$b"'}
    data = read(tmp_path, 'ids = "rows"\nlabels = "all$rest$site"', said, ["a.rda"])
    assert data.ids == tuple(IDS)
    assert np.array_equal(data.views[0].matrix, A)
    assert np.array_equal(data.views[1].matrix, B)
    assert [data.classes[code] for code in data.labels] == list("uvuvuu")


def test_outcomes_in_a_file_of_r_take_the_first_time_that_is_known(tmp_path: Path) -> None:
    gone = -(2**31)  # NA of integers
    table_of_r = {
        "to_death": np.array([5, gone, 9, gone, gone, 1], dtype=np.int32),
        "followed": np.array([gone, 7, gone, gone, 3, 8], dtype=np.int32),
        "dead": np.array([1, 0, 1, 0, 0, gone], dtype=np.int32),
        "grade": np.array(["low", "high", "low", "high", "low", "low"]),
    }
    saved_rda(tmp_path / "a.rda", clinic=table_of_r)
    below = '[outcomes]\nfile = "a.rda"\nplace = "clinic"\n'
    below += 'time = "to_death followed"\nevent = "dead"\ncolumns = ["grade"]\n'
    made = card(tmp_path, "", {"a": 'place = "clinic"'}, ["a.rda"], below=below)
    outcomes = read_outcomes_at(made, {"a.rda": tmp_path / "a.rda"})
    assert outcomes.time is not None
    assert outcomes.time[[0, 1, 2, 4]].tolist() == [5, 7, 9, 3]
    assert outcomes.known.tolist() == [True, True, True, False, True, False]
    assert outcomes.event is not None
    assert outcomes.event.tolist() == [True, False, True, False, False, False]
    assert outcomes.columns["grade"].tolist() == table_of_r["grade"].tolist()


@pytest.mark.parametrize("content", [b"", b"RDX3\nX\n\0\0", b"\x1f\x8b\x08\0\0\0\0\0", b"no file of R at all"])
def test_a_damaged_file_of_r_is_named(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("rdata", reason="the package rdata, which reads files of R, is not installed")
    (tmp_path / "a.RData").write_bytes(content)
    with pytest.raises(InvalidData, match=r"a\.RData cannot be read as a file of R"):
        Places("toy", {"a.RData": tmp_path / "a.RData"}).value("x")
