"""Tables as other programs write them are read right, or the message says what to do."""

from __future__ import annotations

import gzip
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from user_files import load_user_data, understand

from mvarena.contracts.reader import Understanding
from mvarena.contracts.source import Source
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import load_source

N = 12
A = np.random.default_rng(0).normal(size=(N, 4)).round(3) + 1e-4
B = np.random.default_rng(1).normal(size=(N, 6)).round(3) + 1e-4
Y = np.arange(N) % 3
IDS = [f"s{i:02d}" for i in range(N)]
SHUFFLED = np.random.default_rng(2).permutation(N)


def table(X, header=None, ids=None, sep=",", corner="id", order=range(N)) -> str:
    lines = [] if header is None else [sep.join([*([corner] if ids is not None else []), *map(str, header)])]
    lines += [sep.join([*([str(ids[i])] if ids is not None else []), *(f"{v:.4f}" for v in X[i])]) for i in order]
    return "\n".join(lines) + "\n"


def labels(ids=None, header="class", values=Y) -> str:
    lines = [] if header is None else [f"id,{header}" if ids is not None else header]
    return "\n".join(lines + [f"{ids[i]},{v}" if ids is not None else str(v) for i, v in enumerate(values)]) + "\n"


def read(folder: Path, files: dict[str, str | bytes], **how) -> Understanding:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    how |= {"labels": folder / "y.csv"} if "y.csv" in files else {}
    return understand([folder / name for name in files if name != "y.csv"], **how)


def check(found: Understanding, *views, ids=None, classes: bool = True) -> None:
    """The views of A and B as they are, with their ids and three classes."""
    assert len(found.data.views) == len(views)
    for view, X in zip(found.data.views, views, strict=True):
        np.testing.assert_allclose(view.matrix, X, atol=1e-9)
    assert found.data.ids == (None if ids is None else tuple(map(str, ids)))
    if classes:
        assert found.data.labels is not None
        assert found.data.labels.tolist() == Y.tolist()


# headers -------------------------------------------------------------------------------------------------------

WAVELENGTHS, YEARS, ENTREZ = [400.5 + 2.5 * j for j in range(4)], [2010, 2012, 2015, 2020], [780, 7157, 672, 1956]


@pytest.mark.parametrize(
    "header",
    [range(4), range(1, 5), WAVELENGTHS, YEARS, ENTREZ, "abcd", ["V1", "V2", "V3", "V4"], ["x", "y", "z", "w"]],
    ids=["pandas", "from-1", "wavelengths", "years", "entrez", "letters", "r", "coordinates"],
)
@pytest.mark.parametrize("corner", [None, "id"])
def test_a_header_is_one_whatever_it_holds(tmp_path: Path, header, corner) -> None:
    ids = None if corner is None else IDS
    found = read(tmp_path, {"a.csv": table(A, header, ids, corner=corner), "y.csv": labels(ids)})
    check(found, A, ids=ids)
    assert found.features == (tuple(map(str, header)),)
    assert "a header (" in found.understood[0]


@pytest.mark.parametrize("ids", [None, IDS], ids=["no-ids", "ids"])
@pytest.mark.parametrize("kind", ["decimals", "counts", "integers", "rising"])
def test_numbers_without_a_header_stay_without(tmp_path: Path, ids, kind: str) -> None:
    rng = np.random.default_rng(3)
    X = {
        "decimals": rng.normal(size=(N, 9)),
        "counts": rng.poisson(1.0, size=(N, 9)),
        "integers": rng.integers(0, 100000, size=(N, 9)),
        "rising": np.sort(rng.normal(size=(N, 9)), axis=1),
    }[kind]
    text = "\n".join(",".join([*([ids[i]] if ids else []), *(f"{v:g}" for v in X[i])]) for i in range(N))
    found = read(tmp_path, {"a.csv": text, "y.csv": labels(ids, header=None)})
    assert found.data.n_samples == N
    assert found.features == (None,)


def test_pandas_files_of_two_columns_agree_with_the_labels(tmp_path: Path) -> None:
    X = np.random.default_rng(0).integers(0, 9, size=(N, 2))
    files = {"a.csv": pd.DataFrame(X).to_csv(index=False), "b.csv": table(A, range(4)), "y.csv": labels(header="0")}
    check(read(tmp_path, files), X, A)


