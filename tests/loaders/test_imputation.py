"""Single values that are missing in CSV files: an error that says what to do, or filled in and said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from user_files import understand

from mvarena.contracts.reader import ReadOptions
from mvarena.contracts.source import Source
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.readers.imputation import complete
from mvarena.readers.specs import read_table_files

HOLES = "id,height,weight\np1,1.0,2.0\np2,,4.0\np3,3.0,9.0\np4,,\n"
OTHER = "id,age\np1,30\np2,41\np3,52\np4,63\n"


def write(folder: Path, text: str, name: str = "a.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_a_hole_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidData, match=r"1 values \(16\.7 %\) are missing in rows that have others; --impute median"
    ):
        understand(write(tmp_path, HOLES))


def test_the_median_stands_in_and_a_missing_sample_stays_missing(tmp_path: Path) -> None:
    files = [write(tmp_path, HOLES), write(tmp_path, OTHER, "b.csv")]
    result = read_table_files(files, ReadOptions(impute="median"))
    assert result.data.views[0].matrix[:3, 0].tolist() == [1.0, 2.0, 3.0]
    assert result.data.mask[:, 0].tolist() == [True, True, True, False]
    assert result.imputed == "1 single values (10.0 %) are filled in by median"
    assert result.data.ids == ("p1", "p2", "p3", "p4")
    assert result.features == (("height", "weight"), ("age",))


def test_near_rows_stand_in_whatever_the_units_of_the_columns() -> None:
    generator = np.random.default_rng(0)
    group = np.repeat([0.0, 10.0], 20)
    values = group[:, None] + generator.normal(size=(40, 3)) * 0.1
    holes = values.copy()
    holes[3, 2] = holes[25, 0] = np.nan
    (found,), _ = complete([Path("a.csv")], [holes], "knn")
    assert found[3, 2] == pytest.approx(0.0, abs=0.5)
    assert found[25, 0] == pytest.approx(10.0, abs=0.5)
    units = np.array([1.0, 1e6, 1e-3])
    (scaled,), _ = complete([Path("a.csv")], [holes * units], "knn")
    assert scaled / units == pytest.approx(found)
    kept = ~np.isnan(holes)
    assert np.array_equal(found[kept], holes[kept])


def test_a_column_without_values_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="column 'b' has no value"):
        read_table_files([write(tmp_path, "id,a,b\nx,1,\ny,2,\n")], ReadOptions(impute="median"))


def test_what_is_imputed_is_part_of_the_source_and_of_no_other_form(tmp_path: Path) -> None:
    source = Source.of_files(tmp_path / "a.csv", impute="knn")
    assert Source.from_json(source.to_json()) == source
    assert '"impute"' not in Source.of_files(tmp_path / "a.csv").to_json()
    with pytest.raises(InvalidSetting, match="'median' or 'knn'"):
        ReadOptions(impute="mean")
    with pytest.raises(InvalidSetting, match="'digits' is a data set"):
        Source(dataset="digits", options=ReadOptions(impute="median"))
