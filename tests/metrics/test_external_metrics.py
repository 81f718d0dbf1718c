"""External metrics: invariances first, scikit-learn next, the published implementations' numbers last."""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference
from sklearn.metrics.cluster import expected_mutual_information as reference_emi

from mvarena.contracts.metric import Checkpoints, Contingency
from mvarena.errors import InvalidData
from mvarena.metrics.external import best_acc, best_nmi, expected_mutual_information
from mvarena.metrics.specs import SPECS as ALL

SPECS = {spec.name: spec for spec in ALL if spec.needs == "truth"}


def metric(name):
    module, _, function = SPECS[name].target.partition(":")
    return getattr(import_module(module), function)


def score(name, truth, predicted):
    return metric(name)(Contingency.from_labels(truth, predicted))


@st.composite
def two_labellings(draw, most_groups=7):
    n = draw(st.integers(1, 40))
    labels = st.lists(st.integers(0, draw(st.integers(0, most_groups - 1))), min_size=n, max_size=n)
    return np.array(draw(labels)), np.array(draw(labels))


def pair_scores(truth, predicted) -> dict[str, float]:
    """Scores over pairs by scikit-learn's counts of them; none where no pair is together in both."""
    (_, apart_joined), (split, together) = reference.cluster.pair_confusion_matrix(truth, predicted)
    if not together:
        return {}
    precision, recall = together / (together + apart_joined), together / (together + split)
    f_score = 2 * precision * recall / (precision + recall)
    return {"pair-precision": precision, "pair-recall": recall, "pair-f": f_score}


@settings(deadline=None, max_examples=40)
@given(pair=two_labellings())
def test_agrees_with_scikit_learn(pair):
    expected = pair_scores(*pair) | {
        "ari": reference.adjusted_rand_score(*pair),
        "ami": reference.adjusted_mutual_info_score(*pair),
        "completeness": reference.completeness_score(*pair),
    }
    for name, form in (("nmi", "arithmetic"), ("nmi-max", "max"), ("nmi-sqrt", "geometric")):
        expected[name] = reference.normalized_mutual_info_score(*pair, average_method=form)
    assert {name: score(name, *pair) for name in expected} == pytest.approx(expected, abs=1e-10)


@settings(deadline=None, max_examples=20)
@given(sizes=st.tuples(*[st.lists(st.integers(1, 400), min_size=1, max_size=5)] * 2), seed=st.integers(0, 10**6))
def test_expected_mutual_information_of_larger_tables(sizes, seed):
    first, second = (np.repeat(np.arange(len(part)), part) for part in sizes)
    n = min(len(first), len(second))
    table = Contingency.from_labels(first[:n], np.random.default_rng(seed).permutation(second[:n]))
    expected = reference_emi(table.counts, n)
    assert expected_mutual_information(table.classes, table.clusters) == pytest.approx(expected, abs=1e-10)


def test_the_truncated_sum_holds_for_many_samples():
    rng = np.random.default_rng(0)
    table = Contingency.from_labels(rng.integers(0, 4, 50_000), rng.integers(0, 3, 50_000))
    expected = reference_emi(table.counts, 50_000)
    assert expected_mutual_information(table.classes, table.clusters) == pytest.approx(expected, rel=1e-7)


@settings(deadline=None, max_examples=30)
@given(pair=two_labellings(most_groups=5))
def test_accuracy_is_the_best_over_all_matchings_and_below_purity(pair):
    counts = Contingency.from_labels(*pair).counts.tolist()
    assert score("acc", *pair) == pytest.approx(_best_matching(counts) / len(pair[0]))
    assert score("acc", *pair) <= score("purity", *pair)


def _best_matching(counts):
    if not counts:
        return 0
    skipped = _best_matching(counts[1:])
    used = [
        value + _best_matching([[x for j, x in enumerate(row) if j != column] for row in counts[1:]])
        for column, value in enumerate(counts[0])
    ]
    return max([skipped, *used])


