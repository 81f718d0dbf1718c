"""Reports on results that show nothing claim nothing: random labels, copies of one data set, a single corpus."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mvarena.report.data import ReportData
from mvarena.report.write import tables_of

METHODS = ("apmc", "concat", "daimc", "mic")


def filled(long_frame: Any, corpus_of: dict[str, str], leads: dict[str, float], seed: int = 0) -> ReportData:
    """Ten repeats of each method on each data set: .5 and its lead, with noise."""
    rng = np.random.default_rng(seed)
    for dataset, corpus in corpus_of.items():
        for method in METHODS:
            for repeat in range(10):
                value = 0.5 + leads.get(method, 0.0) + 0.05 * float(rng.standard_normal())
                where = {"dataset": dataset, "content": dataset, "corpus": corpus, "repeat": repeat, "prepare": ""}
                long_frame.trial(method, {"acc": [value]}, **where)
    return ReportData.of_scores(long_frame.frame(), metrics=["acc"])


def marked(results: ReportData, *kinds: str) -> list[str]:
    """The texts of all cells that are marked as worse."""
    cells = [cell for table in tables_of(results, kinds) for row in table.rows for cell in row.cells]
    return [cell.shown(cell.text) for cell in cells if "†" in cell.shown(cell.text)]


@pytest.mark.parametrize("seed", range(5))
def test_of_random_scores_nothing_is_claimed(long_frame: Any, seed: int) -> None:
    results = filled(long_frame, {f"set{number}": f"set{number}" for number in range(8)}, {}, seed)
    assert "no difference" in results.claim
    assert marked(results, "ranks") == []


def test_of_six_copies_of_one_data_set_nothing_is_claimed(long_frame: Any) -> None:
    results = filled(long_frame, {f"copy{number}": "one" for number in range(6)}, {"apmc": 0.3})
    assert results.claim == "Over 1 corpus (6 data sets) nothing can be claimed with fewer than 6 corpora."
    assert marked(results, "ranks") == []


def test_of_one_corpus_nothing_is_claimed_over_corpora(long_frame: Any) -> None:
    results = filled(long_frame, {"digits": "digits"}, {"apmc": 0.3})
    assert results.claim == ""
    assert len(marked(results, "conditions")) == len(METHODS) - 1  # on this data set, by its repeats


def test_a_real_lead_over_many_corpora_is_claimed(long_frame: Any) -> None:
    results = filled(long_frame, {f"set{number}": f"set{number}" for number in range(10)}, {"apmc": 0.3})
    assert "apmc can be claimed to be better than all 3 others" in results.claim
    assert len(marked(results, "ranks")) == len(METHODS) - 1
