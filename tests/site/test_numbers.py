"""The ranks, means and counts of a page are those of Python; ratings, ties, pairs and claims are Python's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from browsers import Browser
from site_examples import DATASETS

from mvarena.analysis.boards import Question, board_of, competing
from mvarena.analysis.standings import Standings, by_corpus, standings
from mvarena.site.data import Material

CHOICES: dict[str, dict[str, Any]] = {
    "everything": {},
    "another metric": {"metric": "nmi"},
    "lower is better": {"metric": "entropy"},
    "four data sets": {"data": list(DATASETS[1:5])},
    "one data set": {"data": ["data-c"]},
    "one condition": {"condition": "missing-even 0.3"},
    "one family": {"family": ["baselines"]},
    "a family under a condition": {"family": ["baselines"], "condition": "missing-even 0.1"},
}
BOARD = """
mvarena.needPoints(args[0].metric).then(function ([points, boards]) {
  const board = mvarena.boardOf(points, boards, Object.assign(mvarena.choices(), args[0]));
  const labels = mvarena.get("labels");
  const table = board.table;
  return {
    names: table.contestants.map(c => labels.contestants[c].name), corpora: table.corpora, meanRanks: table.meanRanks,
    places: mvarena.boardRows(board).map(row => row.shared),
    values: table.values, ranks: table.ranks, means: table.means, finished: table.finished,
    gaps: table.contestants.map((_, c) => mvarena.mean(Array.from(mvarena.gains(points, table, 0, c).values()))),
    claim: board.asked && board.asked.claim, exact: board.exact, left: table.leftOut.length,
  };
})
"""


def in_python(material: Material, choice: dict[str, Any]) -> Standings:
    """The same standings by `mvarena.analysis`."""
    metric = choice.get("metric", material.metrics[0])
    corruption, _, rate = choice.get("condition", "").partition(" ")
    asked = {"corruption": corruption, "rate": float(rate)} if corruption else {}
    rows = competing(material.results.summary, metric)
    rows = rows[Question(metric=metric, **asked).among(rows)]
    if "data" in choice:
        rows = rows[rows["dataset"].isin(choice["data"])]
    if "family" in choice:
        family = {name: card.family_words for name, card in material.results.context.cards.methods.items()}
        rows = rows[rows["algorithm"].map(family).isin(choice["family"])]
    return standings(rows, metric, higher_is_better=material.results.context.directions[metric])


@pytest.mark.parametrize("name", CHOICES)
def test_ranks_means_and_counts(name: str, browser: Browser, site, material: Material) -> None:
    choice = {"metric": material.metrics[0]} | CHOICES[name]
    expected = in_python(material, choice)
    browser.open(site)
    found = browser.result(BOARD, choice)
    names = list(expected.contestants)
    assert found["names"] == names
    assert found["corpora"] == list(expected.ranks.index)
    np.testing.assert_allclose(found["meanRanks"], expected.mean_ranks.to_numpy(), rtol=1e-12)
    assert found["places"] == expected.places.to_list()
    np.testing.assert_allclose(found["ranks"], expected.ranks[names].to_numpy(), rtol=1e-12)
    of_corpora = by_corpus(expected.cells, expected.corpus_of)[names]
    np.testing.assert_allclose(np.array(found["values"], float), of_corpora.to_numpy(), rtol=1e-12)
    np.testing.assert_allclose(np.array(found["means"], float), of_corpora.mean().to_numpy(), rtol=1e-12)
    np.testing.assert_allclose(np.array(found["gaps"], float), expected.distances["gap"].to_numpy(), atol=1e-12)
    assert found["finished"] == [expected.finished[one] for one in names]
    assert found["left"] == len(expected.left_out)


@pytest.mark.parametrize(("metric", "condition"), [("nmi", ""), ("acc", "missing-even 0.3")])
def test_a_filter_leaves_the_claim_of_the_question(
    metric: str, condition: str, browser: Browser, site, material: Material
) -> None:
    """Of the whole or of a condition: families, data sets and what finished move the ranks alone."""
    corruption, _, rate = condition.partition(" ")
    asked = {"corruption": corruption, "rate": float(rate)} if corruption else {}
    question = Question(metric=metric, **asked)
    board = board_of(question, material.results.whole, material.results.context.directions)
    browser.open(site)
    for filtered in ({}, {"family": ["baselines"]}, {"data": list(DATASETS[:7])}, {"finished": "all"}):
        found = browser.result(BOARD, {"metric": metric, "condition": condition, **filtered})
        assert found["claim"] == material.results.claim(board)
        assert found["exact"]


def test_a_question_without_a_board_shows_the_claim_of_everything_and_says_so(browser: Browser, site) -> None:
    browser.open(site, "board", "?condition=missing-even+0.3&size=up+to+700+samples")
    assert "No claim was computed for this selection" in browser.text(".claim")
    assert "NMI, all conditions" in browser.text(".claim")


def test_the_study_has_what_is_hard(material: Material) -> None:
    """Ties, unfinished trials, a contestant that is left out, and a claim that can be made: else little is compared."""
    board = material.boards[Question(metric="acc")]
    assert min(board.standings.finished.values()) < board.standings.n_conditions
    assert board.standings.left_out
    assert (board.pairs["p_holm"] < 0.05).any()
    assert (board.pairs["ties"] > 0).any()
    assert material.results.summary["label_picked"].any()
