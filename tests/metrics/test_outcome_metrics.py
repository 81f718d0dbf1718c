"""Metrics by outcomes: which samples and columns count, and what they give where there are none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mvarena.contracts.metric import Outcomes
from mvarena.contracts.outcome_table import ABSENT, OutcomeTable
from mvarena.metrics import outcomes as metrics
from mvarena.numerics.association import column_p, column_p_values
from mvarena.numerics.survival import log_rank

LABELS = np.repeat([0, 1], 20)
TIME = np.concatenate([np.arange(1.0, 21.0), np.arange(11.0, 31.0)])
EVENT = np.arange(40) % 4 > 0
NOISE = np.random.default_rng(0).permutation(40).astype(float)
COLUMNS = {"age": TIME, "noise": NOISE, "sex": np.array(["f", "m"])[(TIME > 15).astype(int)]}
TABLE = OutcomeTable(n_samples=40, time=TIME, event=EVENT, columns=COLUMNS)


def test_samples_of_unknown_survival_are_left_out() -> None:
    time = np.where(np.arange(40) % 5 == 0, np.nan, TIME)
    known = ~np.isnan(time)
    table = OutcomeTable(n_samples=40, time=time, event=EVENT)
    expected = log_rank(TIME[known], EVENT[known], LABELS[known])
    assert metrics.log_rank_statistic(Outcomes(LABELS, table)) == expected


def test_columns_are_tested_by_kind_and_corrected_for_their_number() -> None:
    table = [[np.sum((COLUMNS["sex"] == sex) & (group == LABELS)) for sex in "fm"] for group in (0, 1)]
    by_hand = {
        "age": stats.kruskal(TIME[:20], TIME[20:]).pvalue,
        "noise": stats.kruskal(NOISE[:20], NOISE[20:]).pvalue,
        "sex": stats.chi2_contingency(table, correction=False).pvalue,
    }
    given = Outcomes(LABELS, TABLE)
    assert column_p_values(LABELS, TABLE.tested) == by_hand
    assert metrics.enriched(given) == 2.0
    assert metrics.enrichment_p(given) == pytest.approx(3 * min(by_hand.values()))


def test_unknown_cells_leave_their_column_alone() -> None:
    hidden = np.where(np.arange(40) % 2 == 0, "", COLUMNS["sex"])
    table = OutcomeTable(n_samples=40, columns={"sex": hidden, "constant": np.full(40, 3.0)})
    known = hidden != ""
    values = column_p_values(LABELS, table.tested)
    assert values == {"sex": column_p(LABELS[known], hidden[known])}


def test_one_group_and_one_value_have_no_p_value() -> None:
    one, two = np.zeros(4, dtype=np.int64), np.array([0, 0, 1, 1])
    for groups, column in (
        (one, np.arange(4.0)),
        (two, np.ones(4)),
        (one[:0], np.array([])),
        (one, np.array(["a", "b"] * 2)),
    ):
        assert math.isnan(column_p(groups, column))


@pytest.mark.parametrize("metric", [metrics.log_rank_statistic, metrics.log_rank_p])
def test_without_survival_there_is_no_score(metric: object) -> None:
    assert callable(metric)
    assert math.isnan(metric(Outcomes(LABELS, OutcomeTable(n_samples=40, columns=COLUMNS))))
    assert math.isnan(metric(Outcomes(LABELS, TABLE.take(np.full(40, ABSENT)))))


@pytest.mark.parametrize("metric", [metrics.enriched, metrics.enrichment_p])
def test_without_columns_there_is_no_score(metric: object) -> None:
    assert callable(metric)
    assert math.isnan(metric(Outcomes(LABELS, OutcomeTable(n_samples=40, time=TIME, event=EVENT))))


def test_rows_are_taken_in_order_and_absent_ones_are_unknown() -> None:
    table = TABLE.take(np.array([3, ABSENT, 0]))
    assert table.n_samples == 3
    assert table.time is not None
    assert table.event is not None
    assert np.array_equal(table.time, [4.0, np.nan, 1.0], equal_nan=True)
    assert table.event.tolist() == [True, False, False]
    assert table.columns["sex"].tolist() == ["f", "", "f"]
    assert table.digest != TABLE.digest
    assert table.digest == TABLE.take(np.array([3, ABSENT, 0])).digest
