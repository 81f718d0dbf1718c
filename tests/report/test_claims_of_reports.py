"""Reports on results that show nothing claim nothing: random labels, copies of one data set, a single corpus."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from mvarena.analysis.rankings import cliques
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


def test_of_one_corpus_nothing_is_claimed(long_frame: Any) -> None:
    results = filled(long_frame, {"digits": "digits"}, {"apmc": 0.3})
    assert results.claim == ""
    assert marked(results, "conditions") == []


def test_of_five_corpora_nothing_is_marked_and_of_six_cells_are(long_frame: Any) -> None:
    results = filled(long_frame, {f"set{number}": f"set{number}" for number in range(5)}, {"apmc": 0.3})
    assert marked(results, "conditions") == []
    results = filled(long_frame, {"set5": "set5"}, {"apmc": 0.3})
    assert len(marked(results, "conditions")) == 6 * (len(METHODS) - 1)


def test_where_nobody_is_above_the_control_nothing_is_claimed(long_frame: Any) -> None:
    """The methods differ, and so do labellings that look at no data, as of more and of fewer clusters."""
    corpora = {f"set{number}": f"set{number}" for number in range(8)}
    scores = filled(long_frame, corpora, {"apmc": 0.3}).scores
    found = []
    for control in (0.45, 0.95):
        low = scores[scores["algorithm"] == "concat"].assign(algorithm="one-cluster", value=control)
        low = low.assign(key=[f"{control} {key}" for key in low["key"]], params="{}")
        results = ReportData.of_scores(pd.concat([scores, low]), metrics=["acc"])
        found.append((results.claim, len(marked(results, "ranks")), len(marked(results, "conditions"))))
    assert "can be claimed to be better than all 3 others" in found[0][0]
    assert found[0][1:] == (3, 24)
    assert found[1] == (
        "Over 8 data sets nothing can be claimed: on 0 of 8 corpora a tenth of the methods or more are above the "
        "better control; a claim takes 6 such corpora.", 0, 0,
    )  # fmt: skip
    table = results.main_standings
    assert table is not None
    assert cliques(table) == cliques(table, "nemenyi") == [table.contestants]


def test_a_real_lead_over_many_corpora_is_claimed(long_frame: Any) -> None:
    results = filled(long_frame, {f"set{number}": f"set{number}" for number in range(10)}, {"apmc": 0.3})
    assert "apmc can be claimed to be better than all 3 others" in results.claim
    assert len(marked(results, "ranks")) == len(METHODS) - 1
