"""Restarts: each one stands alone, order does not matter, CSR does as dense does, few distinct rows do no harm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import block_diag
from sklearn.metrics import adjusted_rand_score

from mvarena.numerics.assignment import assign_affinity, assign_embedding, canonical_order


def cloud(n: int = 90, p: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, p))


def test_each_restart_equals_a_run_with_its_seed_alone():
    together = assign_embedding(cloud(), 5, [3, 1, 4])
    for seed, found in zip([3, 1, 4], together, strict=True):
        (alone,) = assign_embedding(cloud(), 5, [seed])
        np.testing.assert_array_equal(found.labels, alone.labels)
        assert found.inertia == alone.inertia
    assert len({found.inertia for found in together}) > 1


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array])
@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_a_permutation_of_the_rows_permutes_the_labels(wrap, random, n_clusters):
    points = cloud()
    points[points < 0] = 0.0
    order = np.array(random.sample(range(90), 90))
    straight = assign_embedding(wrap(points), n_clusters, [0, 1])
    shuffled = assign_embedding(wrap(points[order]), n_clusters, [0, 1])
    for one, other in zip(straight, shuffled, strict=True):
        np.testing.assert_array_equal(one.labels[order], other.labels)


def test_sparse_rows_with_long_indices_are_clustered_as_others():
    points = sparse.csr_array(np.maximum(cloud(60), 0.0))
    long = points.copy()
    long.indices, long.indptr = points.indices.astype(np.int64), points.indptr.astype(np.int64)
    plain, other = assign_embedding(points, 3, [0])[0], assign_embedding(long, 3, [0])[0]
    np.testing.assert_array_equal(plain.labels, other.labels)


def test_unit_length_forgets_the_length_of_rows():
    lengths = np.random.default_rng(5).uniform(0.5, 2.0, (90, 1))
    (one,) = assign_embedding(cloud(), 3, [0], unit_length=True)
    (other,) = assign_embedding(cloud() * lengths, 3, [0], unit_length=True)
    assert adjusted_rand_score(one.labels, other.labels) == 1.0


@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("noise", [0.0, 1e-15])
@given(st.integers(1, 8), st.integers(1, 8))
def test_surplus_clusters_stay_empty_where_rows_repeat(wrap, noise, n_distinct, n_clusters):
    rng = np.random.default_rng(n_distinct)
    which = np.arange(40) % n_distinct
    rows = rng.standard_normal((n_distinct, 3))[which]
    rows = rows + noise * rng.standard_normal((40, 3))
    (found,) = assign_embedding(wrap(rows), n_clusters, [0])
    used = np.unique(found.labels)
    assert len(used) == min(n_distinct, n_clusters)
    assert used.min() >= 0
    assert used.max() < n_clusters
    if n_clusters >= n_distinct:
        assert adjusted_rand_score(which, found.labels) == 1.0


def test_zero_rows_only_are_one_cluster():
    (found,) = assign_embedding(np.zeros((7, 2)), 3, [0], unit_length=True)
    assert (found.labels == 0).all()


def test_canonical_order_is_of_the_values_not_of_the_places():
    points, others = cloud(200), sparse.csr_array(np.abs(cloud(200, 9, 1)))
    order = np.random.default_rng(2).permutation(200)
    straight = canonical_order(points, others)
    shuffled = canonical_order(points[order], others[order])
    np.testing.assert_array_equal(order[shuffled], straight)


def test_the_blocks_of_an_affinity_are_its_clusters():
    truth = np.repeat(np.arange(3), [10, 15, 20])
    affinity = block_diag(np.ones((10, 10)), np.ones((15, 15)), np.ones((20, 20))) + 0.01
    for wrap in (np.asarray, sparse.csr_array):
        for found in assign_affinity(wrap(affinity), 3, [0, 1, 2]):
            assert adjusted_rand_score(truth, found.labels) == 1.0
