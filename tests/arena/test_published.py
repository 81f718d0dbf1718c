"""Published scores stand beside those of a release where data, mask and method are the same."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest

from mvarena.arena import published as published_module
from mvarena.arena.board import Board
from mvarena.arena.published import FILE_COLUMNS, Published, published, published_part, published_table
from mvarena.arena.suites import DEEP, METRICS
from mvarena.registry.catalog import installed_catalog
from mvarena.study.file import study_at

NUMBER = re.compile(r"\d+\.\d+")
PAPER = Published(
    source="A paper, Table 1",
    where="A paper",
    data="cub",
    corruption="missing-even",
    rate=0.5,
    differs="Other masks.",
    explained="It is scaling.",
    scores={"apmc": {"acc": 50.0, "nmi": 60.0}, "concat": {"nmi": 45.0}, "amgl": {"nmi": 70.0}},
)


@pytest.fixture
def board(long_frame):
    """Two methods on two data sets at rates 0.5 and 0.3 in two repeats, and one that did not finish."""
    for dataset in ("cub", "digits"):
        for rate, shift in ((0.5, 0.0), (0.3, 0.2)):
            for repeat, noise in enumerate((-0.01, 0.01)):
                for algorithm, value in (("concat", 0.4), ("apmc", 0.6), ("amgl", None)):
                    scores = {metric: [value + shift + noise] for metric in METRICS} if value else None
                    long_frame.trial(
                        algorithm, scores, dataset=dataset, rate=rate, corruption="missing-even", repeat=repeat,
                        prepare="scale-auto", pick="lowest-inertia", content=f"c-{dataset}",
                        status="DONE" if value else "TIMEOUT",
                    )  # fmt: skip
    return Board(long_frame.frame())


def test_scores_of_the_same_data_mask_and_setting_stand_beside(board):
    rows = PAPER.beside(board)
    assert list(zip(rows["method"], rows["metric"], rows["paper"], strict=True)) == [
        ("apmc", "nmi", 60.0), ("apmc", "acc", 50.0), ("concat", "nmi", 45.0),
    ]  # fmt: skip
    assert rows["here"].tolist() == pytest.approx([60.0, 60.0, 40.0])
    assert rows["std"].tolist() == pytest.approx([100 * np.std([-0.01, 0.01], ddof=1)] * 3)


def test_the_part_of_the_page_has_the_ends_of_the_differences(board, monkeypatch):
    monkeypatch.setattr(published_module, "published", lambda: (PAPER,))
    text = "\n".join(published_part(board))
    assert (
        "- **A paper**, cub under missing-even 0.5: 2 methods, NMI -5.0 (concat) to +0.0 (apmc), ACC +10.0 (apmc). "
        "Other masks. It is scaling." in text
    )


def test_the_file_has_each_score(board, monkeypatch):
    monkeypatch.setattr(published_module, "published", lambda: (PAPER, PAPER))
    table = published_table(board)
    assert tuple(table.columns) == FILE_COLUMNS
    assert table["paper"].tolist() == [60.0, 50.0, 45.0] * 2
    assert set(table["source"]) == {"A paper, Table 1"}


def test_nothing_is_said_where_nothing_fits(long_frame, board, monkeypatch):
    monkeypatch.setattr(published_module, "published", lambda: (PAPER,))
    other = Board(board.scores[board.scores["dataset"] != "cub"])
    assert list(published_part(other)) == []
    assert published_table(other).empty


def test_the_tables_are_of_conditions_and_methods_of_the_suite():
    blocks = [said.settings for said in study_at("arena").said()]
    conditions = {
        (data, corruption, rate)
        for block in blocks
        for data in block["data"]
        for corruption in block["corrupt"]
        for rate in ([0.0] if corruption == "none" else block.get("rates", ()))
    }
    known = set(installed_catalog().names("algorithm")) | set(DEEP)
    for one in published():
        assert (one.data, one.corruption, one.rate) in conditions
        assert known >= one.scores.keys()
        assert all(0 < value < 100 and name in METRICS for row in one.scores.values() for name, value in row.items())


ROWS = {
    "apmc-table-1": {
        "apmc": "APMC (ours)", "mic": "MIC", "multinmf": "MultiNMF", "daimc": "DAIMC", "sc-concat": "SC[C]",
        "sc-average": "SC[A]",
    },
    "emvc": {
        "kernel-addition": "Kernel Addition", "coreg-pairwise": "Co-Reg", "amgl": "AMGL", "rmsc": "RMSC",
        "emvc-g1": "EMVC (g1)", "emvc-l21": "EMVC (2,1)", "emvc": "EMVC",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("data", "paper", "table", "column"),
    [
        ("3sources", "apmc", "apmc-table-1", "3Sources (All views)"),
        ("fox", "emvc", "emvc-table-3", "FOX"),
        ("citeseer", "emvc", "emvc-table-4", "Citeseer"),
    ],
)
def test_scores_are_those_that_are_reproduced(data, paper, table, column, request):
    text = (request.config.rootpath / "mvarena" / "papers" / f"{paper}.toml").read_text("utf-8")
    (rows,) = [one["row"] for one in tomllib.loads(text)["table"] if one["name"] == table]
    printed = {row["name"]: [float(item) for item in NUMBER.findall(row["printed"][column])] for row in rows}
    (one,) = [one for one in published() if one.data == data]
    for method, scores in one.scores.items():
        numbers = printed[ROWS.get(table, ROWS["emvc"])[method]]
        expected = (
            {"acc": numbers[0], "nmi": numbers[2]}
            if paper == "apmc"
            else {"nmi": 100 * numbers[6], "acc": 100 * numbers[10], "ari": 100 * numbers[12]}
        )
        assert scores == pytest.approx(expected), method
