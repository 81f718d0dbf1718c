"""One question has one answer: by the page of a release, the site, the report and Python, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from site_examples import METHODS, done, trial

import mvarena
from mvarena.analysis.boards import Board, Question
from mvarena.arena.page import board_of
from mvarena.contracts.trial import Step
from mvarena.registry.catalog import installed_catalog
from mvarena.report.data import ReportData
from mvarena.report.tables.model import Table
from mvarena.report.tables.ranks import ranks_table
from mvarena.site.boards import plain_board
from mvarena.site.data import material_of
from mvarena.store.cards import describe_components
from mvarena.store.database import open_database
from mvarena.store.readonly import open_to_read
from mvarena.store.write_outcomes import record

RELEASE = Path(__file__).parents[2] / "reports" / "arena-lite" / "results.db"
METRICS = ("nmi", "acc")
COMPLETE = {"corruption": "none", "rate": 0.0}


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four methods on eight data sets, complete and with missing samples; one is last on complete data alone."""
    path, rng = tmp_path_factory.mktemp("invented") / "results.db", np.random.default_rng(3)
    methods = METHODS[:4]
    trials = [
        (trial(method, f"data-{number}", rate), done(rng, level - (0.5 if rate is None and method == "apmc" else 0.0)))
        for number in range(8)
        for rate in (None, 0.3)
        for method, level in zip(methods, (0.9, 0.75, 0.6, 0.5), strict=True)
    ]
    with open_database(path) as db:
        for one, outcome in trials:
            record(db, one, outcome)
        describe_components(db, (one for one, _ in trials), installed_catalog())
    return path


def test_report_site_and_python_give_one_answer(invented: Path) -> None:
    questions = [Question(metric=metric, **asked) for metric in METRICS for asked in ({}, COMPLETE)]
    with open_to_read(invented) as db:
        report = ReportData.from_database(db, metrics=METRICS)
        material = material_of(db)
        site = {question: plain_board(question, material.boards[question], material) for question in questions}
    python = mvarena.Results(invented).showing(*METRICS)
    assert python.claims() == [report.claim(board) for metric in METRICS if (board := report.board(metric))]
    lasts = []
    for question in questions:
        board = report.answer(question)
        assert board is not None
        claim, words = report.claim(board), report.context.question(question)
        assert claim.startswith(f"{words}, over {board.standings.over}: ")
        there = site[question]
        assert there["about"] == words
        assert there["claim"] == claim
        assert [material.contestants[one] for one in there["contestants"]] == list(board.standings.contestants)
        assert there["mean_ranks"] == board.standings.mean_ranks.tolist()
        assert there["rating"] == pytest.approx(board.table["rating"].tolist(), rel=1e-5)
        for column in ("gain", "p_holm"):
            assert there["pairs"][column] == pytest.approx(board.pairs[column].tolist(), rel=1e-3, nan_ok=True)
        cut = [board.standings.contestants[low : high + 1] for low, high in there["groups"]]
        assert cut == board.cliques
        for tables in ([ranks_table(board, report)], python.table("ranks")):
            _is_told(board, words, claim, tables)
        lasts.append(board.standings.contestants[-1])
    assert lasts == ["mic", "apmc", "mic", "apmc"]  # the questions have different answers


@pytest.mark.slow
def test_of_a_release_the_page_gives_it_too() -> None:
    with open_to_read(RELEASE) as db:
        report, page = ReportData.from_database(db, metrics=METRICS), board_of(db, "arena-lite")
    for metric in METRICS:
        found, board = page.answer(metric), report.board(metric)
        assert board is not None
        assert found.table.equals(board.table)
        assert found.claim(page.data.context.question(found.question), page.labels) == report.claim(board)
    (complete,) = (rows for by, name, rows in page.groups() if (by, name) == ("condition", "unchanged data"))
    found_there, board = page.of_group(complete), report.answer(Question(metric="nmi", **COMPLETE))
    assert found_there is not None
    assert board is not None
    assert found_there.mean_ranks.equals(board.standings.mean_ranks)


def _is_told(board: Board, words: str, claim: str, tables: Sequence[Table]) -> None:
    """Assert that one of the tables holds the board's numbers and claim."""
    (table,) = (one for one in tables if one.title == f"{words}: places over {board.standings.over}")
    assert claim in table.setting
    rows = board.table.set_index("contestant")
    assert [row.name for row in table.rows] == list(rows.index)
    for place, column in enumerate(("place", "mean_rank", "rating")):
        assert [row.cells[place].mean for row in table.rows] == rows[column].tolist()
    gaps = [row.cells[4].mean for row in table.rows]
    assert gaps == pytest.approx(rows["gap"].tolist(), nan_ok=True)


def test_claims_by_what_needs_no_classes_are_over_the_data_without_classes(tmp_path: Path) -> None:
    """Stability is stored for all data, and shown of those without classes; the site claims over these, as a report."""
    rng, path = np.random.default_rng(0), tmp_path / "mixed.db"
    with open_database(path) as db:
        for number in range(5):
            for method in ("apmc", "mic"):
                known = ("acc", "nmi") if number < 3 else ()
                outcome = done(rng, 0.5, metrics=(*known, "stability"), labelled=bool(known))
                record(db, trial(method, f"data-{number}", None), outcome)
    with open_to_read(path) as db:
        report, material = ReportData.from_database(db), material_of(db)
        over = {question.metric: board.standings.n_datasets for question, board in material.boards.items()}
    assert over == {"nmi": 3, "acc": 3, "stability": 2}
    assert [material.results.claim(board) for board in material.boards.values()] == [
        report.claim(board) for question in report.questions if (board := report.answer(question))
    ]
    assert "stability" in material.metrics


def test_two_files_of_one_name_are_two_data_sets_under_several_scalings(tmp_path: Path) -> None:
    """One has no value by the metric shown and another scaling: neither takes the other's name."""
    rng, names = np.random.default_rng(0), ("c0ffee00", "beef0000")
    with open_database(tmp_path / "two.db") as db:
        for method in ("apmc", "mic"):
            for content, metrics, steps in zip(
                names, (("acc", "nmi"), ("nmi",)), ("scale-auto", "minmax"), strict=True
            ):
                own = trial(method, "data.mat", None, content=content, prepare=(Step(steps, "1"),))
                record(db, own, done(rng, 0.5, metrics=metrics))
        record(db, trial("mic", "data.mat", None, content=names[0], prepare=()), done(rng, 0.5, metrics=("acc",)))
        material = material_of(db, metrics=("acc",))
        trials, values = material.trials, material.values
        preparations = ReportData.from_database(db, metrics=("acc", "nmi")).preparations
    assert not trials["key"].duplicated().any()
    assert len(trials) == 5
    assert dict(zip(trials["content"], trials["dataset"], strict=True)) == {
        "c0ffee00": "data.mat #c0ffee", "beef0000": "data.mat #beef00"
    }  # fmt: skip
    assert set(values["dataset"]) == {"data.mat #c0ffee"}
    assert set(values["key"]) <= set(trials["key"])
    assert len(material.datasets) == 2
    assert "minmax" not in set(preparations["scaling"])  # nothing else ran on these data
