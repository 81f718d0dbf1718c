"""External metrics: invariances first, scikit-learn next, the published implementations' numbers last."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

from mvarena.contracts.metric import Contingency
from mvarena.metrics.accuracy import acc, purity
from mvarena.metrics.information import nmi, nmi_max, nmi_sqrt
from mvarena.metrics.pair_counts import ari

GOLDEN = Path(__file__).parents[1] / "golden" / "metrics.npz"
METRICS = {"acc": acc, "purity": purity, "nmi": nmi, "nmi_max": nmi_max, "nmi_sqrt": nmi_sqrt, "ari": ari}
SIMILARITIES = tuple(METRICS)


@st.composite
def two_labellings(draw, smallest=1):
    n = draw(st.integers(smallest, 40))
    labels = st.lists(st.integers(0, draw(st.integers(0, 6))), min_size=n, max_size=n)
    return np.array(draw(labels)), np.array(draw(labels))


@pytest.mark.parametrize("name", SIMILARITIES)
@settings(deadline=None, max_examples=40)
@given(pair=two_labellings(), seed=st.integers(0, 9))
def test_only_the_partition_counts(name, pair, seed):
    truth, predicted = pair
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(truth))
    renamed = rng.permutation(10)[predicted] * 3 + 5
    score = METRICS[name](Contingency.from_labels(truth, predicted))
    assert METRICS[name](Contingency.from_labels(truth[order], renamed[order])) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("name", SIMILARITIES)
@settings(deadline=None, max_examples=40)
@given(pair=two_labellings())
def test_equal_partitions_score_one_and_nothing_scores_more(name, pair):
    truth, predicted = pair
    assert METRICS[name](Contingency.from_labels(truth, truth)) == pytest.approx(1.0)
    assert METRICS[name](Contingency.from_labels(truth, predicted)) <= 1.0


@settings(deadline=None, max_examples=60)
@given(pair=two_labellings())
def test_agrees_with_scikit_learn(pair):
    truth, predicted = pair
    table = Contingency.from_labels(truth, predicted)
    assert ari(table) == pytest.approx(reference.adjusted_rand_score(truth, predicted), abs=1e-12)
    for metric, form in ((nmi, "arithmetic"), (nmi_max, "max"), (nmi_sqrt, "geometric")):
        expected = reference.normalized_mutual_info_score(truth, predicted, average_method=form)
        assert metric(table) == pytest.approx(expected, abs=1e-12), form


@settings(deadline=None, max_examples=30)
@given(pair=two_labellings())
def test_accuracy_is_the_best_over_all_matchings_and_below_purity(pair):
    truth, predicted = pair
    table = Contingency.from_labels(truth, predicted)
    by_hand = _best_matching(table.counts.tolist())
    assert acc(table) == pytest.approx(by_hand / len(truth))
    assert acc(table) <= purity(table)


def _best_matching(counts):
    if not counts:
        return 0
    skipped = _best_matching(counts[1:])
    used = [
        value + _best_matching([[x for j, x in enumerate(row) if j != column] for row in counts[1:]])
        for column, value in enumerate(counts[0])
    ]
    return max([skipped, *used])


def test_the_three_normalisations_are_ordered():
    table = Contingency.from_labels([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1])
    assert nmi_max(table) < nmi(table) < nmi_sqrt(table)


def test_one_cluster_says_nothing_about_several_classes():
    table = Contingency.from_labels([0, 0, 0, 1], [7, 7, 7, 7])
    assert (nmi(table), nmi_max(table), nmi_sqrt(table), ari(table)) == (0.0, 0.0, 0.0, 0.0)
    assert (acc(table), purity(table)) == (0.75, 0.75)


def test_unlabelled_samples_are_left_out():
    whole = Contingency.from_labels([0, 0, 1, 1], [0, 1, 1, 1])
    partly = Contingency.from_labels([0, -1, 0, 1, 1, -1], [0, 2, 1, 1, 1, 0])
    np.testing.assert_array_equal(whole.counts, partly.counts)


@pytest.mark.parametrize("name", SIMILARITIES)
def test_published_implementations(name):
    with np.load(GOLDEN, allow_pickle=False) as golden:
        expected = golden[name]
        pairs = [(golden[f"truth{i}"], golden[f"predicted{i}"]) for i in range(len(expected))]
    found = [METRICS[name](Contingency.from_labels(truth, predicted)) for truth, predicted in pairs]
    known = ~np.isnan(expected)
    assert known.sum() >= 5
    np.testing.assert_allclose(np.array(found)[known], expected[known], atol=1e-12)
