"""One table in all its forms: the same numbers, the same marks, and nothing that a name smuggles in."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import InvalidSetting, UnknownName
from mvarena.report.formats.files import DEFAULT_TABLE_FORMATS, TABLE_FORMATS, table_file, table_formats
from mvarena.report.formats.html import html_page, html_table
from mvarena.report.formats.latex import latex_escape, latex_table
from mvarena.report.formats.markdown import markdown_table
from mvarena.report.formats.records import csv_table, parquet_table
from mvarena.report.formats.terminal import terminal_tables
from mvarena.report.tables.kinds import KINDS
from mvarena.report.tables.model import Table
from mvarena.report.write import tables_of, write_report

HOSTILE = (
    "<script>alert(1)</script>",
    r"\input{/etc/passwd}",
    "=cmd()",
    "@SUM(A1)",
    "a\u202egnp.exe",
    "人脸 | x",
    "*b*",
)
Marked = tuple[str, int, bool]  # as shown without marks, rank, whether worse than the best


class _Cells(HTMLParser):
    """The text and the tags of each <td> of the body, row by row."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[tuple[str, set[str]]]] = []
        self._open = False
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        if tag == "tbody":
            self.rows.append([])
            self.rows.pop()
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append(("", set()))
            self._open = True
        elif self._open:
            self.rows[-1][-1][1].add(tag)

    def handle_endtag(self, tag) -> None:
        if tag == "td":
            self._open = False

    def handle_data(self, data) -> None:
        if self._open:
            text, tags = self.rows[-1][-1]
            self.rows[-1][-1] = (text + data, tags)


def of_model(table: Table) -> list[list[Marked]]:
    return [
        [(cell.shown(cell.text).replace("†", ""), cell.rank, cell.worse) for cell in row.cells] for row in table.rows
    ]


def of_html(table: Table) -> list[list[Marked]]:
    rows = _Cells(html_page(table)).rows[-len(table.rows) :]
    return [
        [(text.replace("†", ""), 1 if "b" in tags else 2 if "u" in tags else 0, "sup" in tags) for text, tags in row]
        for row in rows
    ]


def of_markdown(table: Table) -> list[list[Marked]]:
    lines = [line for line in markdown_table(table).splitlines() if line.startswith("|")][2:]
    return [[_unmarked(cell) for cell in re.split(r"(?<!\\)\|", line)[2:-1]] for line in lines]


def _unmarked(cell: str) -> Marked:
    text = cell.strip()
    rank = 1 if text.startswith("**") else 2 if text.startswith("<u>") else 0
    plain = re.sub(r"^\*\*|\*\*$|</?u>", "", text)
    return re.sub(r"\\(.)", r"\1", plain).replace("†", ""), rank, "†" in plain


def of_latex(table: Table) -> list[list[Marked]]:
    body = latex_table(table, label="x").partition("\\midrule\n")[2].partition("\n\\bottomrule")[0]
    found = []
    for line in body.splitlines():
        cells = line.removesuffix(r" \\").split(" & ")[1:]
        found.append([_of_latex(cell) for cell in cells])
    return found


def _of_latex(cell: str) -> Marked:
    rank = 1 if r"\textbf{" in cell else 2 if r"\underline{" in cell else 0
    plain = re.sub(r"\\(?:textbf|underline)\{([^}]*)\}", r"\1", cell)
    level = r"$^\dagger$" in plain
    for code, sign in ((r"$^\dagger$", ""), (r" $\pm$ ", " ± "), ("--", "–"), (r"\%", "%"), (r"\textless{}", "<")):
        plain = plain.replace(code, sign)
    return plain, rank, level


def of_csv(table: Table) -> list[list[Marked]]:
    records = list(csv.DictReader(io.StringIO(csv_table(table))))
    return _by_row(
        table,
        [(_text(one["shown"]).replace("†", ""), int(one["rank"] or 0), one["worse"] == "true") for one in records],
    )


def _text(cell: str) -> str:
    return cell.removeprefix("'")


def of_parquet(table: Table) -> list[list[Marked]]:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_parquet(io.BytesIO(parquet_table(table)))
    ranks = frame["rank"].fillna(0).astype(int)
    return _by_row(
        table,
        [
            (shown.replace("†", ""), rank, bool(level))
            for shown, rank, level in zip(frame["shown"], ranks, frame["worse"], strict=True)
        ],
    )


def _by_row(table: Table, cells: list[Marked]) -> list[list[Marked]]:
    width = len(table.columns)
    return [cells[start : start + width] for start in range(0, len(cells), width)]


READERS = {"html": of_html, "md": of_markdown, "tex": of_latex, "csv": of_csv, "parquet": of_parquet}


