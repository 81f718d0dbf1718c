"""Sample ids: tables are joined by them, .mat and .npz files keep them, and what is no id is a feature."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat
from user_files import IDS, SHUFFLED, A, B, N, Y, check, labels, read, refused, table, understand

from mvarena.errors import InvalidData

SPELLINGS = {
    "visits": [f"{100 + i // 2}_{i % 2 + 1}" for i in range(N)],
    "wells": [f"{i // 8 + 1}E{i % 8}" for i in range(N)],
    "zeros": [f"{i:04d}" for i in range(N)],
    "arabic": [chr(0x661 + i % 9) * (1 + i // 9) for i in range(N)],
    "dates": [f"2020-01-{i + 1:02d}" for i in range(N)],
    "points": [f"{i}.{i}.1" for i in range(N)],
    "mixed": [str(i) if i % 3 else f"x{i}" for i in range(N)],
    "infinite": ["inf", "nan1", "1e5", *IDS[3:]],
    "barcodes": [f"TCGA-02-{i:04d}-01A" for i in range(N)],
    "ensembl": [f"ENSG{i:05d}.{i}" for i in range(N)],
}


@pytest.mark.parametrize(
    ("name", "corner"),
    [*((name, "well") for name in SPELLINGS), ("visits", "visit"), *(("dates", c) for c in ("", "id", "Unnamed: 0"))],
)
def test_ids_join_as_they_are_written(tmp_path: Path, name: str, corner: str) -> None:
    ids = SPELLINGS[name]
    a, b = table(A, "abcd", ids, corner=corner), table(B, "efghij", ids, corner=corner, order=SHUFFLED)
    found = read(tmp_path, {"a.csv": a, "b.csv": b, "y.csv": labels(ids)})
    check(found, A, B, ids=ids)
    assert f"{N} samples: {N} in both" in found.understood


@pytest.mark.parametrize("ids", [range(N), IDS, [str(1000 + i) for i in SHUFFLED]], ids=["range", "text", "numbers"])
def test_what_pandas_writes_is_read_back(tmp_path: Path, ids) -> None:
    a, b = pd.DataFrame(A, index=ids), pd.DataFrame(B, index=ids).iloc[SHUFFLED]
    files = {"a.csv": a.to_csv(), "b.tsv": b.to_csv(sep="\t"), "y.csv": pd.Series(Y, index=ids, name="y").to_csv()}
    check(read(tmp_path, files), A, B, ids=ids)


def test_row_numbers_are_no_feature(tmp_path: Path) -> None:
    for start in (0, 1):
        ids = range(start, start + N)
        for corner in ("", "X", "nr"):
            check(read(tmp_path, {"a.csv": table(A, "abcd", ids, corner=corner), "y.csv": labels()}), A, ids=ids)
        check(read(tmp_path, {"a.csv": table(A, ids=ids), "y.csv": labels()}), A, ids=ids)
        check(read(tmp_path, {"a.csv": table(A, "abcd"), "y.csv": labels(ids)}), A)


def test_row_numbers_from_0_and_from_1_are_no_common_ids(tmp_path: Path) -> None:
    first, second = (table(A, "abcd", range(start, start + N), corner="") for start in (0, 1))
    y = labels(range(1, N + 1)).replace("id,", ",")
    refused(tmp_path, {"a.csv": first, "b.csv": second}, "a numbers its rows from 0, and b from 1")
    refused(tmp_path, {"a.csv": first, "y.csv": y}, r"a.csv numbers its rows from 0, and y.csv from 1")
    check(read(tmp_path, {"b.csv": second, "y.csv": y}), A, ids=range(1, N + 1))


def numbered(lines: str, corner: str = "") -> str:
    """The table below a first column that counts its rows."""
    head, *body = lines.splitlines()
    return "\n".join([f"{corner},{head}", *(f"{i},{line}" for i, line in enumerate(body))]) + "\n"


def test_a_counter_of_rows_gives_way_to_ids(tmp_path: Path) -> None:
    files = {
        "a.csv": numbered(table(A, "abcd", IDS)),
        "b.csv": numbered(table(B, "efghij", IDS, order=SHUFFLED), "Unnamed: 0"),
        "y.csv": numbered(labels(IDS), "index"),
    }
    check(read(tmp_path, files), A, B, ids=IDS)


def test_ids_join_views_that_miss_samples_and_it_is_said_how_well(tmp_path: Path) -> None:
    files = {"a.csv": table(A, "abcd", IDS, order=range(9)), "b.csv": table(B, "efghij", IDS, order=range(5, N))}
    found = read(tmp_path, {**files, "y.csv": labels(IDS) + "s99,2\n"})
    seen = np.column_stack([np.arange(N) < 9, np.arange(N) >= 5])
    check(found, np.where(seen[:, :1], A, 0.0), np.where(seen[:, 1:], B, 0.0), ids=IDS)
    assert found.data.mask.tolist() == seen.tolist()
    assert found.not_used == ("1 label of samples that no view has",)
    assert "12 samples: 4 in both, 5 only in a, 3 only in b" in found.understood
    assert "y.csv holds the labels of 12 of 12 samples" in found.understood
    three = read(tmp_path, files | {"c.csv": table(A, "abcd", IDS, order=range(6))})
    assert "12 samples: 1 in all 3, 3 only in a and b, 5 only in a and c, 3 only in b" in three.understood


@pytest.mark.parametrize(
    ("left", "right", "hint"),
    [
        ("TCGA-02-{:04d}", "TCGA.02.{:04d}", "'.', '_', '-' and blanks"),
        ("pat{:02d}", "PAT{:02d}", "upper and lower case"),
        ("P{:03d}", "P{}", "leading zeros"),
        ("{}", "{}.0", "'.0' at the end"),
        ("TCGA-02-{:04d}", "TCGA-02-{:04d}-01A-11R", "what follows the patient in a TCGA barcode"),
        ("TCGA-02-{:04d}", "tcga.02.{:04d}", "upper and lower case and '.', '_', '-' and blanks"),
    ],
)
def test_ids_that_do_not_meet_are_refused_with_where_they_would(tmp_path: Path, left, right, hint) -> None:
    first, second = ([form.format(i) for i in range(1, N + 1)] for form in (left, right))
    a, b = table(A, "abcd", first), table(B, "efghij", second)
    message = f"no sample id in common.*'{left.format(1)}'.*'{right.format(1)}'.*{N} of .* would meet without {hint}"
    refused(tmp_path, {"a.csv": a, "b.csv": b}, message)
    refused(tmp_path, {"a.csv": a, "y.csv": labels(second)}, f"would meet without {hint}")


def test_labels_of_other_samples_are_refused(tmp_path: Path) -> None:
    refused(tmp_path, {"a.csv": table(A), "y.csv": labels(IDS)}, r"has ids \('s11'\) and the views have none")
    twice = {"a.csv": table(A, "abcd", IDS), "y.csv": labels(IDS) + "s00,1\n"}
    refused(tmp_path, twice, "'s00' occurs twice, with the labels '0' and '1'")


def test_a_column_that_is_named_so_holds_the_ids_wherever_it_stands(tmp_path: Path) -> None:
    rows = zip(table(A, "abcd").splitlines(), ["sample_id", *IDS], strict=True)
    found = read(tmp_path, {"a.csv": "\n".join(f"{row},{identity}" for row, identity in rows)})
    check(found, A, ids=IDS, classes=False)
    assert "sample ids in the column sample_id" in found.understood[0]


def test_a_second_column_of_ids_is_left_out(tmp_path: Path) -> None:
    text = "\n".join([",barcode,a,b", *(f"{i},{i},{A[k, 0]:.4f},{A[k, 1]:.4f}" for k, i in enumerate(IDS))])
    found = read(tmp_path, {"a.csv": text})
    check(found, A[:, :2], ids=IDS, classes=False)
    assert "left out, as it is named as ids are: 'barcode'" in found.understood[0]


# numbers: ids or a feature --------------------------------------------------------------------------------------

NUMBERS = [100 + 7 * i for i in SHUFFLED]


@pytest.mark.parametrize("header", ["patient", "Patient ID", "sample_id", "caseID", "pid"])
def test_a_column_named_as_ids_are_holds_ids_although_they_are_numbers(tmp_path: Path, header: str) -> None:
    check(read(tmp_path, {"a.csv": table(A, "abcd", NUMBERS, corner=header)}), A, ids=NUMBERS, classes=False)


@pytest.mark.parametrize("other", ["patient", "nr"], ids=["named so in another file", "under one header in all files"])
def test_numbers_are_ids_where_other_files_say_so(tmp_path: Path, other: str) -> None:
    a, b = table(A, "abcd", NUMBERS, corner="nr"), table(B, "efghij", NUMBERS, "\t", other, SHUFFLED)
    check(read(tmp_path, {"a.csv": a, "b.csv": b}), A, B, ids=NUMBERS, classes=False)


def test_numbers_written_as_decimals_are_ids_and_other_decimals_are_not(tmp_path: Path) -> None:
    ids = [f"{number}.0" for number in NUMBERS]
    check(read(tmp_path, {"a.csv": table(A, "abcd", ids)}), A, ids=ids, classes=False)
    refused(tmp_path, {"a.csv": table(A, "abcd", [f"{i}.5" for i in range(N)])}, "--drop id")


@pytest.mark.parametrize(
    "files",
    [
        ("grid,x\n12,1\n7,2\n9,3\n",),
        ("solid,x\n12,1\n7,2\n9,3\n",),
        ("pt,x\n12,1\n7,2\n9,3\n", "pt,y\n9,30\n9,20\n12,10\n"),
        ("pt,x\n12,1\n7,2\n9,3\n", "pd,y\n9,30\n7,20\n12,10\n"),
        ("V1,V2\n12,1\n7,2\n9,3\n", "V1,V2\n9,30\n7,20\n12,10\n"),
        ("pt,x\n1.5,1\n7.5,2\n9.5,3\n", "pt,y\n9.5,30\n7.5,20\n1.5,10\n"),
    ],
    ids=["grid", "solid", "not-distinct", "other-header", "a-series", "decimals"],
)
def test_other_numbers_under_a_header_are_a_feature(tmp_path: Path, files: tuple[str, ...]) -> None:
    data = read(tmp_path, {f"{name}.csv": text for name, text in zip("ab", files, strict=False)}).data
    assert data.ids is None
    assert {view.n_features for view in data.views} == {2}


# .mat and .npz --------------------------------------------------------------------------------------------------


def test_texts_that_are_named_as_ids_are_the_ids_of_mat_and_npz_files(tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"X": A, "y": Y, "sample_names": np.array(IDS, dtype=object)})
    np.savez(tmp_path / "a.npz", X=A, y=Y, ids=np.array(IDS))
    for name in ("a.mat", "a.npz"):
        found = understand(tmp_path / name)
        assert found.data.ids == tuple(IDS)
        assert not found.not_used
    np.savez(tmp_path / "a.npz", X=A, y=Y, ids=np.array(["s"] * N))
    again = understand(tmp_path / "a.npz")
    assert again.data.ids is None
    assert again.not_used == ("ids (12 texts)",)


def test_ids_of_views_in_other_orders_are_refused(tmp_path: Path) -> None:
    for order in (slice(None), slice(None, None, -1)):
        np.savez(tmp_path / "a.npz", rna=A, prot=B, rna_ids=np.array(IDS), prot_ids=np.array(IDS)[order], y=Y)
        if order.step is None:
            assert understand(tmp_path / "a.npz").data.ids == tuple(IDS)
            continue
        with pytest.raises(InvalidData, match="rna_ids and prot_ids list the samples in different orders"):
            understand(tmp_path / "a.npz")
