"""Results from Python: of a database and of what a run returned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import mvarena
from mvarena.cli.main import main
from mvarena.errors import InvalidData, InvalidSetting, StoreError, UnknownName

pytestmark = pytest.mark.usefixtures("kept_workers")

QUICK = {"repeats": 2, "restarts": 2}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "r.db"
    mvarena.run(["concat", "apmc"], "digits[fou,mor]", rates=[0.1, 0.3], db=path, repeats=1, restarts=2)
    return path


def test_labels_are_in_the_order_of_the_ids(tmp_path: Path) -> None:
    groups = np.arange(20) % 2
    views = [groups[:, None] * 9.0 + np.random.default_rng(v).normal(size=(20, 2)) for v in range(2)]
    data = mvarena.MultiViewData.from_arrays(views, n_clusters=2, ids=[f"P{i}" for i in range(20)], name="named")
    db = tmp_path / "named.db"
    run = mvarena.run("concat", data, corruptions="none", repeats=1, restarts=1, db=db)
    results, key = mvarena.Results(db), run.scores["key"].iloc[0]
    assert results.ids(key) == data.ids
    (labels,) = results.labels(key)
    assert len(set(zip(labels, groups, strict=True))) == 2


def test_a_database_and_the_frame_of_a_run_give_the_same(database: Path) -> None:
    stored = mvarena.Results(database)
    again = mvarena.run(["concat", "apmc"], "digits[fou,mor]", rates=[0.1, 0.3], db=database, repeats=1, restarts=2)
    frame = mvarena.Results(again.scores, db=database)
    assert len(stored) == len(frame) == len(again) == 4
    assert stored.summary().equals(frame.summary())
    assert repr(again) == repr(stored)
    assert stored.scores() is stored.scores
    assert not stored.scores.duplicated(["key", "metric"]).any()
    for one in (stored, frame):
        part = one.where(algorithms="apmc").where(rates="0.2:")
        assert (set(part.scores["algorithm"]), set(part.scores["rate"])) == ({"apmc"}, {0.3})
        assert [table.metric for table in one.showing("ari").table()] == ["ari"]
        key = part.scores["key"].iloc[0]
        assert [labels.shape for labels in one.labels(key[:12])] == [(2000,)]
        assert one.truth(key).shape == (2000,)
        assert one.ids(key) is None
    with pytest.raises(StoreError, match="labels are stored in the database"):
        mvarena.Results(again.scores).labels(key)


def test_a_frame_whose_index_repeats_is_filtered_by_its_rows(database: Path) -> None:
    scores = mvarena.Results(database).scores
    parts = [scores[scores["algorithm"] == name].reset_index(drop=True) for name in ("concat", "apmc")]
    found = mvarena.Results(pd.concat(parts)).where(algorithms="apmc").scores
    assert (set(found["algorithm"]), len(found)) == ({"apmc"}, len(parts[1]))


def test_a_notebook_shows_tables_and_figures(database: Path, tmp_path: Path) -> None:
    results = mvarena.Results(database)
    html = results._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 2
    assert "<b>" in html
    assert "APMC" in html or "apmc" in html
    figures = results.figures("rate")
    assert sorted(figures) == ["rate-acc", "rate-nmi"]
    assert figures["rate-acc"]._repr_png_().startswith(b"\x89PNG")
    assert b"<svg" in figures["rate-acc"].save(tmp_path / "f.svg").read_bytes()
    with pytest.raises(InvalidSetting, match=r"must end in .png, .svg or .pdf"):
        figures["rate-acc"].save(tmp_path / "f.jpg")


@pytest.mark.slow
def test_tables_are_printed_as_the_terminal_shows_them(database: Path, capsys, monkeypatch) -> None:
    tables = mvarena.Results(database).where(rates=0.3).table()
    monkeypatch.setenv("COLUMNS", "100")
    main(["report", "--db", str(database), "--rate", "0.3", "--table", "results", "--out", str(database.parent)])
    printed = capsys.readouterr().out
    assert len(repr(tables)) > 100
    assert [line.rstrip() for line in repr(tables).splitlines()] == [
        line.rstrip() for line in printed.splitlines()[: len(repr(tables).splitlines())]
    ]
    (table,) = tables
    assert repr(table) == repr(tables)
    assert table._repr_html_() == tables._repr_html_() == mvarena.Results(database).where(rates=0.3)._repr_html_()


def test_figures_and_data_have_a_short_form(database: Path) -> None:
    (figure,) = mvarena.Results(database).where(rates=0.3, algorithms="apmc").figures("bars").values()
    assert figure.caption.startswith("Bars: mean")
    assert repr(figure) == f"Picture({len(figure.points)} points)"
    data = mvarena.corrupt(mvarena.load_dataset("digits[fou,mor]"), "missing-even", 0.5)
    assert repr(data.views[0]) == "View(fou: 2000 x 76 features)"
    html = data._repr_html_()
    assert "digits[fou,mor]: 2000 samples, views fou 76, mor 6; 25% of the rows missing" in html
    assert f"<td>mor</td><td>features</td><td>6</td><td>{data.mask[:, 1].sum()}</td>" in html
    sparse_view = mvarena.View("<b>", sparse.csr_array(np.eye(3)))
    assert repr(sparse_view) == "View(<b>: 3 x 3 sparse features)"
    assert "&lt;b&gt;" in mvarena.MultiViewData("<i>", (sparse_view,))._repr_html_()


def test_what_is_no_result_is_said(database: Path) -> None:
    with pytest.raises(StoreError, match="no results database"):
        mvarena.Results("nowhere.db")
    with pytest.raises(InvalidSetting, match="not int"):
        mvarena.Results(3)
    with pytest.raises(UnknownName, match="Did you mean apmc"):
        len(mvarena.Results(database).where(algorithms="apcm"))
    with pytest.raises(UnknownName, match=r"no filter called 'data'.*Did you mean datasets"):
        mvarena.Results(database).where(data="digits")
    with pytest.raises(InvalidData, match="need the column"):
        len(mvarena.Results(mvarena.Results(database).scores[["key"]]))


def test_corrupt_gives_the_mask_of_a_run(database: Path) -> None:
    data = mvarena.load_dataset("digits[fou,mor]")
    missing = 1 - mvarena.corrupt(data, "missing-even", 0.3).mask.mean(axis=0)
    for trial in mvarena.Results(database).where(rates=0.3).scores["key"].unique():
        achieved = mvarena.Results(database).trial(trial)["achieved"]["views"]
        assert [achieved[name]["missing"] for name in data.view_names] == pytest.approx(list(missing))
    masks = [mvarena.corrupt(data, "missing-even", 0.3, **one).mask for one in ({}, {"seed": 0}, {"repeat": 1})]
    assert np.array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])


def test_paths_decibels_and_fillings_are_read_as_elsewhere(tmp_path: Path) -> None:
    views = [np.arange(24.0).reshape(12, 2) % 7, np.arange(24.0).reshape(12, 2) % 5]
    path = tmp_path / "toy.npz"
    np.savez(path, a=views[0], b=views[1], labels=np.arange(12) % 2)
    assert mvarena.load_dataset(path).n_samples == 12
    results = mvarena.run("concat", path, corruptions="none", repeats=1, restarts=1)
    assert set(results.scores["dataset"]) == {"toy"}
    named = mvarena.run("concat", {"mine": path}, corruptions="none", repeats=1, restarts=1)
    assert set(named.scores["dataset"]) == {"mine"}
    noisy = [mvarena.corrupt(views, "gaussian", rate).fingerprint for rate in ("10dB", 10, 20)]
    assert noisy[0] == noisy[1] != noisy[2]
    with pytest.raises(UnknownName, match="bogus"):
        mvarena.prepare(views, fill="bogus")


@pytest.mark.slow
def test_results_of_a_call_alone_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    views = [np.random.default_rng(0).random((20, 3)), np.random.default_rng(1).random((20, 2))]
    results = mvarena.run("concat", {"mine": views}, n_clusters=2, repeats=1, restarts=1, db=":memory:")
    assert set(results.scores["dataset"]) == {"mine"}
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreError, match="kept in a file"):
        mvarena.Results(":memory:")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("texts", r"'toy-\*' names [0-9]+ data sets; give each its own name"),
        ("digits", "there is a data set called 'digits'"),
        *((name, "is not a short name") for name in ("", "/home/me", "x" * 81)),
    ],
)
def test_a_name_that_data_cannot_have_is_refused(name: str, says: str) -> None:
    with pytest.raises(InvalidSetting, match=says):
        mvarena.run("concat", {name: "toy-*"})