@pytest.mark.parametrize("ids", [range(N), IDS, [str(1000 + i) for i in SHUFFLED]], ids=["range", "text", "numbers"])
def test_what_pandas_writes_is_read_back(tmp_path: Path, ids) -> None:
    a, b = pd.DataFrame(A, index=ids), pd.DataFrame(B, index=ids).iloc[SHUFFLED]
    files = {"a.csv": a.to_csv(), "b.tsv": b.to_csv(sep="\t"), "y.csv": pd.Series(Y, index=ids, name="y").to_csv()}
    check(read(tmp_path, files), A, B, ids=ids)


def test_what_r_writes_is_read(tmp_path: Path) -> None:
    quoted = [f'"{name}"' for name in IDS]
    rows = [" ".join([quoted[i], *(f"{v:.4f}" for v in A[i])]) for i in range(N)]
    y = '"x"\n' + "\n".join(f'"{i + 1}" {v}' for i, v in enumerate(Y))
    check(read(tmp_path, {"a.txt": "\n".join(['"g1" "g2" "g3" "g4"', *rows]), "y.csv": labels(IDS)}), A, ids=IDS)
    check(
        read(tmp_path, {"a.csv": '"","V1","V2","V3","V4"\n' + table(A, ids=quoted), "y.csv": labels(IDS)}), A, ids=IDS
    )
    check(read(tmp_path, {"a.csv": '"780","1552","7157","672"\n' + table(A), "y.csv": y}), A)


def test_quoted_ids_of_genes_above_counts(tmp_path: Path) -> None:
    X = np.random.default_rng(0).integers(0, 5000, size=(N, 3))
    text = '"780","1552","7157"\n' + "\n".join(",".join(map(str, row)) for row in X)
    found = read(tmp_path, {"a.csv": text})
    assert found.features == (("780", "1552", "7157"),)
    np.testing.assert_array_equal(found.data.views[0].matrix, X)


@pytest.mark.parametrize("header", ["yes", "no"])
def test_what_is_asked_for_decides(tmp_path: Path, header: str) -> None:
    found = read(tmp_path, {"a.csv": "5,7\n1,2\n3,4\n"}, header=header)
    assert found.data.n_samples == 3 - (header == "yes")


@pytest.mark.parametrize("first", ["class", "topic", "0", None])
@pytest.mark.parametrize("values", [Y, [f"c{v}" for v in Y], ["yn"[v % 2] for v in Y]], ids=["numbers", "texts", "y/n"])
def test_labels_have_a_header_where_they_have_one_line_more(tmp_path: Path, first, values) -> None:
    found = read(tmp_path, {"a.csv": table(A), "y.csv": labels(header=first, values=values)})
    assert found.data.labels is not None
    assert [found.data.classes[code] for code in found.data.labels] == [str(value) for value in values]


# forms of files -----------------------------------------------------------------------------------------------

WHOLE = table(A, "abcd", IDS)


@pytest.mark.parametrize(
    "content",
    [
        "sep=;\n" + WHOLE.replace(",", ";"),
        "# exported 2026-01-01\n# unit: counts\n" + WHOLE,
        "#" + WHOLE,
        WHOLE.replace("\ns05", "\n# a remark, and more\ns05"),
        WHOLE.encode("utf-16"),
        WHOLE.encode("utf-16-le"),
        WHOLE.encode("utf-8-sig"),
        gzip.compress(WHOLE.encode()),
        WHOLE.replace("\n", "\r\n"),
        WHOLE.replace("\n", ",\n"),
        WHOLE.replace("\n", ",,\n").replace("id,a,b,c,d,,", "id,a,b,c,d"),
        WHOLE.replace(",", " , "),
        WHOLE.replace(",", "|"),
        WHOLE.replace(",", ";").replace(".", ","),
        WHOLE.replace(",", "\t").replace(".", ","),
        WHOLE.replace(",", "  ").replace(".", ","),
        "\n\n" + WHOLE + "\n\n",
    ],
    ids=["sep", "comments", "commented-header", "remark", "utf-16", "utf-16-le", "bom", "gz", "crlf", "trailing",
         "trailing-in-rows", "blanks", "bars", "german", "french-tabs", "blanks-alone", "blank-lines"],
)  # fmt: skip
def test_forms_of_one_table(tmp_path: Path, content) -> None:
    check(read(tmp_path, {"a.csv": content, "y.csv": labels(IDS)}), A, ids=IDS)


