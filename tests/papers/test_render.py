"""Generated parts: numbers within sentences, numbers of data sets, the whole table."""

from __future__ import annotations

import csv
import io

import pytest

from mvarena.errors import InvalidData
from mvarena.papers.claims import check_facts
from mvarena.papers.model import Facts, Paper
from mvarena.papers.render import Rendered


@pytest.fixture
def rendered(evidence_of, table_of) -> Rendered:
    found = evidence_of(
        {"acc": 0.612},
        {"algorithm": "sc-concat", "acc": 0.4},
    )
    table = table_of({"Concat": ("60.0 ± 1.0", "concat"), "SC": ("50.0", "sc-concat")}, notes=["It is said so."])
    paper = Paper.model_validate(
        {"name": "toy", "title": "Toy", "source": "Nobody", "table": [table.model_dump(by_alias=True)]}
    )
    return Rendered(paper, found, "reports/toy/results.db")


def test_numbers_within_sentences(rendered):
    place = "toy-table-1 / concat / toy / acc"
    values = [rendered.part("value", f"{place}{end}") for end in ("", " / paper", " / difference")]
    assert values == ["61.2", "60.0", "+1.2"]
    assert [rendered.part("value", f"toy-table-1 / {count}") for count in ("numbers", "within 3", "beyond 10")] == [
        "2",
        "1",
        "0",
    ]


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("value", "toy-table-1 / concat / toy"),
        ("value", "toy-table-1 / within 4"),
        ("value", "toy-table-1 / nobody / toy / acc"),
        ("table", "toy-table-2"),
        ("picture", "toy-table-1"),
    ],
)
def test_what_a_page_cannot_ask_for(rendered, kind, what):
    with pytest.raises(InvalidData, match=r"not a number|asks for"):
        rendered.part(kind, what)


def test_a_table_holds_both_numbers_the_verdict_the_notes_and_the_way_to_its_trials(rendered):
    text = rendered.part("table", "toy-table-1")
    for words in ("60.0 ± 1.0", "61.2", "+1.2", "✓", "▼", "1 of 2 numbers are reproduced.", "It is said so."):
        assert words in text
    assert "mvarena results list --trials --db reports/toy/results.db --algo concat --data toy" in text


def test_every_number_is_in_the_csv(rendered):
    rows = list(csv.DictReader(io.StringIO(rendered.csv(rendered.paper.items["toy-table-1"]))))
    assert [(row["paper"], row["mean"], row["reproduced"], row["keys"]) for row in rows] == [
        ("60.0", "61.2", "True", "k0"),
        ("50.0", "40.0", "False", "k1"),
    ]


@pytest.mark.parametrize(
    ("missing", "same"), [(13.513, True), (13.506, True), (13.504, False), (13.516, False), (None, None)]
)
def test_facts_are_the_same_up_to_what_rounding_hides_and_nobody_judges_what_is_not_known(evidence_of, missing, same):
    table = Facts.model_validate(
        {
            "name": "toy-table-2",
            "title": "Data",
            "study": "toy",
            "facts": ["samples", "missing-1"],
            "column": [{"name": "Toy", "data": "toy", "views": ["b", "a"]}],
            "printed": {"Toy": "407 / 13.51%"},
        }
    )
    known = {"samples": 407, "missing-a": 50.0} | ({} if missing is None else {"missing-b": missing})
    found = evidence_of({"acc": 0.5}, facts={"toy": known})
    assert [one.same for one in check_facts(table, found)] == [True, same]
