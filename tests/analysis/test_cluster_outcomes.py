"""Outcomes by cluster: the tests' p-values are those of the metrics, and each cluster has its own curve."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.analysis.clusters import cluster_outcomes
from mvarena.contracts.metric import Outcomes
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.metrics.outcomes import log_rank_p
from mvarena.numerics.association import column_p_values
from mvarena.report.cluster_page import outcome_sentences

LABELS = np.repeat([0, 1], 20)
RNG = np.random.default_rng(0)
AGE = np.where(LABELS == 0, 40.0, 60.0) + RNG.normal(0, 3, 40)
AGE[3] = np.nan
STAGE = RNG.permutation(["I", "II"] * 20)
TIME = RNG.exponential(np.where(LABELS == 0, 50.0, 500.0))
TIME[5] = np.nan
TABLE = OutcomeTable(
    n_samples=40, time=TIME, event=RNG.random(40) < 0.8, columns={"stage": STAGE, "age": AGE, "same": np.ones(40)},
    names=("days", "death"),
)  # fmt: skip


def test_p_values_are_those_of_the_metrics_and_words_name_what_differs():
    found, measured = cluster_outcomes(LABELS, TABLE), Outcomes(LABELS, TABLE)
    assert found.survival_p == log_rank_p(measured) < 0.01
    assert list(found.columns) == ["age", "stage"], "the smallest first, and none of what is the same for all"
    assert found.columns == {name: min(1.0, 2 * p) for name, p in column_p_values(LABELS, TABLE.tested).items()}
    first, second = outcome_sentences(found)
    assert first.startswith("Survival of the clusters: log-rank p = 0.")
    assert second.startswith("2 columns tested; differing between clusters, after Bonferroni: age (p = ")
    assert "stage" not in second


def test_each_cluster_has_the_curve_of_its_samples():
    found = cluster_outcomes(LABELS, TABLE)
    assert [n for _, n in found.events.values()] == [19, 20]
    for cluster, curve in found.curves.items():
        assert curve.at_risk[0] == found.events[cluster][1]
        assert (np.diff(curve.survival) <= 0).all()
    assert found.curves[0].survival[-1] < found.curves[1].survival[-1] + 0.5


def test_a_cluster_of_one_is_left_out_of_the_second_p_value_and_said():
    labels, time = np.where(np.arange(40) == 7, 2, LABELS), np.where(np.arange(40) == 7, 0.01, 1.0 + np.arange(40) % 20)
    table = OutcomeTable(n_samples=40, time=time, event=np.ones(40, bool))
    found = cluster_outcomes(labels, table)
    assert found.survival_p < 0.05 < 0.5 < found.survival_p_of_larger
    sentence = outcome_sentences(found)[0]
    assert sentence.startswith(f"Survival of the clusters: log-rank p = {found.survival_p:.2g}, by permutations; p = ")
    assert "over the clusters of 5 samples and more" in sentence
    assert "5 samples" not in outcome_sentences(cluster_outcomes(LABELS, TABLE))[0]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (OutcomeTable(n_samples=40), "The outcomes have no column by which clusters can be compared."),
        (OutcomeTable(n_samples=40, columns={"stage": STAGE}), "1 column tested; differing"),
        (OutcomeTable(n_samples=40, time=TIME, event=np.zeros(40, bool)), "no p-value: too few events"),
    ],
)
def test_what_is_not_known_is_said(table, sentence):
    assert sentence in " ".join(outcome_sentences(cluster_outcomes(LABELS, table)))
