"""rmsc: properties, the reference's consensus under its own schedule, and a better optimum under ours."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph._rmsc_errors import SparseErrors
from mvarena.algorithms.graph.markov_chains import markov_embedding, stationary_distribution, symmetric_walk
from mvarena.algorithms.graph.markov_consensus import Schedule
from mvarena.algorithms.graph.rmsc import PAPER_SCHEDULE, RMSC, rmsc, rmsc_objective, rmsc_published
from mvarena.errors import Incompatible
from mvarena.numerics.scaling import unit_rows
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("rmsc")


def chain(rng, n):
    P = rng.random((n, n)) ** 4 + 1e-3
    return P / P.sum(axis=1, keepdims=True)


@settings(max_examples=10, deadline=None)
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


def test_order_of_samples_and_views_does_not_matter():
    rng = np.random.default_rng(0)
    T = [chain(rng, 15) for _ in range(3)]
    order = rng.permutation(15)
    here = rmsc(T, 0.05).P
    there = rmsc([T_v[np.ix_(order, order)] for T_v in T[::-1]], 0.05).P
    np.testing.assert_allclose(here[np.ix_(order, order)], there, atol=1e-9)


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


@pytest.mark.parametrize("i", range(3))
def test_consensus_matches_the_reference_under_its_schedule(i):
    T, lam = list(GOLDEN["T"]), float(GOLDEN["lam"][i])
    found = rmsc_published(T, lam)
    np.testing.assert_allclose(symmetric_walk(found.P)[0], GOLDEN["walk"][i], atol=1.5e-5)  # entries of about 0.017
    if lam == 0.05:  # the one of which there are eigenvectors: their rows have unit length, and so have ours
        U = unit_rows(markov_embedding(found.P, 3))
        np.testing.assert_allclose(U @ U.T, GOLDEN["U"] @ GOLDEN["U"].T, atol=5e-3)
        theirs = unit_rows(top_eigenvectors(GOLDEN["walk"][i], 3)[1])
        np.testing.assert_allclose(theirs @ theirs.T, GOLDEN["U"] @ GOLDEN["U"].T, atol=1e-12)


@pytest.mark.parametrize(("i", "published"), [(0, 1.2085), (1, np.inf), (2, np.inf)])
def test_default_schedule_is_at_least_as_low(i, published):
    T, lam = list(GOLDEN["T"]), float(GOLDEN["lam"][i])
    ours = rmsc_objective(rmsc(T, lam).P, T, lam)
    assert ours <= min(rmsc_objective(rmsc_published(T, lam).P, T, lam), published)
    near = rmsc(T, lam, Schedule(1.0, 1.02, tol=1e-4, max_iter=600))
    assert ours == pytest.approx(rmsc_objective(near.P, T, lam), rel=3e-4)


def test_partial_svd_agrees_with_the_full_one(monkeypatch):
    rng = np.random.default_rng(2)
    centres = rng.standard_normal((3, 3)) * 3
    X = centres[np.arange(420) % 3] + rng.standard_normal((420, 3))
    S = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 20)
    T = [S / S.sum(axis=1, keepdims=True)]
    short = Schedule(1.0, 1.1, max_iter=25)
    partial = rmsc(T, 0.005, short)
    monkeypatch.setattr("mvarena.numerics.singular_threshold._DENSE_LIMIT", 1000)
    np.testing.assert_allclose(partial.P, rmsc(T, 0.005, short).P, atol=1e-8)


def test_estimator_finds_clusters_and_refuses_in_words(monkeypatch):
    data = blobs(45, dims=(4, 4), spread=4)
    truth, order = data.labels, np.random.default_rng(0).permutation(45)
    model = RMSC(lam=0.05, random_state=0)
    labels, moved = model.fit_predict(data), model.fit_predict(data.take(order))
    assert (np.equal.outer(labels, labels)[np.ix_(order, order)] == np.equal.outer(moved, moved)).all()
    assert (np.equal.outer(labels, labels) == np.equal.outer(truth, truth)).mean() > 0.9
    monkeypatch.setattr("mvarena.contracts.algorithm.memory_limit", lambda: 1000)
    with pytest.raises(Incompatible, match="with 45 samples it needs about"):
        model.fit(data)


def test_the_embedding_has_rows_of_unit_length():
    T = [chain(np.random.default_rng(v), 30) for v in range(2)]
    model = RMSC(n_clusters=3, lam=0.05).fit([-np.log(T_v) for T_v in T])
    np.testing.assert_allclose(np.linalg.norm(model.embedding_, axis=1), 1)
