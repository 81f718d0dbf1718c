"""Published scores stand beside those of a release where data, mask and method are the same."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.arena import published as published_module
from mvarena.arena.board import Board
from mvarena.arena.published import Published, published, published_part
from mvarena.arena.suites import DEEP, METRICS
from mvarena.registry.catalog import installed_catalog
from mvarena.study.file import study_at

PAPER = Published(
    source="A paper, Table 1",
    data="cub",
    corruption="missing-even",
    rate=0.5,
    alike="The data are the same.",
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


def test_the_part_of_the_page_has_each_difference(board, monkeypatch):
    monkeypatch.setattr(published_module, "published", lambda: (PAPER,))
    text = "\n".join(published_part(board))
    assert "| apmc | 60.0 | 60.0 ± 1.4 | 50.0 | 60.0 ± 1.4 |" in text
    assert "NMI -5.0 to +0.0, ACC +10.0 to +10.0. It is scaling." in text


def test_nothing_is_said_where_nothing_fits(long_frame, board, monkeypatch):
    monkeypatch.setattr(published_module, "published", lambda: (PAPER,))
    other = Board(board.scores[board.scores["dataset"] != "cub"])
    assert list(published_part(other)) == []


def test_the_tables_are_of_conditions_and_methods_of_the_suite():
    blocks = [said.settings for said in study_at("arena").said()]
    conditions = {
        (data, corruption, rate)
        for block in blocks
        for data in block["data"]
        for corruption in block["corrupt"]
        for rate in block.get("rates", ())
    }
    known = set(installed_catalog().names("algorithm")) | set(DEEP)
    for one in published():
        assert (one.data, one.corruption, one.rate) in conditions
        assert known >= one.scores.keys()
        assert all(0 < value < 100 and name in METRICS for row in one.scores.values() for name, value in row.items())
