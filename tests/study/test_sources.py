"""Sources of data: values that are made once, from what users type, from files and from data in memory."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.contracts.reader import ReadOptions
from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting, UnknownName
from mvarena.registry.catalog import installed_catalog
from mvarena.study.building import blocks_of
from mvarena.study.families import left_out_notes
from mvarena.study.plan import plan_blocks
from mvarena.study.settings import Layers, checked
from mvarena.study.sources import (
    data_source,
    load_source,
    source_from_text,
    source_of_data,
    sources_from_text,
    understand_source,
)

CATALOG = installed_catalog()


@pytest.fixture(autouse=True)
def _in_a_folder_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))


def absolute(*names: str) -> tuple[str, ...]:
    return tuple(str(Path(name).absolute()) for name in names)


# what users type


@pytest.mark.parametrize(
    ("text", "paths", "views", "name"),
    [
        ("digits", (), (), "digits"),
        (" digits[ fou , fac ]", (), ("fou", "fac"), "digits[fou,fac]"),
        ("my/data.mat", ("my/data.mat",), (), "data"),
        ("data.npz[a, b]", ("data.npz",), ("a", "b"), "data[a,b]"),
        ("a.csv,b.csv[b]", ("a.csv", "b.csv"), ("b",), "a+b[b]"),
        ("1.csv, 2.csv,3.csv,4.csv", ("1.csv", "2.csv", "3.csv", "4.csv"), (), "1+3"),
    ],
)
def test_data_sets_and_files_that_are_yet_to_come(
    text: str, paths: tuple[str, ...], views: tuple[str, ...], name: str
) -> None:
    source = source_from_text(text, CATALOG)
    assert (source.paths, source.dataset) == (absolute(*paths), "" if paths else "digits")
    assert (source.views, source.name) == (views, name)


@pytest.mark.parametrize("name", ["faces[1].npz", "a,b.npz", "what?.npz", " .npz"])
def test_a_file_as_typed_is_that_file(name: str) -> None:
    np.savez(name, X1=np.arange(12.0).reshape(6, 2), X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    source = source_from_text(name, CATALOG)
    assert (source.paths, source.views, source.name) == (absolute(name), (), name.removesuffix(".npz").strip() or name)
    assert load_source(source, CATALOG).n_views == 2
    picked = source_from_text(f"{name}[X2]", CATALOG)
    assert (picked.paths, picked.views) == (absolute(name), ("X2",))
    assert load_source(picked, CATALOG).view_names == ("X2",)


def test_a_comma_inside_a_file_that_is_there_separates_nothing() -> None:
    for name in ("a,1.csv", "b.csv"):
        Path(name).write_text("1,2\n3,4\n")
    assert source_from_text("a,1.csv,b.csv").paths == absolute("a,1.csv", "b.csv")
    assert source_from_text("b.csv,a,1.csv").paths == absolute("b.csv", "a,1.csv")
    assert load_source("a,1.csv,b.csv", CATALOG).view_names == ("a,1", "b")


def test_a_file_that_is_called_like_a_data_set_keeps_its_ending() -> None:
    named = sources_from_text(["my/digits.mat[x]", "my/faces.mat", "digits"], CATALOG)
    assert [source.name for source in named] == ["digits.mat[x]", "faces", "digits"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("digts", UnknownName, "Did you mean digits.*The name of your own file needs an ending, such as .npz"),
        ("x.xlsx", InvalidSetting, r"data files end in \.csv"),
        ("a.csv,b.mat", InvalidSetting, "several types"),
        ("x.mat[]", InvalidSetting, "selects no view"),
        ("toy-blobs[a", InvalidSetting, "not a data set name"),
        ("", InvalidSetting, "not a data set name"),
    ],
)
def test_text_that_says_nothing(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        source_from_text(text, CATALOG)
    assert raised.value.field == "datasets"


@pytest.mark.parametrize(
    ("field", "value"),
    [("orientation", "rows"), ("labels", "y.csv"), ("drop", ("a", "b"))],
)
def test_how_to_read_a_file_says_nothing_of_a_data_set(field: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=f"{field} is for your own files.*'digits'") as raised:
        source_from_text("digits", **{field: value})
    assert (raised.value.field, raised.value.value) == (field, value)
    source = source_from_text("a.csv", **{field: value})
    assert source.name == "a"
    assert Source.from_json(source.to_json()) == source
    assert source != source_from_text("a.csv")


@pytest.mark.parametrize(("field", "value"), [("header", "no"), ("decimal", "comma"), ("drop", ("a",))])
def test_options_of_tables_are_for_no_other_files(field: str, value: str) -> None:
    np.savez("a.npz", X=np.ones((3, 2)))
    with pytest.raises(InvalidSetting, match=rf"{field} is for \.csv files"):
        understand_source(source_from_text("a.npz", **{field: value}), CATALOG)


# values


_NAMES = st.text(min_size=1, max_size=8)
_SOURCES = st.one_of(
    st.builds(Source, dataset=_NAMES, views=st.lists(_NAMES, max_size=3).map(tuple)),
    st.builds(
        Source,
        paths=st.lists(_NAMES, min_size=1, max_size=3).map(tuple),
        views=st.lists(_NAMES, max_size=3).map(tuple),
        options=st.builds(ReadOptions, st.sampled_from([None, "rows", "columns"]), st.none() | _NAMES),
        name=st.text(max_size=8),
    ),
)


@given(_SOURCES)
def test_a_source_is_a_value_that_survives_json_and_pickle(source: Source) -> None:
    text = source.to_json()
    assert text.isascii()
    assert "\n" not in text
    for back in (Source.from_json(text), pickle.loads(pickle.dumps(source))):
        assert back == source
        assert hash(back) == hash(source)
    assert sources_from_text([source, source], CATALOG) == (source,)


@pytest.mark.parametrize("text", ["", "[]", "7", '{"dataset":"a","paths":["b"]}', '{"colour":"red"}', '{"paths":3}'])
def test_other_text_is_no_source(text: str) -> None:
    with pytest.raises(InvalidData, match="does not describe a source"):
        Source.from_json(text)


# what they stand for


def test_the_content_of_drawn_data_is_their_generator() -> None:
    for text, content in (("toy-drawn", "generated:toy-drawn:1"), ("toy-drawn[b,a]", "generated:toy-drawn[b,a]:1")):
        source = data_source(source_from_text(text), CATALOG)
        assert source.generated
        assert source.content(source.load(3)) == content
    fixed = data_source(source_from_text("toy-blobs"), CATALOG)
    assert fixed.content(fixed.load(0)) == fixed.load(1).fingerprint


def test_files_say_whether_they_are_there() -> None:
    Path("a.csv").write_text("1,2\n3,4\n")
    source = data_source(Source.of_files(["a.csv", "b.csv"]), CATALOG)
    card = source.describe()
    assert (card.state, card.bytes, card.missing) == ("manual", 8, absolute("b.csv"))
    assert [check.problem for check in source.verify()] == [None, "not available"]
    with pytest.raises(DataUnavailable, match=r"There is no file .*b\.csv"):
        source.fetch()


def test_a_missing_file_and_a_file_that_is_written_again() -> None:
    with pytest.raises(DataUnavailable, match=r"There is no file .*x\.npz"):
        load_source("x.npz", CATALOG)
    np.savez("x.npz", X1=np.arange(12.0).reshape(6, 2), X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    first = load_source("x.npz", CATALOG)
    assert (first.n_samples, first.n_views, first.n_clusters) == (6, 2, 3)
    assert load_source("x.npz", CATALOG) is first
    np.savez("x.npz", X1=np.arange(12.0).reshape(6, 2) + 1, X2=np.eye(6)[:, :3], y=[0, 0, 1, 1, 2, 2])
    os.utime("x.npz", ns=(1, 1))
    assert load_source("x.npz", CATALOG).fingerprint != first.fingerprint


# data in memory


def some_data(name: str = "mine") -> MultiViewData:
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(8, 3))
    dense[2] = np.nan
    square = rng.random((8, 8))
    return MultiViewData.from_arrays(
        [dense, sparse.random_array((8, 20), density=0.1, rng=rng), square + square.T + 8 * np.eye(8)],
        labels=["a", "b"] * 4,
        name=name,
        view_names=["dense", "sparse", "kernel"],
        kinds=["features", "features", "kernel"],
    )


def test_data_in_memory_come_back_as_they_are_and_classes_of_other_names_are_other_data() -> None:
    one = some_data()
    other = MultiViewData(one.name, one.views, one.mask, one.labels, one.n_clusters, ("x", "y"))
    assert one.fingerprint == other.fingerprint
    for data in (one, other):
        source = source_of_data(data)
        back = load_source(Source.from_json(source.to_json()), CATALOG)
        assert (back.fingerprint, back.name, back.classes) == (data.fingerprint, source.name, data.classes)
    unnamed = [source_of_data([np.eye(4)[:, :3] + shift]).name for shift in (0, 1)]
    assert unnamed[0] != unnamed[1]


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("where the cache should be")
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataUnavailable, match="MVARENA_CACHE"):
        source_of_data(some_data())


# patterns


def test_a_pattern_means_what_is_at_hand_and_the_rest_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    names = [source.name for source in sources_from_text(["digits*[fou]", "synthetic-a*"], CATALOG)]
    assert names == ["digits[fou]", "synthetic-apmc"]
    assert left_out_notes(["digits*[fou]", "synthetic-a*", "digits", "my/*.mat", "*.npz"], CATALOG) == (
        "digits*: digits-uci is not available and left out (mvarena data fetch NAME).",
    )
    (ready,) = left_out_notes(["ready"], CATALOG)
    assert re.fullmatch(r"ready: \d+ of \d+ data sets are available \(mvarena data list\)\.", ready)
    said = Layers(checked({"algo": "concat", "data": "digits*"}, ""), {})
    (block,) = blocks_of([said], CATALOG)
    plan = plan_blocks([block], CATALOG)
    assert plan.notes[0].startswith("digits*: digits-uci is not available")
    assert {trial.dataset for trial in plan.trials} == {"digits"}
    with pytest.raises(
        InvalidSetting, match=r"'webkb-t\*' means \(webkb-texas\) is available; .* 'mvarena data fetch NAME'"
    ):
        sources_from_text(["webkb-t*"], CATALOG)
