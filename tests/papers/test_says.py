"""A sentence of a paper names what is compared, and nothing else; no measured number is typed into prose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mvarena.papers.catalog import papers, read_paper
from mvarena.papers.model import Claim, Figure, Paper

CLAIMS = [
    pytest.param(paper, figure, claim, id=f"{figure.name}-{number}")
    for paper in papers().values()
    for figure in paper.figures
    for number, claim in enumerate(figure.claims)
]


def plain(name: str) -> str:
    """A name as sentences have it: without 'ours' and the like, and without the space before a bracket."""
    return re.sub(r" \((?:ours|All views)\)", "", name).replace(" (", "(")


def named(text: str, names: set[str]) -> set[str]:
    """Those of `names` that stand in `text` as words, longer ones first: 'EMVC(g1)' is not 'EMVC'."""
    found = set()
    for name in sorted(names, key=len, reverse=True):
        pattern = rf"(?<![\w+-]){re.escape(name)}(?![\w+-])"
        if re.search(pattern, text):
            found.add(name)
            text = re.sub(pattern, " ", text)
    return found


def methods_of(paper: Paper) -> dict[str, set[str]]:
    """Name of a method in the paper -> the algorithms that stand for it."""
    methods: dict[str, set[str]] = {}
    for row in (row for table in paper.tables for row in table.rows if row.printed):
        methods.setdefault(plain(row.name), set()).update(made.algo for made in row.made if made.algo)
    return methods


def data_of(paper: Paper) -> dict[str, set[str]]:
    """Name of a data set in the paper -> the data set here, whichever of its views; nothing where it is not at hand."""
    known: dict[str, set[str]] = {}
    for item in (*paper.facts, *paper.tables):
        for column in item.columns:
            known.setdefault(plain(column.name), set()).update([column.data.partition("[")[0]] if column.data else [])
    return known


def strangers(paper: Paper, figure: Figure, claim: Claim) -> list[str]:
    """What `says` names and is not compared, and what is compared and not named; empty for a faithful sentence."""
    methods, data = methods_of(paper), data_of(paper)
    compared = {made.algo for made in (*claim.first, *claim.second)}
    says = named(claim.says, set(methods))
    wrong = [f"{name} is not compared" for name in sorted(says) if not methods[name] & compared]
    if says or claim.second:
        covered = set().union(*(methods[name] for name in says))
        wrong += [f"{algo} is not named" for algo in sorted(compared - covered)]
    used = {made.data or figure.select.data for made in (*claim.first, *claim.second)} | set(claim.data)
    bases = {name.partition("[")[0] for name in used if name}
    if places := named(claim.says, set(data)):
        meant = set().union(*(data[name] for name in places))
        wrong += [f"{name} is not at hand" for name in sorted(places) if not data[name]]
        wrong += [f"{name} is named or used, but not both" for name in sorted(meant ^ bases)]
    return wrong


@pytest.mark.parametrize(("paper", "figure", "claim"), CLAIMS)
def test_a_sentence_names_what_is_compared(paper, figure, claim):
    assert strangers(paper, figure, claim) == []


@pytest.mark.parametrize(
    ("says", "data", "wrong"),
    [
        ("A is better than B", ["one"], []),
        ("A is better than B on One", ["one"], []),
        ("A is better than B and C", ["one"], ["C is not compared"]),
        ("A is best", ["one"], ["b is not named"]),
        ("A is better than B(x)", ["one"], ["B(x) is not compared", "b is not named"]),
        ("A is better than B on One and Two", ["one"], ["two is named or used, but not both"]),
        ("A is better than B on One", ["one", "two"], ["two is named or used, but not both"]),
        ("A is better than B on Gone", [], ["Gone is not at hand"]),
    ],
)
def test_what_a_sentence_names_in_vain_is_found(says, data, wrong):
    paper = read_paper(
        """
        title = "Toy"
        source = "Nobody"
        [[table]]
        name = "toy-table-1"
        title = "A table"
        study = "toy"
        metrics = ["acc"]
        column = [
          { name = "One", data = "one" },
          { name = "Two", data = "two[a,b]" },
          { name = "Gone", missing = "gone" },
        ]
        row = [
          { name = "A (ours)", printed = { One = "1" }, made = [{ label = "a", algo = "a" }] },
          { name = "B", printed = { One = "1" }, made = [{ label = "b", algo = "b" }] },
          { name = "B (x)", printed = { One = "1" }, made = [{ label = "c", algo = "c" }] },
          { name = "C", printed = { One = "1" }, made = [{ label = "c", algo = "c" }] },
        ]
        """,
        "toy",
    )
    claim = Claim.model_validate(
        {"says": says, "kind": "above", "data": data}
        | {"first": [{"label": "a", "algo": "a"}], "second": [{"label": "b", "algo": "b"}]}
    )
    figure = Figure(name="toy-figure-1", title="A figure", study="toy", claim=[claim])
    assert strangers(paper, figure, claim) == wrong


# Measured numbers in prose: they are made from the results (<!-- mvarena:value ... -->) or they are not there.

NUMBER = r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?"
TYPED = re.compile(
    rf"(?<!within ){NUMBER} ?(?:%|percent\b|points?\b|of (?:ACC|NMI|ARI)\b|s\b|seconds?\b|minutes?\b|hours?\b|MB\b"
    r"|GiB\b)"
    rf"|{NUMBER} ?/ ?\d+\.\d|\d+\.\d+ ?/ ?\d"
    rf"|{NUMBER} (?:to|and) {NUMBER} (?:points?|%)"
    r"|(?<![\w.])\d[\d,]*\d\.\d"  # what has a decimal and is ten or more is no parameter
)
# a comparison that says its date and commit, and the list behind it
DATED = re.compile(r"\n\n[^\n]*\d{4}-\d\d-\d\d, commit [0-9a-f]{8}\)[^\n]*(?:\n+- .*?(?=\n\n(?!- )|\Z))?", re.DOTALL)
REPORTS = Path(__file__).parents[2] / "reports"


def prose_of(paper: Paper) -> list[str]:
    """Sentences of a paper that nobody generates: notes, titles, claims, and its page between the markers.

    What is dated with its commit is no sentence on the stored results; "within 3 points" is a threshold.
    """
    page = (REPORTS / paper.name / "README.md").read_text(encoding="utf-8")
    written = re.sub(r"<!-- mvarena:.*?<!-- end -->", "#", page, flags=re.DOTALL)
    texts = DATED.sub("\n\n", written).split("\n\n")
    for item in paper.items.values():
        texts += [item.title, *item.notes, *(claim.says for claim in getattr(item, "claims", ()))]
    return texts


@pytest.mark.parametrize("paper", [pytest.param(paper, id=name) for name, paper in papers().items()])
def test_no_measured_number_is_typed_into_prose(paper):
    assert [(match[0], text) for text in prose_of(paper) for match in TYPED.finditer(text)] == []


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("it is 18 to 21 points above", True),
        ("ours reaches 0.1 / 78.0 there", True),
        ("tried for 12 s", True),
        ("8 points of ACC", True),
        ("gave 69.1 % at most", True),
        ("ends at 118.34 in all", True),
        ("with k = 5, alpha = 0.05 and 100 iterations", False),
        ("of 20 k-means runs the one of lowest inertia", False),
        ("rates from 0 to 0.9; d^2 / 100", False),
    ],
)
def test_what_a_typed_number_is(text, typed):
    assert bool(TYPED.search(text)) is typed
