"""Pickers on planted labellings: who agrees is picked, equals share, and the order of the candidates is nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.contracts.picker import Candidate, best_of
from mvarena.contracts.specs import PickerSpec
from mvarena.errors import PluginError
from mvarena.numerics.kmeans import Labelling
from mvarena.pickers.pickers import (
    centrality,
    consensus,
    default,
    highest,
    random,
)

TRUTH = np.repeat(np.arange(4), 15)
PICKERS = [centrality, default, highest, random]


def candidate(labels, **changes):
    return Candidate(restarts=[Labelling(np.asarray(labels), 1.0)], **changes)


def spoilt(share, seed):
    """The planted classes with a share of the samples anywhere else."""
    rng = np.random.default_rng(seed)
    labels = TRUTH.copy()
    moved = rng.random(len(labels)) < share
    labels[moved] = rng.integers(0, 4, moved.sum())
    return labels


def drawn(seed, m=5):
    rng = np.random.default_rng(seed)
    return [
        candidate(spoilt(share, [seed, i]), value=float(rng.integers(0, 3)), is_default=bool(rng.random() < 0.4))
        for i, share in enumerate(rng.random(m))
    ]


@given(seed=st.integers(0, 10**6))
def test_centrality_is_the_largest_row_of_the_table_of_agreements(seed):
    candidates = drawn(seed)
    table = np.array([[adjusted_rand_score(a.labels, b.labels) for b in candidates] for a in candidates])
    chosen = np.flatnonzero(centrality(candidates))
    assert np.isclose(table.sum(axis=1)[chosen], table.sum(axis=1).max()).all()


def test_two_agree_alike_and_one_with_nobody():
    np.testing.assert_array_equal(centrality([candidate(TRUTH), candidate(spoilt(0.5, 1))]), [0.5, 0.5])
    assert centrality([candidate(TRUTH)]) is None


@given(seed=st.integers(0, 10**6), order=st.permutations(range(5)), pick=st.sampled_from(PICKERS))
def test_weights_are_shares_that_go_with_the_candidates(seed, order, pick):
    candidates = drawn(seed)
    weights, moved = pick(candidates), pick([candidates[i] for i in order])
    if weights is None:
        assert moved is None
        return
    assert (weights >= 0).all()
    assert math.isclose(weights.sum(), 1)
    np.testing.assert_allclose(moved, weights[list(order)])


@given(seed=st.integers(0, 10**6), pick=st.sampled_from([centrality, default, random, consensus]))
def test_only_the_pickers_by_value_look_at_values(seed, pick):
    candidates = drawn(seed)
    blind = [candidate(one.labels, is_default=one.is_default) for one in candidates]
    np.testing.assert_array_equal(pick(candidates), pick(blind))


def test_the_default_is_picked_only_if_it_is_a_candidate():
    labels = [candidate(TRUTH), candidate(TRUTH, is_default=True), candidate(TRUTH, is_default=True)]
    np.testing.assert_array_equal(default(labels), [0, 0.5, 0.5])
    assert default(labels[:1]) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 3, 2], [0, 1, 0]),
        ([3, math.nan, 3 + 1e-15], [0.5, 0, 0.5]),
        ([-math.inf, -5, math.nan], [0, 1, 0]),
        ([math.inf, 5, math.inf], [0.5, 0, 0.5]),
        ([math.nan, math.nan], None),
    ],
)
def test_the_best_is_shared_among_equals_and_never_undefined(values, expected):
    found = best_of(np.array(values, dtype=float))
    assert found is None if expected is None else found.tolist() == expected


def test_a_candidate_is_seen_in_its_restart_of_lowest_inertia():
    restarts = [Labelling(np.full(3, i), inertia) for i, inertia in enumerate((math.nan, 2.0, 1.0, 1.0))]
    assert Candidate(restarts=restarts).labels.tolist() == [2, 2, 2]
    assert Candidate(restarts=restarts[:1]).labels.tolist() == [0, 0, 0]


def test_the_consensus_of_many_bad_ones_is_better_than_each():
    candidates = [candidate(spoilt(0.5, seed)) for seed in range(15)]
    best = max(adjusted_rand_score(TRUTH, one.labels) for one in candidates)
    assert adjusted_rand_score(TRUTH, consensus(candidates)) > best + 0.3


def test_the_consensus_has_as_many_clusters_as_the_finest_candidate():
    coarse, fine = candidate([0, 0, 0, 0, 1, 1]), candidate([0, 0, 1, 1, 2, 2])
    assert adjusted_rand_score(consensus([coarse, fine]), fine.labels) == 1.0


@given(seed=st.integers(0, 10**6))
def test_names_of_clusters_do_not_change_the_consensus(seed):
    candidates = drawn(seed)
    rng = np.random.default_rng(seed)
    renamed = [candidate(rng.permutation(4)[one.labels]) for one in candidates]
    np.testing.assert_array_equal(consensus(candidates), consensus(renamed))
    assert len(np.unique(consensus(candidates))) <= 4


def test_a_spec_names_a_metric_exactly_where_it_goes_by_one():
    for wrong in ({"needs": "metric"}, {"metric": "stability"}):
        with pytest.raises(PluginError, match="names a metric"):
            PickerSpec(name="mine", target="a:b", summary="", **wrong)