def test_packed_files_are_called_by_their_name_without_endings(tmp_path: Path) -> None:
    found = read(
        tmp_path, {"rna.csv.gz": gzip.compress(WHOLE.encode()), "meth.tsv.gz": WHOLE.replace(",", "\t").encode()}
    )
    assert found.data.view_names == ("rna", "meth")
    assert found.data.name == "rna+meth"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\x1f\x8b\x08\x00damaged", "cannot be read"),
        ("id,a\ns1,M\xfcller\n".encode("latin-1"), "not UTF-8 text"),
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n", "row 3 has 2 cells and row 1 has 3"),
        ("id,a,b\ns1,1,2\n,3,4\n", "sample 2 has no id"),
        (
            "sample,gene,value\ns1,g1,1\ns1,g2,2\ns2,g1,3\ns2,g2,4\n",
            "long table.*This makes it a row per sample: python -c",
        ),
        ("s1,g1,1\ns1,g2,2\ns2,g1,3\ns2,g2,4\n", r"long table.*header=None"),
        ("sex,a\nm,1\nf,2\nm,3\n", "If column 'sex' holds no ids, --drop sex leaves it out"),
        (",x\nm,1\nf,2\nm,3\n", "If column '1' holds no ids, --drop 1 leaves it out"),
    ],
)
def test_files_that_are_no_views(tmp_path: Path, text, message: str) -> None:
    with pytest.raises(MvarenaError, match=message):
        read(tmp_path, {"a.csv": text})


def test_the_line_for_a_long_table_makes_it_readable(tmp_path: Path) -> None:
    long = "sample;gene;value\n" + "".join(f"s{i};g{j};{i + j},5\n" for i in range(5) for j in range(3))
    with pytest.raises(MvarenaError) as raised:
        read(tmp_path, {"a.csv": long})
    _, *words = shlex.split(str(raised.value).partition("per sample: ")[2])
    subprocess.run([sys.executable, *words], check=True)
    found = understand(tmp_path / "a-wide.csv")
    np.testing.assert_array_equal(found.data.views[0].matrix, np.add.outer(np.arange(5), np.arange(3)) + 0.5)


# numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (["1.107", "0,5", "12.345,75"], [1107, 0.5, 12345.75]),
        (["1,107", "0.5", "12,345.75"], [1107, 0.5, 12345.75]),
        (["1.107.250", "5", "7"], [1107250, 5, 7]),
        (["1\u202f107,5", "2", "3"], [1107.5, 2, 3]),
        (["1'107.5", "2", "3"], [1107.5, 2, 3]),
        (["True", "FALSE", "true"], [1, 0, 1]),
        (["1e3", "1.5E-2", "+2"], [1000, 0.015, 2]),
        ([".5", "1.", "-.25"], [0.5, 1, -0.25]),
        (["1.107", "1.5", "2.250"], [1.107, 1.5, 2.25]),
        (["0.107", "1.500", "2.250"], [0.107, 1.5, 2.25]),
    ],
)
def test_the_format_of_numbers_is_one_for_a_file(tmp_path: Path, column, values) -> None:
    text = "id;a;b\n" + "".join(f"p{i};{cell};{i}\n" for i, cell in enumerate(column))
    assert read(tmp_path, {"a.csv": text}).data.views[0].matrix[:, 0].tolist() == values


