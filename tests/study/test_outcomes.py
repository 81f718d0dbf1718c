"""Outcomes of a source's samples: joined by ids or in order, of picked views, and found again without folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mvarena.contracts.reader import ReadOptions
from mvarena.contracts.source import OutcomeFile, Source
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.study.building import blocks_of
from mvarena.study.outcomes import outcomes_note, outcomes_of
from mvarena.study.settings import Layer, checked, laid_over
from mvarena.study.sources import data_source, load_source

CATALOG = installed_catalog()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Samples a to d in one view, b to e in the other; outcomes of all but c, in another order."""
    (tmp_path / "one.csv").write_text("id,x\na,1\nb,2\nc,3\nd,4\n")
    (tmp_path / "two.csv").write_text("id,x,y\nb,1,2\nc,3,4\nd,5,6\ne,7,8\n")
    (tmp_path / "clinic.csv").write_text("id,days,death,age\ne,5,1,50\nd,4,1,40\nb,2,0,20\na,1,1,10\n")
    return tmp_path


def source_in(folder: Path, **more: object) -> Source:
    source = Source.of_files([folder / "one.csv", folder / "two.csv"], **more)  # type: ignore[arg-type]
    return replace(source, outcomes=OutcomeFile(str(folder / "clinic.csv"), "days", "death"))


def times_of(source: Source) -> list[float]:
    content = data_source(source, CATALOG).content(load_source(source, CATALOG))
    table = outcomes_of(source, content, CATALOG)
    assert table is not None
    assert table.time is not None
    return table.time.tolist()


def test_rows_follow_the_order_of_the_data_or_of_the_views_that_are_picked(files: Path) -> None:
    for _ in range(2):  # when the files are read, and by remembered ids
        assert np.array_equal(times_of(source_in(files)), [1.0, 2.0, np.nan, 4.0, 5.0], equal_nan=True)
    assert np.array_equal(times_of(source_in(files, views=("two",))), [2.0, np.nan, 4.0, 5.0], equal_nan=True)


def test_ids_in_the_header_ask_for_the_orientation(files: Path) -> None:
    (files / "genes.csv").write_text(",a,b,d,e\n1,1,2,3,4\n2,3,4,5,6\n3,5,6,7,9\n")
    source = replace(
        Source.of_files(files / "genes.csv"), outcomes=OutcomeFile(str(files / "clinic.csv"), "days", "death")
    )
    with pytest.raises(
        InvalidData, match=r"ids of clinic\.csv stand in the header of genes.*orientation, columns"
    ) as raised:
        times_of(source)
    assert raised.value.field == "orientation"
    assert times_of(replace(source, options=ReadOptions(orientation="columns"))) == [1.0, 2.0, 4.0, 5.0]


def test_files_are_found_again_by_their_names(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_in(files)
    content = data_source(source, CATALOG).content(load_source(source, CATALOG))
    stored = Source.from_json(source.without_folders().to_json())
    assert stored.outcomes == OutcomeFile("clinic.csv", "days", "death")
    monkeypatch.chdir(files)
    assert outcomes_of(stored, content, CATALOG) is not None
    monkeypatch.chdir(files.parent)
    assert outcomes_of(source, content, CATALOG) is not None  # which is remembered
    assert outcomes_of(stored, content, CATALOG) is not None
    (files / "clinic.csv").unlink()
    with pytest.raises(DataUnavailable, match=r"The outcomes of one\+two \(clinic.csv\) were not found"):
        outcomes_of(stored, content, CATALOG)


def test_without_ids_there_is_a_row_for_each_sample(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("1,2\n3,4\n5,6\n")
    (tmp_path / "clinic.csv").write_text("days,death\n1,1\n2,0\n3,1\n")
    source = replace(
        Source.of_files(tmp_path / "one.csv"), outcomes=OutcomeFile(str(tmp_path / "clinic.csv"), "days", "death")
    )
    assert times_of(source) == [1.0, 2.0, 3.0]
    (tmp_path / "clinic.csv").write_text("days,death\n1,1\n2,0\n")
    with pytest.raises(InvalidData, match="one has 3 samples, and its outcomes have 2 rows"):
        times_of(source)


def test_a_sentence_says_what_is_known(files: Path) -> None:
    source = source_in(files)
    table = outcomes_of(source, "", CATALOG)
    assert table is not None
    text = "one+two: outcomes: survival of 4 of 5 samples (3 events) and 1 column (age); "
    text += "clinic.csv has rows of 4 of 5 samples."
    assert outcomes_note(source, table) == text


@pytest.mark.usefixtures("real_data")
def test_tumours_have_survival_in_the_order_of_the_patients() -> None:
    source = Source(dataset="tcga-gbm")
    table = outcomes_of(source, "", CATALOG)
    assert table is not None
    assert table.time is not None
    assert table.event is not None
    assert (table.time[:3].tolist(), int(table.event.sum())) == ([358.0, 144.0, 705.0], 199)
    survival, methylation = (
        next(path for path in data_source(source, CATALOG).files() if path.name == f"GLIO_{name}.csv")
        for name in ("Survival", "Methy_Expression")
    )
    rows = [[line[:14].strip('"').replace(".", "-")[:12] for line in path.read_text().splitlines()[1:]]
            for path in (survival, methylation)]  # fmt: skip
    assert rows[0] == rows[1]
    assert table.columns == {}


def settings(folder: Path, **values: object) -> Layer:
    words = {"algo": "concat", "data": "one.csv,two.csv", "clusters": 2}
    return Layer(checked({**words, **values}, ""), folder=folder)


def test_a_study_names_the_file_beside_it_and_other_data_have_none(files: Path) -> None:
    (block,) = blocks_of([laid_over([settings(files, outcomes="clinic.csv", time="days", event="death")])], CATALOG)
    (source,) = block.study.datasets
    assert source == source_in(files)
    merged = laid_over(
        [settings(files, outcomes="clinic.csv", time="days", event="death"), Layer({"data": ("digits",)})]
    )
    assert not {"outcomes", "time", "event"} & set(merged.settings)
    assert outcomes_of(Source(dataset="digits"), "", CATALOG) is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"outcomes": "clinic.csv", "time": "days"}, "name the event, too"),
        ({"outcomes": "clinic.csv", "event": "death"}, "name the time, too"),
        ({"time": "days", "event": "death"}, "name that file, too"),
    ],
)
def test_half_of_what_is_needed_is_refused(files: Path, values: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidSetting, match=message):
        blocks_of([laid_over([settings(files, **values)])], CATALOG)
