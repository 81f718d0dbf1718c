"""simplemkkm: no higher than a generic minimiser; no weight would gain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from mvarena.algorithms.kernel.partition import combined
from mvarena.algorithms.kernel.simplemkkm import Cost, best_mixture, simplemkkm
from mvarena.numerics.iteration import Stopping


def gradient(cost, g):
    return 2 * g * cost.traces(cost.at(g)[1])


def drawn(seed, n_views, rank):
    rng = np.random.default_rng(seed)
    roots = [rng.standard_normal((20, rank)) * rng.uniform(0.2, 3) for _ in range(n_views)]
    return [root @ root.T for root in roots]


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 12))
def test_it_falls_stays_on_the_simplex_and_ends_no_higher_than_a_generic_minimiser(seed, n_views, rank):
    cost = Cost(drawn(seed, n_views, rank), 3)
    found = simplemkkm(cost, Stopping(200, 1e-5))
    assert found.history.converged
    assert (np.diff(found.history.objective) <= 1e-12 * found.history.objective[0]).all()
    assert (found.weights >= 0).all()
    assert found.weights.sum() == pytest.approx(1.0)
    generic = minimize(
        lambda g: cost.at(g)[0],
        np.full(n_views, 1 / n_views),
        jac=lambda g: gradient(cost, g),
        bounds=[(0, 1)] * n_views,
        constraints={"type": "eq", "fun": lambda g: g.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    assert found.history.objective[-1] <= generic.fun * (1 + 1e-9)


def test_the_mean_traces_are_those_of_all_partitions_that_make_up_a_basis():
    cost = Cost(drawn(0, 3, 6), 4)
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((20, 20)))[0]
    parts = [cost.traces(part) for part in np.split(basis, 5, axis=1)]
    np.testing.assert_allclose(np.mean(parts, axis=0), cost.mean_traces())


@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 6))
def test_no_share_of_the_best_mixture_would_gain(seed, m, n_views):
    T = np.random.default_rng(seed).uniform(0.05, 1.0, (m, n_views))
    shares = best_mixture(T, np.full(m, 1 / m))
    assert (shares >= 0).all()
    assert shares.sum() == pytest.approx(1)
    # of degree -1 in the shares: the slopes' mean is minus the value, and the least slope reaches no further
    slopes = -T @ (1.0 / (shares @ T) ** 2)
    assert slopes.min() >= -(1.0 / (shares @ T)).sum() * (1 + 1e-6)


def test_where_the_eigenvalues_meet_it_ends_at_the_minimum_too():
    cost = Cost(drawn(2, 5, 2), 3)
    found = simplemkkm(cost, Stopping(100, 1e-5))
    assert found.history.converged
    values = np.linalg.eigvalsh(combined(cost.kernels, found.weights))[::-1]
    assert values[2] - values[3] < 1e-3 * values[2]
    draws = np.random.default_rng(0).dirichlet(found.weights * 1000, size=200)
    assert min(cost.at(g)[0] for g in draws) >= found.history.objective[-1] * (1 - 1e-10)


@pytest.mark.parametrize("n_empty", [1, 3])
def test_a_kernel_of_zeros_takes_all_weight(n_empty):
    kernels = [np.zeros((20, 20))] * n_empty + drawn(0, 3 - n_empty, 5)
    found = simplemkkm(Cost(kernels, 3), Stopping(100, 1e-5))
    assert found.history.objective[-1] == pytest.approx(0)
    assert found.weights[:n_empty].sum() == pytest.approx(1)
    np.testing.assert_allclose(found.partition.T @ found.partition, np.eye(3), atol=1e-10)
