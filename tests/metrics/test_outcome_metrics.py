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
from mvarena.numerics.survival import log_rank, log_rank_permutation_p

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


def test_a_column_that_differs_by_chance_among_three_is_not_enriched() -> None:
    """p = .025 of 12 of 20 against 5 of 20: below .05 alone, and not times three."""
    column = np.array(["a"] * 12 + ["b"] * 8 + ["a"] * 5 + ["b"] * 15)
    assert column_p(LABELS, column) == pytest.approx(0.0252, abs=1e-4)
    same = {name: np.arange(40.0) % 20 for name in ("height", "weight")}  # p = 1, as in both clusters
    alone, among = ({"stage": column}, {"stage": column, **same})
    enriched = [metrics.enriched(Outcomes(LABELS, OutcomeTable(n_samples=40, columns=some))) for some in (alone, among)]
    assert enriched == [1.0, 0.0]


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


def alone_and_first(sizes: tuple[int, int], alone: int) -> Outcomes:
    """Two clusters with the same times, and `alone` samples, each before all others, in a third cluster."""
    times = [0.1 * (1 + np.arange(alone)), *(1.0 + 30.0 * np.arange(size) / size for size in sizes)]
    table = OutcomeTable(
        n_samples=alone + sum(sizes), time=np.concatenate(times), event=np.ones(alone + sum(sizes), bool)
    )
    return Outcomes(np.repeat([2, 0, 1], [alone, *sizes]), table)


def test_one_sample_that_dies_first_governs_the_p_of_all_clusters_and_not_that_of_the_larger() -> None:
    """The other two clusters have equal times, so their statistic is 0 and no permutation is below it: p = 1. With the
    one sample the statistic is near 40, which a permutation reaches where it puts the first death alone: p = 1 / 41."""
    given = alone_and_first((20, 20), 1)
    assert metrics.log_rank_p(given) == pytest.approx(1 / 41, abs=0.006)
    assert metrics.log_rank_p_of_larger(given) == 1.0


@pytest.mark.parametrize(
    ("sizes", "alone", "kept"), [((12, 9), 4, [0, 1]), ((12, 9), 5, [0, 1, 2]), ((12, 5), 1, [0, 1])]
)
def test_larger_clusters_have_five_samples_whose_survival_is_known(
    sizes: tuple[int, int], alone: int, kept: list[int]
) -> None:
    given = alone_and_first(sizes, alone)
    time, event, labels = given.table.survival_of(given.labels) or pytest.fail("all survival is known")
    member = np.isin(labels, kept)
    expected = log_rank_permutation_p(time[member], event[member], labels[member], seed=given.seed)
    assert metrics.log_rank_p_of_larger(given) == expected


def test_an_unknown_survival_may_make_a_cluster_too_small_and_one_cluster_has_no_p() -> None:
    given = alone_and_first((12, 5), 1)
    time = np.where(np.arange(18) == 17, np.nan, given.table.time)
    table = OutcomeTable(n_samples=18, time=time, event=np.ones(18, bool))
    assert math.isnan(metrics.log_rank_p_of_larger(Outcomes(given.labels, table)))


NO_SURVIVAL = OutcomeTable(n_samples=40, columns=COLUMNS)
NO_COLUMNS = OutcomeTable(n_samples=40, time=TIME, event=EVENT)


def test_without_survival_or_columns_there_is_no_score() -> None:
    nobody = TABLE.take(np.full(40, ABSENT))
    for metric in (metrics.log_rank_statistic, metrics.log_rank_p, metrics.log_rank_p_of_larger):
        assert math.isnan(metric(Outcomes(LABELS, NO_SURVIVAL)))
        assert math.isnan(metric(Outcomes(LABELS, nobody)))
    for metric in (metrics.enriched, metrics.enrichment_p):
        assert math.isnan(metric(Outcomes(LABELS, NO_COLUMNS)))


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