BITS = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))  # of classes of three and one
NOTHING = dict.fromkeys(["nmi", "nmi-max", "nmi-sqrt", "ami", "ari"], 0.0)


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        (
            [0, 0, 0, 1],
            [7, 7, 7, 7],
            NOTHING | {"acc": 0.75, "purity": 0.75, "pair-precision": 0.5, "pair-recall": 1.0, "pair-f": 2 / 3,
                       "completeness": 1.0, "entropy": BITS},
        ),
        (
            [0, 0, 0, 1],
            [0, 1, 2, 3],
            {"acc": 0.5, "purity": 1.0, "entropy": 0.0, "pair-f": 0.0, "pair-precision": 0.0, "ari": 0.0, "ami": 0.0},
        ),
        ([3], [9], {name: 1.0 if spec.higher_is_better else 0.0 for name, spec in SPECS.items()}),
    ],
    ids=["one cluster", "singletons", "a single sample"],
)  # fmt: skip
def test_clusters_that_say_nothing(truth, predicted, expected):
    assert {name: score(name, truth, predicted) for name in expected} == pytest.approx(expected)


def test_unlabelled_samples_are_left_out():
    whole = Contingency.from_labels([0, 0, 1, 1], [0, 1, 1, 1])
    partly = Contingency.from_labels([0, -1, 0, 1, 1, -1], [0, 2, 1, 1, 1, 0])
    np.testing.assert_array_equal(whole.counts, partly.counts)
    floats = Contingency.from_labels([0.0, np.nan, 0.0, 1.0, 1.0, -1.0], [0, 2, 1, 1, 1, 0])
    np.testing.assert_array_equal(whole.counts, floats.counts)
    texts = Contingency.from_labels(["a", "a", "b", "b"], ["x", "y", "y", "y"])
    np.testing.assert_array_equal(whole.counts, texts.counts)
    with pytest.raises(InvalidData, match="no sample has a true label"):
        Contingency.from_labels([-1, -1], [0, 1])
    with pytest.raises(InvalidData, match="labellings of the same samples are needed"):
        Contingency.from_labels([0, 1], [0, 1, 1])


GOLDEN_NAMES = {"pair-f": "fscore", "pair-precision": "precision", "pair-recall": "recall"} | {
    name: name.replace("-", "_") for name in ("acc", "purity", "nmi", "nmi-max", "nmi-sqrt", "ari", "entropy")
}


@pytest.mark.parametrize("name", sorted(GOLDEN_NAMES))
def test_published_implementations(name):
    golden = golden_numbers("metrics")
    expected = golden[GOLDEN_NAMES[name]]
    pairs = [(golden[f"truth{i}"], golden[f"predicted{i}"]) for i in range(len(expected))]
    found = np.array([score(name, truth, predicted) for truth, predicted in pairs])
    known = ~np.isnan(expected)
    assert known.sum() >= 5
    np.testing.assert_allclose(found[known], expected[known], atol=1e-12)


def test_entropy_as_the_emvc_paper_prints_it_where_nothing_is_shared():
    course = np.repeat([0, 1], [230, 821])
    assert score("entropy", course, np.zeros(1051, dtype=int)) == pytest.approx(0.757, abs=1.5e-3)  # its NMI is .000
    assert score("entropy", np.repeat([0, 1], 500), np.zeros(1000, dtype=int)) == pytest.approx(1.0)


def test_the_best_checkpoint_is_that_of_the_highest_mean_over_restarts():
    truth, exact, apart = [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]
    tables = [[Contingency.from_labels(truth, labels) for labels in pair] for pair in ((exact, apart), (exact, exact))]
    for order in (tables, tables[::-1]):
        assert best_acc(Checkpoints(order)) == best_nmi(Checkpoints(order)) == 1.0
    assert best_acc(Checkpoints(tables[:1])) == 0.75