@pytest.mark.parametrize(("decimal", "first"), [("point", 1.0), ("comma", 1000.0)])
@pytest.mark.parametrize("sep", [",", ";"])
def test_an_open_format_is_asked_for(tmp_path: Path, decimal: str, first: float, sep: str) -> None:
    text = f"id{sep}a{sep}b\n" + "".join(f"p{i}{sep}1.{i:03d}{sep}2.{i:03d}\n" for i in range(N))
    with pytest.raises(MvarenaError, match=r"the point in '1\.000' .*give the decimal sign, point or comma") as raised:
        read(tmp_path, {"a.csv": text})
    assert raised.value.field == "decimal"
    assert read(tmp_path, {"a.csv": text}, decimal=decimal).data.views[0].matrix[0, 0] == first


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("12%", "holds a percent sign"),
        ("$5", "holds a sign of currency"),
        ("5 €", "holds a sign of currency"),
        ("<0.1", "is a bound"),
        (">89", "is a bound"),
        ("1_000", "is not a number"),
        ("٣", "is not a number"),
        ("0x10", "is not a number"),
        ("1e999", "is infinite"),
        ("-inf", "is infinite"),
        ("#DIV/0!", "is not a number"),
        ("1,5", "is no number with a decimal point"),
        ("12.05.2020", "is not a number"),
    ],
)
def test_a_cell_that_is_no_number_is_named_with_what_to_do(tmp_path: Path, cell: str, message: str) -> None:
    files = {"a.csv": f"id;age;size\np1;1.5;2\np2;{cell};3\np3;2.5;4\np4;2.5;4\n"}
    with pytest.raises(MvarenaError, match=rf"\(sample 2, column 'age'\) {message}.*--drop age leaves the column out"):
        read(tmp_path, files)
    assert read(tmp_path, files, drop="age").data.views[0].matrix.tolist() == [[2], [3], [4], [4]]


def test_columns_of_text_are_named_together(tmp_path: Path) -> None:
    text = "id,sex,age,tumour stage\n" + "".join(f"p{i},{'fm'[i % 2]},{50 + i},I{'I' * (i % 3)}\n" for i in range(N))
    with pytest.raises(
        MvarenaError, match=r"'f' .*column 'sex'.* is not a number; so is 1 more.*--drop sex 'tumour stage'"
    ):
        read(tmp_path, {"a.csv": text})
    found = read(tmp_path, {"a.csv": text}, drop=("sex", "tumour stage"))
    assert found.features == (("age",),)
    with pytest.raises(MvarenaError, match=r"no column called 'sexx'\. Did you mean sex"):
        read(tmp_path, {"a.csv": text}, drop="sexx")
    assert read(tmp_path, {"a.csv": "1,x,2\n2,y,3\n4,x,4\n"}, drop="2").data.views[0].matrix.tolist() == [
        [1, 2],
        [2, 3],
        [4, 4],
    ]


def test_empty_cells_are_counted(tmp_path: Path) -> None:
    text = "id,a,b\np1,1,[Not Available]\np2,?,2\np3,3,.\np4,4,\n"
    found = read(tmp_path, {"a.csv": text}, impute="median")
    assert "a.csv has 4 empty cells (such as '.', '?' and '[Not Available]') of 8" in found.understood


# ids ----------------------------------------------------------------------------------------------------------

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


def test_row_numbers_are_no_feature(tmp_path: Path) -> None:
    for start in (0, 1):
        ids = range(start, start + N)
        for corner in ("", "X", "nr"):
            check(read(tmp_path, {"a.csv": table(A, "abcd", ids, corner=corner), "y.csv": labels()}), A, ids=ids)
        check(read(tmp_path, {"a.csv": table(A, ids=ids), "y.csv": labels()}), A, ids=ids)
        check(read(tmp_path, {"a.csv": table(A, "abcd"), "y.csv": labels(ids)}), A)


def test_ids_join_views_that_miss_samples_and_it_is_said_how_well(tmp_path: Path) -> None:
    files = {"a.csv": table(A, "abcd", IDS, order=range(9)), "b.csv": table(B, "efghij", IDS, order=range(5, N))}
    found = read(tmp_path, {**files, "y.csv": labels(IDS) + "s99,2\n"})
    seen = np.column_stack([np.arange(N) < 9, np.arange(N) >= 5])
    check(found, np.where(seen[:, :1], A, 0.0), np.where(seen[:, 1:], B, 0.0), ids=IDS)
    assert found.data.mask.tolist() == seen.tolist()
    assert found.not_used == ("1 label of samples that no view has",)
    assert "12 samples: 4 in both, 5 only in a, 3 only in b" in found.understood
    assert "y.csv holds the labels of 12 of 12 samples" in found.understood
    files["c.csv"] = table(A, "abcd", IDS, order=range(6))
    assert (
        "12 samples: 1 in all 3, 3 only in a and b, 5 only in a and c, 3 only in b" in read(tmp_path, files).understood
    )


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
def test_ids_that_do_not_meet_are_refused_with_where_they_would(
    tmp_path: Path, left: str, right: str, hint: str
) -> None:
    first, second = ([form.format(i) for i in range(1, N + 1)] for form in (left, right))
    a, b = table(A, "abcd", first), table(B, "efghij", second)
    message = f"no sample id in common.*'{left.format(1)}'.*'{right.format(1)}'.*{N} of .* would meet without {hint}"
    with pytest.raises(MvarenaError, match=message):
        read(tmp_path, {"a.csv": a, "b.csv": b})
    with pytest.raises(MvarenaError, match=f"would meet without {hint}"):
        read(tmp_path, {"a.csv": a, "y.csv": labels(second)})


