"""Papers as files: what is wrong with one is said with its place."""

from __future__ import annotations

import pytest

from mvarena.errors import InvalidData, UnknownName
from mvarena.papers.catalog import asked, papers, read_paper
from mvarena.papers.model import Figure, gaps

TABLE = """
title = "T"
source = "S"

[[table]]
name = "t-1"
title = "A table"
study = "quick"
metrics = ["acc"]

[[table.column]]
name = "A"
data = "digits"

[[table.row]]
name = "M"
printed = { A = "1.0" }
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('title = "T"', 'titel = "T"', "titel|title"),
        ('A = "1.0"', 'B = "1.0"', "no column 'B'"),
        ('A = "1.0"', 'A = "1.0 / 2.0"', "2 numbers, not 1"),
        ('A = "1.0"', 'A = "one"', "not a number"),
        ('name = "t-1"', 'name = "T 1"', "name"),
        ("metrics", "= metrics", "not TOML"),
    ],
)
def test_what_is_wrong_is_said(old, new, says):
    with pytest.raises(InvalidData, match=says):
        read_paper(TABLE.replace(old, new), "t")


def test_names_mean_items_papers_or_all():
    assert [[item.name for item in items] for _, items in asked(["mic-table-4"])] == [["mic-table-4"]]
    ((paper, items),) = asked(["mic"])
    assert [item.name for item in items] == list(paper.items)
    assert [paper.name for paper, _ in asked([])] == list(papers())
    with pytest.raises(UnknownName, match="mic-table-4"):
        list(asked(["mic-tabel-4"]))


def test_what_cannot_be_had_is_said_of_whole_items_columns_and_rows():
    said = {name: gaps(item) for paper in papers().values() for name, item in paper.items.items()}
    assert said["apmc-figure-1"] == ("Cannot be had: they are drawings of the method and show no result.",)
    assert [text.partition(" cannot")[0] for text in said["emvc-table-4"]] == ["CCV"]
    assert said["mic-table-4"] == ()


@pytest.mark.parametrize("paper", papers().values(), ids=papers())
def test_an_item_without_results_says_why(paper):
    for item in paper.items.values():
        assert gaps(item) or not isinstance(item, Figure) or item.claims
