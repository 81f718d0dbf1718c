"""Single values that are missing in files: an error that says what to do, or filled in and said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from array_files import WRITERS, npz
from user_files import read, refused, understand

from mvarena.contracts.reader import ReadOptions
from mvarena.contracts.source import Source
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.readers.imputation import complete

HOLES = "id,height,weight\np1,1.0,2.0\np2,,4.0\np3,3.0,9.0\np4,,\n"
OTHER = "id,age\np1,30\np2,41\np3,52\np4,63\n"
A = np.random.default_rng(0).normal(size=(12, 4))
WITH_HOLE = A.copy()
WITH_HOLE[3, 1] = np.nan
Y = np.arange(12) % 3


def test_the_median_stands_in_and_a_missing_sample_stays_missing(tmp_path: Path) -> None:
    said = r"1 values \(16\.7 %\) are missing in rows that have others; --impute median"
    refused(tmp_path, {"a.csv": HOLES}, said)
    result = read(tmp_path, {"a.csv": HOLES, "b.csv": OTHER}, impute="median")
    assert result.data.views[0].matrix[:3, 0].tolist() == [1.0, 2.0, 3.0]
    assert result.data.mask[:, 0].tolist() == [True, True, True, False]
    assert result.imputed == "1 single values (10.0 %) are filled in by median"
    assert result.understood[-1] == result.imputed
    assert result.data.ids == ("p1", "p2", "p3", "p4")
    assert result.features == (("height", "weight"), ("age",))


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_values_of_arrays_are_filled_in_alike(tmp_path: Path, write) -> None:
    path = write(tmp_path, X1=WITH_HOLE, X2=A, y=Y)
    with pytest.raises(InvalidData, match=r"X1: 1 values .* --impute median"):
        understand(path)
    found = understand(path, impute="median")
    assert found.imputed in found.understood
    filled = found.data.views[0].matrix
    assert np.array_equal(np.delete(filled.ravel(), 13), np.delete(A.ravel(), 13))
    assert filled[3, 1] == np.median(np.delete(A[:, 1], 3))


def test_values_of_the_clean_form_are_filled_in_too(tmp_path: Path) -> None:
    path = npz(tmp_path, view_names=np.array(["a"]), kinds=np.array(["features"]), X0=WITH_HOLE, y=Y)
    assert understand(path, impute="median").data.is_complete


def test_the_rows_of_a_mask_are_no_holes(tmp_path: Path) -> None:
    mask = np.ones((12, 2), dtype=bool)
    mask[3, 0] = False
    found = understand(npz(tmp_path, X1=WITH_HOLE, X2=A, y=Y, mask=mask))
    assert np.array_equal(found.data.mask, mask)


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
    refused(tmp_path, {"a.csv": "id,a,b\nx,1,\ny,2,\n"}, "column 'b' has no value", impute="median")


def test_what_is_imputed_is_part_of_the_source_and_of_no_other_form(tmp_path: Path) -> None:
    source = Source.of_files(tmp_path / "a.csv", impute="knn")
    assert Source.from_json(source.to_json()) == source
    assert '"impute"' not in Source.of_files(tmp_path / "a.csv").to_json()
    with pytest.raises(InvalidSetting, match="'median' or 'knn'"):
        ReadOptions(impute="mean")
    with pytest.raises(InvalidSetting, match="'digits' is a data set"):
        Source(dataset="digits", options=ReadOptions(impute="median"))
