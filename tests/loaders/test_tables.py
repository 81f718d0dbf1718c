"""Tables as programs write them are read right, or the message says what to do: headers, numbers, classes, sides."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from user_files import IDS, SHUFFLED, A, B, N, Y, check, labels, load_user_data, read, refused, table

from mvarena.contracts.source import Source
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import load_source

# headers -------------------------------------------------------------------------------------------------------

WAVELENGTHS, YEARS, ENTREZ = [400.5 + 2.5 * j for j in range(4)], [2010, 2012, 2015, 2020], [780, 7157, 672, 1956]
WHOLE_NUMBERS = (1000 * abs(A[:, :3])).astype(int).astype(float)
COUNTS = np.random.default_rng(0).integers(0, 9, size=(N, 2))


RISING = (400.5 + np.arange(10) ** 1.5).round(1)


def whole(X, *header_and_ids, **how) -> str:
    return table(X, *header_and_ids, **how).replace(".0000", "")


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


HEADERS = {
    "another file begins alike": (
        {"a.csv": pd.DataFrame(COUNTS).to_csv(index=False), "b.csv": table(A, range(4)), "y.csv": labels(header="0")},
        [COUNTS, A],
        None,
    ),
    "one line more than labels": ({"a.csv": table(A[:, :2], [3, 7]), "y.csv": labels()}, [A[:, :2]], None),
    "below an unknown header": ({"a.csv": table(A[:, :2], [3, 7]), "y.csv": labels(header="topic")}, [A[:, :2]], None),
    "quoted above counts": ({"a.csv": whole(WHOLE_NUMBERS, ['"780"', '"1552"', '"7157"'])}, [WHOLE_NUMBERS], None),
    "in order": ({"a.csv": table(np.hstack([A, B]), RISING)}, [np.hstack([A, B])], None),
    "years": ({"a.csv": whole(WHOLE_NUMBERS, [2018, 2019, 2020], IDS, corner="Country")}, [WHOLE_NUMBERS], IDS),
    "two years": (
        {"a.csv": whole(WHOLE_NUMBERS[:, :2], [2018, 2020], IDS, corner="Country"),
         "y.csv": labels(IDS).replace("id,", "Country,")},
        [WHOLE_NUMBERS[:, :2]],
        IDS,
    ),
    "one cell less, as R writes": (
        {"a.txt": "g1 g2 g3 g4\n" + table(A, ids=[f'"{name}"' for name in IDS], sep=" "), "y.csv": labels(IDS)},
        [A],
        IDS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HEADERS)
def test_a_row_of_numbers_is_a_header_where_the_rest_tells(tmp_path: Path, case: str) -> None:
    files, views, ids = HEADERS[case]
    found = read(tmp_path, files)
    check(found, *views, ids=ids, classes="y.csv" in files)
    assert found.features[0] is not None


ANSWERS = np.vstack([[3, 1, 4, 2, 5], np.random.default_rng(3).choice([1, 1, 5, 5], (40, 5))])
NO_HEADERS = {
    "decimals": np.random.default_rng(3).normal(size=(N, 9)),
    "counts": np.random.default_rng(3).poisson(1.0, size=(N, 9)),
    "integers": np.random.default_rng(3).integers(0, 100000, size=(N, 9)),
    "rising": np.sort(np.random.default_rng(3).normal(size=(N, 9)), axis=1),
    "distinct answers first": ANSWERS,
}


@pytest.mark.parametrize("with_ids", [False, True])
@pytest.mark.parametrize("kind", NO_HEADERS)
def test_numbers_without_a_header_stay_without(tmp_path: Path, kind: str, with_ids: bool) -> None:
    X = NO_HEADERS[kind]
    text = "\n".join(",".join([*([f"s{i:02d}"] if with_ids else []), *(f"{v:g}" for v in X[i])]) for i in range(len(X)))
    found = read(tmp_path, {"a.csv": text})
    assert found.data.n_samples == len(X)
    assert found.features == (None,)


@pytest.mark.parametrize("header", ["yes", "no"])
def test_what_is_asked_for_decides(tmp_path: Path, header: str) -> None:
    found = read(tmp_path, {"a.csv": "5,7\n1,2\n3,4\n"}, header=header)
    assert found.data.n_samples == 3 - (header == "yes")


@pytest.mark.parametrize("first", ["class", "topic", "0", None])
@pytest.mark.parametrize(
    "values",
    [Y, [f"c{v}" for v in Y], ["yn"[v % 2] for v in Y], [("lung cancer", "breast cancer", "type 1")[v] for v in Y]],
    ids=["numbers", "texts", "y/n", "words"],
)
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
        "# Constructed from biom file\n#" + table(A.T, IDS, "abcd", "\t", "OTU ID", range(4)),
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
        WHOLE + ",,,,\n,,,,\n",
        table(A, ["V1", "V2", "V3", "V4"], [f'"{name}"' for name in IDS], corner='""'),
    ],
    ids=["sep", "comments", "commented-header", "commented-header-of-samples", "remark", "utf-16", "utf-16-le", "bom",
         "gz", "crlf", "trailing", "trailing-in-rows", "blanks", "bars", "german", "french-tabs", "blanks-alone",
         "blank-lines", "lines-of-delimiters", "quoted-by-r"],
)  # fmt: skip
def test_forms_of_one_table(tmp_path: Path, content) -> None:
    check(read(tmp_path, {"a.csv": content, "y.csv": labels(IDS)}), A, ids=IDS)


def test_the_last_comment_may_name_the_columns(tmp_path: Path) -> None:
    names = read(tmp_path, {"a.csv": "# made by hand\n# p,q\n" + table(A[:, :2])})
    assert names.features == (("p", "q"),)
    assert "1 line with # left out, a header (" in names.understood[0]


def test_rows_behind_number_signs_are_left_out_unless_most_have_one(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.csv": WHOLE.replace("s03", "#s03")})
    check(found, np.delete(A, 3, 0), ids=np.delete(IDS, 3), classes=False)
    names = [f"#{identity}" for identity in IDS]
    check(read(tmp_path, {"a.csv": table(A, "abcd", names)}), A, ids=names, classes=False)


def test_blank_lines_and_empty_rows_are_samples_without_values(tmp_path: Path) -> None:
    lines = table(A, "abcd").splitlines()
    found = read(tmp_path, {"a.csv": "\n".join([*lines[:4], "", *lines[5:]]), "b.csv": table(B, "efghij")})
    check(found, np.where(np.arange(N)[:, None] == 3, 0, A), B, classes=False)
    assert found.data.mask[:, 0].tolist() == [i != 3 for i in range(N)]
    spaced = read(tmp_path, {"a.csv": "\r\r\n".join(lines)})
    check(spaced, A, classes=False)
    assert "every second line, which is blank, left out" in spaced.understood[0]
    cells = read(tmp_path, {"a.csv": "1,2\n,\nNA,nan\n", "b.csv": "1\n2\n3\n"})
    assert cells.data.mask.tolist() == [[True, True], [False, True], [False, True]]


def test_everything_that_was_understood_is_said(tmp_path: Path) -> None:
    assert read(tmp_path, {"a.csv": WHOLE, "y.csv": labels(IDS)}).understood == (
        "a.csv is a view: 12 samples as rows, 4 features, a header (because it names the ids or labels), "
        "sample ids in the first column",
        "the ids name 12 samples",
        "y.csv holds the labels of 12 of 12 samples",
        "labels: 12 samples of 3 classes",
    )


def test_packed_files_are_called_by_their_name_without_endings(tmp_path: Path) -> None:
    files = {"rna.csv.gz": gzip.compress(WHOLE.encode()), "meth.tsv.gz": WHOLE.replace(",", "\t").encode()}
    found = read(tmp_path, files)
    assert found.data.view_names == ("rna", "meth")
    assert found.data.name == "rna+meth"


LONG = "sample,gene,value\ns1,g1,1\ns1,g2,2\ns2,g1,3\ns2,g2,4\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\x1f\x8b\x08\x00damaged", "cannot be read"),
        ("id,a\ns1,M\xfcller\n".encode("latin-1"), "not UTF-8 text"),
        ("a\0b,1\n", "null bytes"),
        ("\n\n", "is empty"),
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n", "row 3 has 2 cells and row 1 has 3"),
        ("id,a,b\ns1,1,2\n,3,4\n", "sample 2 has no id"),
        (LONG, "long table.*This makes it a row per sample: python -c"),
        (LONG.partition("\n")[2], r"long table.*header=None"),
        ("sex,a\nm,1\nf,2\nm,3\n", "'m' occurs twice.*If column 'sex' holds no ids, --drop sex leaves it out"),
        (",x\nm,1\nf,2\nm,3\n", "If column '1' holds no ids, --drop 1 leaves it out"),
        ("id,x\n" + "".join(f"{identity},1,{i}\n" for i, identity in enumerate(IDS)), "decimal commas"),
    ],
)
def test_files_that_are_no_views(tmp_path: Path, text, message: str) -> None:
    refused(tmp_path, {"a.csv": text}, message)


def test_views_and_labels_of_other_lengths_need_ids(tmp_path: Path) -> None:
    refused(tmp_path, {"a.csv": "1\n2\n", "b.csv": "1\n2\n3\n"}, "give every file a first column named id")
    refused(tmp_path, {"b.csv": "1\n2\n3\n", "y.csv": "label\ncat\ndog\n"}, "has 2 labels and the views have 3")


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


@pytest.mark.parametrize("sep", [",", ";"])
def test_an_open_format_is_asked_for(tmp_path: Path, sep: str) -> None:
    files = {"a.csv": f"id{sep}a{sep}b\n" + "".join(f"p{i}{sep}1.{i:03d}{sep}2.{i:03d}\n" for i in range(N))}
    error = refused(tmp_path, files, r"the point in '1\.000' .*give the decimal sign, point or comma")
    assert error.field == "decimal"
    assert read(tmp_path, files, decimal="point").data.views[0].matrix[0, 0] == 1.0
    assert read(tmp_path, files, decimal="comma").data.views[0].matrix[0, 0] == 1000.0


def test_numbers_come_back_exactly(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6)) * 10.0 ** rng.integers(-12, 12, size=(40, 6))
    text = "\n".join(",".join(map(repr, row)) for row in X.tolist())
    assert np.array_equal(read(tmp_path, {"a.csv": text}, header="no").data.views[0].matrix, X)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("12%", "holds a percent sign"),
        ("$5", "holds a sign of currency"),
        ("5 €", "holds a sign of currency"),
        ("<0.1", "is a bound"),
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
    refused(tmp_path, files, rf"\(sample 2, column 'age'\) {message}.*--drop age leaves the column out")
    assert read(tmp_path, files, drop="age").data.views[0].matrix.tolist() == [[2], [3], [4], [4]]


@pytest.mark.parametrize(("written", "said"), [("abc", "is not a number|correct it"), ("12%", "from that row")])
def test_a_cell_of_a_file_with_samples_as_columns_is_named_as_the_file_has_it(tmp_path, written, said) -> None:
    rows = [[f"cg{j}", *(f"{value:.4f}" for value in A[:, j])] for j in range(4)]
    rows[2][4] = written
    files = {"a.csv": "\n".join(",".join(row) for row in [["gene", *IDS], *rows])}
    error = refused(tmp_path, files, rf"'{written}' \(row 'cg2', column 's03'\) .*{said}", orientation="columns")
    assert str(error).endswith("--drop cg2 leaves the row out.")


def test_columns_of_text_are_named_together(tmp_path: Path) -> None:
    text = "id,sex,age,tumour stage\n" + "".join(f"p{i},{'fm'[i % 2]},{50 + i},I{'I' * (i % 3)}\n" for i in range(N))
    message = r"'f' .*column 'sex'.* is not a number; so is 1 more.*--drop sex 'tumour stage'"
    refused(tmp_path, {"a.csv": text}, message)
    refused(tmp_path, {"a.csv": text}, r"no column called 'sexx'\. Did you mean sex", drop="sexx")
    assert read(tmp_path, {"a.csv": text}, drop=("sex", "tumour stage")).features == (("age",),)
    unnamed = read(tmp_path, {"a.csv": "1,x,2\n2,y,3\n4,x,4\n"}, drop="2")
    assert unnamed.data.views[0].matrix.tolist() == [[1, 2], [2, 3], [4, 4]]


def test_empty_cells_are_counted(tmp_path: Path) -> None:
    text = "id,a,b\np1,1,[Not Available]\np2,?,2\np3,3,.\np4,4,\n"
    found = read(tmp_path, {"a.csv": text}, impute="median")
    assert "a.csv has 4 empty cells (such as '.', '?' and '[Not Available]') of 8" in found.understood


# classes ------------------------------------------------------------------------------------------------------


def with_column(name: str, values, ids=IDS) -> str:
    """The table of A with one more column."""
    rows = table(A, "abcd", ids).splitlines()
    return "\n".join(f"{row},{value}" for row, value in zip(rows, [name, *values], strict=True)) + "\n"


@pytest.mark.parametrize(
    ("name", "form"),
    [("label", "{}"), ("class", "c{}"), ("y", "{}"), ("y", "c{}"), ("target", "{}.0"), ("True_Label", "{}")],
)
def test_a_class_column_of_a_view_is_no_feature(tmp_path: Path, name: str, form: str) -> None:
    text = with_column(name, map(form.format, Y)) + ",,,,,\n"
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


def test_classes_in_several_views_must_agree_where_they_are_known(tmp_path: Path) -> None:
    first = with_column("class", Y)
    for second in (first, first.replace(",1\n", ",NA\n")):
        check(read(tmp_path, {"a.csv": first, "b.csv": second}), A, A, ids=IDS)
    other = {"a.csv": first, "b.csv": first.replace(",1\n", ",2\n")}
    refused(tmp_path, other, "its column 'class' says '2' where another view says '1'")


def test_a_class_called_y_in_the_first_row_is_no_header(tmp_path: Path) -> None:
    text = "".join(f"{A[i, 0]:.4f},{A[i, 1]:.4f},{'yn'[i % 2]}\n" for i in range(N))
    check(read(tmp_path, {"a.csv": text, "y.csv": labels()}, drop="3"), A[:, :2])


def test_a_feature_that_gives_the_labels_is_pointed_at(tmp_path: Path) -> None:
    files = {"a.csv": with_column("group", 7 * (Y + 1)), "y.csv": labels(IDS)}
    said = "in a.csv, the column 'group' alone gives the labels; --drop group leaves it out"
    assert said in read(tmp_path, files).understood
    check(read(tmp_path, files, drop=["group"]), A, ids=IDS)


@pytest.mark.parametrize("end", ["", "\n"], ids=["too few", "blank at the end"])
def test_a_label_too_few_below_an_unknown_header(tmp_path: Path, end: str) -> None:
    short = labels(header="diagnosis", values=["low", "mid", "high"] * 3 + ["low", "low"])
    refused(tmp_path, {"a.csv": table(A, "abcd"), "y.csv": short + end}, "'diagnosis', occurs nowhere else")


def test_numbers_that_are_no_labels_are_said_and_the_data_have_none(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.csv": "1,2\n3,4\n5,6\n", "y.csv": "0.5\n1.5\n2\n"})
    assert found.data.labels is None
    assert found.not_used == ("y.csv (3 numbers; no labels: not all are whole numbers)",)


def test_files_that_are_called_labels_and_mask_are_no_views(tmp_path: Path) -> None:
    mask = np.ones((N, 2), dtype=int)
    mask[3, 1] = 0
    text = "\n".join(",".join(map(str, row)) for row in mask)
    found = read(tmp_path, {"a.csv": table(A), "b.csv": table(B), "labels.csv": labels(), "mask.csv": text})
    assert found.data.view_names == ("a", "b")
    assert found.data.mask.tolist() == mask.astype(bool).tolist()
    assert found.data.labels.tolist() == Y.tolist()


def test_the_columns_of_a_mask_go_by_their_names(tmp_path: Path) -> None:
    files = {"a.csv": table(A, "wxyz", IDS), "b.csv": table(B, "efghij", IDS)}
    marks = [f"{IDS[i]},{i % 2},1" for i in range(N)]
    found = read(tmp_path, files | {"mask.csv": "\n".join(["id,b,a", *marks])})
    assert found.data.mask.tolist() == [[True, i % 2 == 1] for i in range(N)]
    refused(tmp_path, files | {"mask.csv": "\n".join(["id,b,c", *marks])}, "give a column for each view")
    refused(tmp_path, files | {"mask.csv": "\n".join(["id,b,a", *marks[:-1]])}, "sample 's11' has none")


def test_the_cache_tells_a_file_of_labels_from_a_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    paths = [tmp_path / name for name in ("a.csv", "b.csv", "kind.csv")]
    for path, text in zip(paths, (table(A, "abcd", IDS), table(B, "efghij", IDS), labels(IDS, "kind")), strict=True):
        path.write_text(text)
    assert load_user_data(paths).n_views == 3
    with_labels = load_source(Source.of_files(paths[:2], labels=paths[2]), installed_catalog())
    assert (with_labels.n_views, with_labels.n_clusters) == (2, 3)


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
    alike = {**files, "b.csv": genes(B, "prot")}
    assert refused(tmp_path, alike, r"same header .*give the orientation, rows or columns").field == "orientation"


def test_one_of_two_files_is_transposed(tmp_path: Path) -> None:
    found = read(tmp_path, {"a.csv": WHOLE, "b.csv": genes(B, "prot")})
    check(found, A, B, ids=IDS, classes=False)
    assert "the samples are columns in b.csv: the ids of the other files stand in the header" in found.understood


def test_samples_as_columns_without_ids(tmp_path: Path) -> None:
    turned = {"a.csv": table(A.T, order=range(4))}
    check(read(tmp_path, turned | {"y.csv": labels()}, orientation="columns"), A)
    both = turned | {"b.csv": table(B.T, order=range(6))}
    refused(tmp_path, both, "If the 12 columns are the samples, give --orientation columns")


def test_features_of_the_same_names_are_no_samples(tmp_path: Path) -> None:
    refused(tmp_path, {"a.csv": WHOLE, "b.csv": table(A, "abcd")}, r"b\.csv has no first column of sample ids")
    found = read(tmp_path, {"a.csv": WHOLE, "b.csv": table(A + 1, "abcd", IDS, order=SHUFFLED)})
    check(found, A, A + 1, ids=IDS, classes=False)


def test_columns_that_describe_features_are_no_samples(tmp_path: Path) -> None:
    names, *rows = table(A.T, IDS, "abcd", "\t", "Geneid", range(4)).splitlines()
    wide = [names.replace("\t", "\tChr\tLength\t", 1), *(row.replace("\t", "\tchr1\t50\t", 1) for row in rows)]
    found = read(tmp_path, {"a.tsv": "\n".join(wide), "y.csv": labels(IDS)})
    check(found, A, ids=IDS)
    assert "left out of a.tsv, as they describe features: Chr and Length" in found.understood
    found = read(tmp_path, {"a.tsv": "\n".join(wide)}, orientation="columns", drop="Length")
    check(found, A, ids=IDS, classes=False)
    lines = [
        names.replace("\t", "\tEntrez_Gene_Id\t", 1),
        *(row.replace("\t", f"\t{7 * i}\t", 1) for i, row in enumerate(rows)),
    ]
    found = read(tmp_path, {"data_mrna.txt": "\n".join(lines), "y.csv": labels(IDS)})
    check(found, A, ids=IDS)
    assert found.features == (tuple("abcd"),)