@pytest.fixture(scope="module")
def several(new_long_frame, results_of):
    """Four methods on six data sets at two rates, twelve repeats: b is as good as a, c is not, d crashes on one."""
    builder = new_long_frame()
    lift = {"a": (0.80, 0.82, 0.78), "b": (0.79, 0.81, 0.78), "c": (0.5, 0.52, 0.51), "d": (0.3, 0.35, 0.31)}
    for place in range(6):
        for rate in (0.1, 0.5):
            for name, values in lift.items():
                for repeat, value in enumerate(np.tile(values, 4)):
                    at = {"dataset": f"s{place}", "content": f"s{place}", "rate": rate, "repeat": repeat}
                    if (name, place) == ("d", 2):
                        builder.trial(name, status="CRASHED", reason="signal 11", **at)
                    else:
                        builder.trial(
                            name, {"acc": [value - rate / 10], "spread": [value + repeat]}, fit_s=0.5 + place, **at
                        )
    return results_of(builder, metrics=["acc", "spread"])


@pytest.fixture(scope="module")
def every_table(several):
    return tables_of(several)


@pytest.mark.parametrize("form", TABLE_FORMATS)
def test_every_form_has_the_numbers_and_the_marks_of_the_model(every_table, form: str) -> None:
    kinds = {table.kind for table in every_table}
    assert kinds >= {"conditions", "datasets", "aggregated", "ranks", "ratings", "failures"}
    for table in every_table:
        assert READERS[form](table) == of_model(table), table.title


def test_best_second_and_worse_are_marked_and_the_caption_names_the_test(several) -> None:
    table = next(one for one in tables_of(several, ["datasets"]) if one.metric == "acc")
    marks = {row.name: (row.cells[0].rank, row.cells[0].worse) for row in table.rows}
    assert marks == {"a": (1, False), "b": (2, False), "c": (0, True), "d": (0, True)}
    for text in (markdown_table(table), html_table(table)):
        assert "paired t-test" in text
    assert "paired t-test" in latex_table(table, label="x")
    ranks = tables_of(several, ["ranks"])[0]
    assert "Wilcoxon" in ranks.caption


def test_a_terminal_shows_the_marks_too(several) -> None:
    from rich.console import Console

    table = next(one for one in tables_of(several, ["datasets"]) if one.metric == "acc")
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(terminal_tables([table], width=200))
    text = console.export_text(styles=True)
    assert re.search(r"\x1b\[1m79\.00 ± 1\.7", text)
    assert re.search(r"\x1b\[4m78\.33 ± 1\.3", text)
    assert re.search(r"50\.00† ± 0\.8", text)
    assert "† worse than the best" in text


def test_what_finished_stands_beside_the_default(several) -> None:
    heads = [column.head for column in tables_of(several, ["ranks"])[0].columns]
    assert heads[0] == "ACC"
    assert heads[1].startswith("ACC, finished only")
    table = tables_of(several, ["ratings"])[0]
    assert any("finished only" in column.head for column in table.columns)
    assert "d (2)" in " ".join(table.notes)


def test_no_name_is_markup_in_any_form(new_long_frame, results_of) -> None:
    builder = new_long_frame()
    for name in HOSTILE:
        for dataset in HOSTILE[:3]:
            builder.trial(name, {"acc": [0.5]}, dataset=dataset, content=dataset)
            builder.trial(name, status="FAILED", reason=f"{name} is bad", dataset=dataset, content=dataset, repeat=1)
    for table in tables_of(results_of(builder, metrics=["acc"])):
        page, tags = html_page(table), _Cells(html_page(table)).tags
        assert "script" not in tags
        assert "\u202e" not in page + markdown_table(table) + latex_table(table, label="x")
        assert "<script" not in markdown_table(table).replace(r"\<", "")
        assert r"\input{" not in latex_table(table, label="x")
        for line in csv.reader(io.StringIO(csv_table(table))):
            assert not [cell for cell in line if cell.startswith(("=", "@"))]


def test_latex_of_a_dagger_is_a_command() -> None:
    assert latex_escape("†") == r"$^\dagger$"


def test_forms_are_chosen_by_name_and_a_wrong_one_writes_nothing(several, tmp_path: Path) -> None:
    assert table_formats([]) == DEFAULT_TABLE_FORMATS
    assert table_formats(["html", "md"]) == ("md", "html")
    with pytest.raises(UnknownName, match=r"no format of tables called 'htm'\. Did you mean html"):
        table_formats(["htm"])
    written = write_report(several, tmp_path, tables=["ranks"], figures=[], table_forms=["html"])
    assert [path.suffix for path in written] == [".html"]
    assert written[0].read_text("utf-8") == table_file(tables_of(several, ["ranks"])[0], "html", label="x")