def test_labels_with_ids_for_views_without_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MvarenaError, match=r"has ids \('s11'\) and the views have none"):
        read(tmp_path, {"a.csv": table(A), "y.csv": labels(IDS)})
    with pytest.raises(MvarenaError, match="'s00' occurs twice, with the labels '0' and '1'"):
        read(tmp_path, {"a.csv": table(A, "abcd", IDS), "y.csv": labels(IDS) + "s00,1\n"})


def test_a_second_column_of_ids_is_left_out(tmp_path: Path) -> None:
    text = "\n".join([",barcode,a,b", *(f"{i},{i},{A[k, 0]:.4f},{A[k, 1]:.4f}" for k, i in enumerate(IDS))])
    found = read(tmp_path, {"a.csv": text})
    check(found, A[:, :2], ids=IDS, classes=False)
    assert "left out, as it is named as ids are: 'barcode'" in found.understood[0]


# classes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [("label", "numbers"), ("class", "texts"), ("y", "numbers"), ("y", "texts"), ("target", "texts"),
     ("True_Label", "numbers"), ("gnd", "texts")],
)  # fmt: skip
def test_a_class_column_of_a_view_is_no_feature(tmp_path: Path, name: str, kind: str) -> None:
    rows = table(A, ["a", "b", "c", "d"], IDS).splitlines()
    values = [name, *(str(v) if kind == "numbers" else f"c{v}" for v in Y)]
    text = "\n".join(f"{row},{value}" for row, value in zip(rows, values, strict=True))
    found = read(tmp_path, {"a.csv": text})
    check(found, A, ids=IDS)
    assert f"the column '{name}' of a.csv holds the labels and is no feature" in found.understood
    found = read(tmp_path, {"a.csv": text, "y.csv": labels(IDS)})
    check(found, A, ids=IDS)
    assert f"the column '{name}' of a.csv, as y.csv has the labels" in found.not_used


def test_a_column_called_y_beside_x_or_of_measurements_is_a_feature(tmp_path: Path) -> None:
    text = "x,y\n" + "".join(f"{i / 7:.3f},{i % 3}\n" for i in range(N))
    assert read(tmp_path, {"a.csv": text}).features == (("x", "y"),)
    text = "a,target\n" + "".join(f"{i / 7:.3f},{i / 3:.2f}\n" for i in range(N))
    assert read(tmp_path, {"a.csv": text}).features == (("a", "target"),)


def test_a_feature_that_gives_the_labels_is_pointed_at(tmp_path: Path) -> None:
    rows = table(A, ["a", "b", "c", "d"], IDS).splitlines()
    text = "\n".join(f"{row},{value}" for row, value in zip(rows, ["group", *(7 * (Y + 1))], strict=True))
    found = read(tmp_path, {"a.csv": text, "y.csv": labels(IDS)})
    assert "in a.csv, the column 'group' alone gives the labels; --drop group leaves it out" in found.understood
    check(read(tmp_path, {"a.csv": text, "y.csv": labels(IDS)}, drop=["group"]), A, ids=IDS)


def test_files_that_are_called_labels_and_mask_are_no_views(tmp_path: Path) -> None:
    mask = np.ones((N, 2), dtype=int)
    mask[3, 1] = 0
    text = "\n".join(",".join(map(str, row)) for row in mask)
    found = read(tmp_path, {"a.csv": table(A), "b.csv": table(B), "labels.csv": labels(), "mask.csv": text})
    assert found.data.view_names == ("a", "b")
    assert found.data.mask.tolist() == mask.astype(bool).tolist()
    assert found.data.labels is not None
    assert found.data.labels.tolist() == Y.tolist()


