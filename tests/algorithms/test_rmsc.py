"""rmsc: no schedule ends lower than its own, chains and their completion, the default weight of the errors."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import agreement
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms.graph.markov_chains import (
    complete_chains,
    markov_embedding,
    stationary_distribution,
)
from mvarena.algorithms.graph.markov_consensus import Schedule
from mvarena.algorithms.graph.rmsc import (
    PAPER_SCHEDULE,
    RMSC,
    SparseErrors,
    default_weight,
    rmsc,
    rmsc_published,
)
from mvarena.testing.examples import blobs
from mvarena.transforms import scaling


def rmsc_objective(P, T, lam):
    return np.linalg.norm(P, "nuc") + lam * sum(np.abs(T_v - P).sum() for T_v in T)


def chain(rng, n):
    P = rng.random((n, n)) ** 4 + 1e-3
    return P / P.sum(axis=1, keepdims=True)


@settings(max_examples=10)
@given(st.integers(0, 1000), st.sampled_from([0.01, 0.1, 1.0]), st.integers(1, 3))
def test_rows_are_probabilities_and_no_other_schedule_is_lower(seed, lam, views):
    rng = np.random.default_rng(seed)
    T = [chain(rng, 12) for _ in range(views)]
    found = rmsc(T, lam)
    assert found.history.converged
    assert found.P.min() >= 0
    np.testing.assert_allclose(found.P.sum(axis=1), 1, atol=1e-12)
    ours = rmsc_objective(found.P, T, lam)
    for other in (PAPER_SCHEDULE, Schedule(1e-2, 1.5), Schedule(10.0, 1.3)):
        assert ours <= rmsc_objective(rmsc_published(T, lam, other).P, T, lam) * (1 + 2e-3)
    for simple in (*T, np.mean(T, axis=0), np.full((12, 12), 1 / 12)):
        assert ours <= rmsc_objective(simple, T, lam) * (1 + 1e-3)


def test_soft_threshold_is_the_minimiser():
    G = np.linspace(-2, 2, 9).reshape(3, 3)
    errors = SparseErrors(0.6)
    E = errors.shrink(0, slice(0, 3), G, 1.5)
    grid = np.linspace(-3, 3, 60001)
    for g, e in zip(G.ravel(), E.ravel(), strict=True):
        assert e == pytest.approx(grid[np.argmin(0.4 * abs(grid) + (grid - g) ** 2 / 2)], abs=1e-4)
    assert errors.penalty() == pytest.approx(0.6 * abs(E).sum())
    assert errors.penalty() == 0


def test_stationary_distribution_and_embedding_solve_their_equations():
    P = chain(np.random.default_rng(1), 20)
    pi = stationary_distribution(P)
    np.testing.assert_allclose(pi @ P, pi, atol=1e-6)
    U = markov_embedding(P, 3)
    D = np.diag(pi)
    L = D - (D @ P + P.T @ D) / 2
    ratios = np.diag(U.T @ L @ U) / np.diag(U.T @ D @ U)
    np.testing.assert_allclose(L @ U, D @ U * ratios, atol=1e-6)
    assert ratios[0] == pytest.approx(0, abs=1e-5)
    apart = np.kron(np.eye(2), np.full((3, 3), 1 / 3))
    np.testing.assert_allclose(stationary_distribution(apart), 1 / 6)
    # a state that no other leads to, and one that hardly moves
    pi = stationary_distribution(np.array([[0.0, 1.0, 0.0], [0.0, 1 - 1e-9, 1e-9], [0.0, 0.5, 0.5]]))
    assert pi.sum() == pytest.approx(1)
    np.testing.assert_allclose(pi[[0, 2]], [1e-6 / 3, 2 * 1e-6 / 3], rtol=0.01)


@pytest.mark.parametrize(("n", "k"), [(30, 3), (60, 6)])
def test_the_default_weight_finds_easy_clusters_in_small_data(n, k):
    data = blobs(n, dims=(10, 10), spread=3, n_clusters=k)
    labels = RMSC(random_state=0).fit(data).labels_
    assert adjusted_rand_score(data.labels, labels) == 1
    # the paper's weight leaves the uniform chain there
    uniform = RMSC(lam=0.005, random_state=0).fit(data).labels_
    assert adjusted_rand_score(data.labels, uniform) < 0.5


def test_the_default_weight_is_its_formula():
    assert default_weight(100, 2, 2) == 0.5 / np.sqrt(200)
    assert default_weight(60, 2, 6) == 6 / 120


def test_a_view_has_no_say_on_transitions_that_it_does_not_observe():
    rng = np.random.default_rng(0)
    one, other = chain(rng, 8), chain(rng, 8)
    mask = np.ones((8, 2), dtype=bool)
    mask[2, 0] = False
    kept = one.copy()
    T = [np.where(np.outer(mask[:, 0], mask[:, 0]), one, 0.0), other.copy()]
    complete_chains(T, mask)
    np.testing.assert_array_equal(T[1], other)
    np.testing.assert_allclose(T[0][2], other[2])
    np.testing.assert_allclose(T[0].sum(axis=1), 1)
    before = np.delete(kept[0], 2)
    np.testing.assert_allclose(np.delete(T[0][0], 2) / before, (np.delete(T[0][0], 2) / before)[0])
    np.testing.assert_allclose(T[0][0, 2] / T[0][0, 0], other[0, 2] / (7 / 8 * kept[0, 0]))


def test_transitions_that_no_view_observes_are_uniform():
    mask = np.array([[True, False]] * 3 + [[False, True]] * 3)
    T = [np.kron(np.diag(seen), np.full((3, 3), 1 / 3)) for seen in ([1.0, 0.0], [0.0, 1.0])]
    complete_chains(T, mask)
    np.testing.assert_allclose(T[0], T[1])
    np.testing.assert_allclose(T[0], 1 / 6)


def test_samples_of_the_same_views_are_no_cluster():
    agreements = []
    for seed in range(3):
        data = scaling.unit_rows(blobs(80, dims=(10, 20), n_clusters=5, missing=0.6, spread=2, seed=seed))
        agreements.append(agreement(RMSC(random_state=0).fit(data).labels_, data.labels))
    assert np.mean(agreements) > 0.93