def test_parquet_says_what_it_needs(several, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.report.exports.find_spec", lambda _: None)
    with pytest.raises(InvalidSetting, match=r"pip install 'mvarena\[parquet\]'"):
        write_report(several, tmp_path, tables=["ranks"], figures=[], table_forms=["csv", "parquet"])
    assert list(tmp_path.iterdir()) == []


def test_every_kind_of_table_has_words_for_what_it_needs() -> None:
    assert all(kind.needs and kind.summary for kind in KINDS)


def repeated(builder, values: dict[str, float], n_repeats: int, n_sets: int = 1):
    """Contestant -> mean of ACC, with a little noise that differs between them."""
    rng = np.random.default_rng(0)
    for place in range(n_sets):
        for name, value in values.items():
            for repeat in range(n_repeats):
                at = {"dataset": f"s{place}", "content": f"s{place}", "repeat": repeat}
                builder.trial(name, {"acc": [value + float(rng.normal(0, 1e-4))]}, **at)
    return builder


@pytest.mark.parametrize(("n_repeats", "n_sets"), [(9, 6), (10, 5), (10, 6)])
def test_below_ten_repeats_or_six_corpora_a_caption_says_why_nothing_is_marked(
    results_of, new_long_frame, n_repeats: int, n_sets: int
) -> None:
    results = results_of(repeated(new_long_frame(), {"apmc": 0.9, "concat": 0.2}, n_repeats, n_sets))
    marked = n_repeats == 10 and n_sets == 6
    words = "†" if marked else "Nothing is marked (†) as worse than the best: that takes results on 6 corpora or more"
    for table in tables_of(results, ["conditions"]):
        assert table.tested.startswith(words)
        assert any(cell.worse for row in table.rows for cell in row.cells) == marked
        assert table.tested in table.caption


@pytest.mark.parametrize(
    ("n_sets", "words"), [(5, "Nothing is marked (†) as worse than the best: too few corpora for Wilcoxon's"), (6, "†")]
)
def test_below_six_corpora_ranks_say_why_nothing_is_marked(results_of, new_long_frame, n_sets: int, words: str) -> None:
    results = results_of(repeated(new_long_frame(), {"apmc": 0.9, "concat": 0.2}, 1, n_sets))
    for kind in ("ranks", "ratings"):
        (table,) = tables_of(results, [kind])
        assert table.tested.startswith(words)
        marked = {row.name for row in table.rows if any(cell.worse for cell in row.cells)}
        assert marked == ({"concat"} if n_sets == 6 else set())


@pytest.mark.parametrize(("n_sets", "is_tested"), [(9, False), (10, True)])
def test_ranks_promise_no_mark_that_the_number_of_corpora_rules_out(
    results_of, new_long_frame, n_sets: int, is_tested: bool
) -> None:
    """15 pairs: the least p-value of nine corpora, 2^(1 - 9) x 15 = .059, is not significant, that of ten, .029, is."""
    lead = {f"m{place}": 0.9 - 0.1 * place for place in range(6)}
    (table,) = tables_of(results_of(repeated(new_long_frame(), lead, 1, n_sets)), ["ranks"])
    assert table.tested.startswith("†" if is_tested else "Nothing is marked (†)")
    assert any(cell.worse for row in table.rows for cell in row.cells) == is_tested


def test_one_method_has_nothing_to_be_worse_than(results_of, new_long_frame) -> None:
    (table,) = tables_of(results_of(repeated(new_long_frame(), {"apmc": 0.9}, 3)), ["conditions"])
    assert table.tested == ""


@pytest.mark.parametrize(("gap", "is_marked"), [(0.005, False), (0.02, True)])
def test_ranks_mark_nobody_within_one_point_of_the_first(
    results_of, new_long_frame, gap: float, is_marked: bool
) -> None:
    results = results_of(repeated(new_long_frame(), {"apmc": 0.9, "concat": 0.9 - gap}, 1, 8))
    for kind in ("ranks", "ratings"):
        (table,) = tables_of(results, [kind])
        marked = {row.name for row in table.rows if any(cell.worse for cell in row.cells)}
        assert marked == ({"concat"} if is_marked else set())


def test_controls_are_neither_the_best_nor_tested_in_marks(results_of, new_long_frame, context) -> None:
    random = AlgorithmSpec(name="random", target="somewhere.control.levels:Random", summary="random labels")
    words = replace(context, algorithms={**context.algorithms, "random": random})
    builder = repeated(new_long_frame(), {"random": 0.1, "apmc": 0.9, "concat": 0.895}, 12, 6)
    results = results_of(builder, context=words)
    assert {name for *_, name in results.worse.tested} == {"concat"}
    assert results.worse.worse == frozenset()