# orientation --------------------------------------------------------------------------------------------------


def genes(X, name: str, ids=IDS) -> str:
    return table(X.T, ids, [f"{name}{j}" for j in range(X.shape[1])], order=range(X.shape[1]))


def test_samples_as_columns(tmp_path: Path) -> None:
    files = {"a.csv": genes(A, "gene"), "b.csv": genes(B[SHUFFLED], "prot", [IDS[i] for i in SHUFFLED])}
    check(read(tmp_path, files, orientation="columns"), A, B, ids=IDS, classes=False)
    found = read(tmp_path, {**files, "y.csv": labels(IDS)})
    check(found, A, B, ids=IDS)
    assert found.features == (tuple(f"gene{j}" for j in range(4)), tuple(f"prot{j}" for j in range(6)))
    assert "the samples are columns in a.csv and b.csv: the ids of the labels stand in the header" in found.understood
    with pytest.raises(MvarenaError, match=r"same header .*give the orientation, rows or columns") as raised:
        read(tmp_path, {**files, "b.csv": genes(B, "prot")})
    assert raised.value.field == "orientation"


def test_one_of_two_files_is_transposed(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.csv": table(A, "abcd", IDS), "b.csv": genes(B, "prot")})
    check(found, A, B, ids=IDS, classes=False)
    assert "the samples are columns in b.csv: the ids of the other files stand in the header" in found.understood


def test_samples_as_columns_without_ids(tmp_path: Path) -> None:
    check(read(tmp_path, {"a.csv": table(A.T, order=range(4)), "y.csv": labels()}, orientation="columns"), A)
    with pytest.raises(MvarenaError, match="If the 12 columns are the samples, give --orientation columns"):
        read(tmp_path, {"a.csv": table(A.T, order=range(4)), "b.csv": table(B.T, order=range(6))})


def test_features_of_the_same_names_are_no_samples(tmp_path: Path) -> None:
    with pytest.raises(MvarenaError, match=r"b\.csv has no first column of sample ids"):
        read(tmp_path, {"a.csv": table(A, "abcd", IDS), "b.csv": table(A, "abcd")})
    found = read(tmp_path, {"a.csv": table(A, "abcd", IDS), "b.csv": table(A + 1, "abcd", IDS, order=SHUFFLED)})
    check(found, A, A + 1, ids=IDS, classes=False)


def test_a_table_of_genes_with_two_columns_of_ids(tmp_path: Path) -> None:
    lines = ["\t".join(["Hugo_Symbol", "Entrez_Gene_Id", *IDS])]
    lines += ["\t".join([f"G{j}", str(700 + j), *(f"{v:.4f}" for v in A[:, j])]) for j in range(4)]
    found = read(tmp_path, {"data_mrna.txt": "\n".join(lines), "y.csv": labels(IDS)})
    check(found, A, ids=IDS)
    assert found.features == (("G0", "G1", "G2", "G3"),)


def test_classes_of_several_words(tmp_path: Path) -> None:
    names = [("lung cancer", "breast cancer", "type 1")[v] for v in Y]
    found = read(tmp_path, {"a.csv": table(A, "abcd"), "y.csv": labels(values=names)})
    assert found.data.classes is not None
    assert [found.data.classes[code] for code in found.data.labels] == names


def test_classes_that_pandas_wrote_as_decimals(tmp_path: Path) -> None:
    text = "a,b,label\n" + "".join(f"{A[i, 0]:.4f},{A[i, 1]:.4f},{Y[i]}.0\n" for i in range(N))
    check(read(tmp_path, {"a.csv": text}), A[:, :2])


def test_lines_of_delimiters_that_a_spreadsheet_leaves(tmp_path: Path) -> None:
    text = "id,a,b,class\n" + "".join(f"{IDS[i]},{A[i, 0]:.4f},{A[i, 1]:.4f},{Y[i]}\n" for i in range(N)) + ",,,\n,,,\n"
    check(read(tmp_path, {"a.csv": text}), A[:, :2], ids=IDS)


def test_classes_in_several_views_must_agree(tmp_path: Path) -> None:
    first = "id,a,class\n" + "".join(f"{IDS[i]},{A[i, 0]:.4f},{Y[i]}\n" for i in range(N))
    found = read(tmp_path, {"a.csv": first, "b.csv": first.replace("a,class", "b,class")})
    check(found, A[:, :1], A[:, :1], ids=IDS)
    with pytest.raises(MvarenaError, match="its column 'class' says '2' where another view says '1'"):
        read(tmp_path, {"a.csv": first, "b.csv": first.replace(",1\n", ",2\n")})


@pytest.mark.parametrize("first", ["class", "topic"])
def test_labels_tell_that_a_row_of_numbers_is_a_header(tmp_path: Path, first: str) -> None:
    found = read(tmp_path, {"a.csv": "3,7\n" + table(A[:, :2]), "y.csv": labels(header=first)})
    check(found, A[:, :2])
    assert found.features == (("3", "7"),)


def test_numbers_are_ids_where_another_file_names_them_so(tmp_path: Path) -> None:
    ids = [100 + 7 * i for i in range(N)]
    files = {"a.csv": table(A, "abcd", ids, corner="nr"), "b.csv": table(B, "efghij", ids, "\t", "patient", SHUFFLED)}
    check(read(tmp_path, files), A, B, ids=ids, classes=False)


def test_a_class_called_y_in_the_first_row_is_no_header(tmp_path: Path) -> None:
    text = "".join(f"{A[i, 0]:.4f},{A[i, 1]:.4f},{'yn'[i % 2]}\n" for i in range(N))
    check(read(tmp_path, {"a.csv": text, "y.csv": labels()}, drop="3"), A[:, :2])


# what was misread once ------------------------------------------------------------------------------------------


def refused(folder: Path, files: dict[str, str | bytes], why: str, **how) -> None:
    with pytest.raises(MvarenaError, match=why):
        read(folder, files, **how)


def test_the_cache_tells_a_file_of_labels_from_a_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    paths = [tmp_path / name for name in ("a.csv", "b.csv", "kind.csv")]
    for path, text in zip(paths, (table(A, "abcd", IDS), table(B, "efghij", IDS), labels(IDS, "kind")), strict=True):
        path.write_text(text)
    assert load_user_data(paths).n_views == 3
    with_labels = load_source(Source.of_files(paths[:2], labels=paths[2]), installed_catalog())
    assert (with_labels.n_views, with_labels.n_clusters) == (2, 3)


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


@pytest.mark.parametrize("end", ["", "\n"], ids=["too few", "blank at the end"])
def test_a_label_too_few_below_an_unknown_header(tmp_path: Path, end: str) -> None:
    short = labels(header="diagnosis", values=["low", "mid", "high"] * 3 + ["low", "low"])
    refused(tmp_path, {"a.csv": table(A, "abcd"), "y.csv": short + end}, "'diagnosis', occurs nowhere else")


def test_the_columns_of_a_mask_go_by_their_names(tmp_path: Path) -> None:
    files = {"a.csv": table(A, "wxyz", IDS), "b.csv": table(B, "efghij", IDS)}
    marks = [f"{IDS[i]},{i % 2},1" for i in range(N)]
    found = read(tmp_path, files | {"mask.csv": "\n".join(["id,b,a", *marks])})
    assert found.data.mask.tolist() == [[True, i % 2 == 1] for i in range(N)]
    refused(tmp_path, files | {"mask.csv": "\n".join(["id,b,c", *marks])}, "give a column for each view")
    refused(tmp_path, files | {"mask.csv": "\n".join(["id,b,a", *marks[:-1]])}, "sample 's11' has none")


def test_ids_are_no_features(tmp_path: Path) -> None:
    ids = [f"{1000 + 7 * i}.0" for i in range(N)]
    check(read(tmp_path, {"a.csv": table(A, "abcd", ids)}), A, ids=ids, classes=False)
    refused(tmp_path, {"a.csv": table(A, "abcd", [f"{i}.5" for i in range(N)])}, "--drop id")
    commas = "id,x\n" + "".join(f"{identity},1,{i}\n" for i, identity in enumerate(IDS))
    refused(tmp_path, {"a.csv": commas}, "decimal commas")


def test_classes_that_one_view_does_not_know(tmp_path: Path) -> None:
    first = "id,a,class\n" + "".join(f"{IDS[i]},{A[i, 0]:.4f},{Y[i]}\n" for i in range(N))
    check(read(tmp_path, {"a.csv": first, "b.csv": first.replace(",1\n", ",NA\n")}), A[:, :1], A[:, :1], ids=IDS)


def test_a_blank_line_is_a_sample_without_values(tmp_path: Path) -> None:
    lines = table(A, "abcd").splitlines()
    found = read(tmp_path, {"a.csv": "\n".join([*lines[:4], "", *lines[5:]]), "b.csv": table(B, "efghij")})
    check(found, np.where(np.arange(N)[:, None] == 3, 0, A), B, classes=False)
    assert found.data.mask[:, 0].tolist() == [i != 3 for i in range(N)]
    spaced = read(tmp_path, {"a.csv": "\r\r\n".join(lines)})
    check(spaced, A, classes=False)
    assert "every second line, which is blank, left out" in spaced.understood[0]


@pytest.mark.parametrize("sep", ["\t", ","])
def test_a_header_behind_a_number_sign(tmp_path: Path, sep: str) -> None:
    text = "# Constructed from biom file\n#" + table(A.T, IDS, "abcd", sep, "OTU ID", range(4))
    check(read(tmp_path, {"a.csv": text, "y.csv": labels(IDS)}), A, ids=IDS)
    names = read(tmp_path, {"a.csv": f"# made by hand\n# p{sep}q\n" + table(A[:, :2], sep=sep)})
    assert names.features == (("p", "q"),)


def test_rows_behind_number_signs_are_left_out(tmp_path: Path) -> None:
    text = table(A, "abcd", IDS).replace("s03", "#s03")
    check(read(tmp_path, {"a.csv": text}), np.delete(A, 3, 0), ids=np.delete(IDS, 3), classes=False)
    names = [f"#{identity}" for identity in IDS]
    check(read(tmp_path, {"a.csv": table(A, "abcd", names)}), A, ids=names, classes=False)


def test_columns_that_describe_features_are_no_samples(tmp_path: Path) -> None:
    names, *rows = table(A.T, IDS, "abcd", "\t", "Geneid", range(4)).splitlines()
    wide = [names.replace("\t", "\tChr\tLength\t", 1), *(row.replace("\t", "\tchr1\t50\t", 1) for row in rows)]
    found = read(tmp_path, {"a.tsv": "\n".join(wide), "y.csv": labels(IDS)})
    check(found, A, ids=IDS)
    assert "left out of a.tsv, as they describe features: Chr and Length" in found.understood
    found = read(tmp_path, {"a.tsv": "\n".join(wide)}, orientation="columns", drop="Length")
    check(found, A, ids=IDS, classes=False)


def test_years_above_whole_numbers_are_a_header(tmp_path: Path) -> None:
    X = (1000 * abs(A[:, :3])).astype(int).astype(float)
    text = table(X, [2018, 2019, 2020], IDS, corner="Country").replace(".0000", "")
    check(read(tmp_path, {"a.csv": text}), X, ids=IDS, classes=False)
    text = table(X[:, :2], [2018, 2020], IDS, corner="Country").replace(".0000", "")
    check(read(tmp_path, {"a.csv": text, "y.csv": labels(IDS).replace("id,", "Country,")}), X[:, :2], ids=IDS)


def test_distinct_answers_in_the_first_row_are_a_sample(tmp_path: Path) -> None:
    rows = ["3,1,4,2,5", *(",".join(map(str, row)) for row in np.random.default_rng(3).choice([1, 1, 5, 5], (40, 5)))]
    assert read(tmp_path, {"a.csv": "\n".join(rows)}).data.n_samples == 41


@pytest.mark.parametrize(("written", "said"), [("abc", "is not a number|correct it"), ("12%", "from that row")])
def test_a_cell_of_a_file_with_samples_as_columns_is_named_as_the_file_has_it(tmp_path, written, said) -> None:
    header, rows = ["gene", *IDS], [[f"cg{j}", *(f"{value:.4f}" for value in A[:, j])] for j in range(4)]
    rows[2][4] = written
    text = "\n".join(",".join(row) for row in [header, *rows])
    with pytest.raises(MvarenaError, match=rf"'{written}' \(row 'cg2', column 's03'\) .*{said}") as refused:
        read(tmp_path, {"a.csv": text}, orientation="columns")
    assert str(refused.value).endswith("--drop cg2 leaves the row out.")
