"""simplemkkm: the weights of the authors' program, and of a generic minimiser; no weight would gain."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import SimpleMKKM
from mvarena.algorithms.kernel.simplemkkm import Cost, descent, simplemkkm
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernel_forms import center_and_normalize
from mvarena.testing.examples import blobs
from mvarena.transforms.kernel_views import center_kernels

GOLDEN = golden_numbers("simplemkkm")
KERNELS = [GOLDEN["KH"][:, :, p] for p in range(3)]


@pytest.mark.parametrize("prep", ["raw", "centred"])
def test_it_ends_in_the_weights_of_the_authors_program(prep):
    kernels = KERNELS if prep == "raw" else [center_and_normalize(K) for K in KERNELS]
    found = simplemkkm(Cost(kernels, 3), Stopping(100, 1e-5))
    np.testing.assert_allclose(found.weights, GOLDEN[f"{prep}_gamma"], atol=1e-4)
    # the program stops a little above the minimum
    value = found.history.objective[-1]
    assert GOLDEN[f"{prep}_obj"] - 1e-6 < value <= GOLDEN[f"{prep}_obj"]
    np.testing.assert_allclose(projector(found.partition), projector(GOLDEN[f"{prep}_H"]), atol=1e-3)


def drawn(seed, n_views, rank):
    rng = np.random.default_rng(seed)
    roots = [rng.standard_normal((20, rank)) * rng.uniform(0.2, 3) for _ in range(n_views)]
    return [root @ root.T for root in roots]


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 12))
def test_it_falls_stays_on_the_simplex_and_ends_no_higher_than_a_generic_minimiser(seed, n_views, rank):
    cost = Cost(drawn(seed, n_views, rank), 3)
    found = simplemkkm(cost, Stopping(200, 1e-7))
    assert (np.diff(found.history.objective) <= 1e-12 * found.history.objective[0]).all()
    assert (found.weights >= 0).all()
    assert found.weights.sum() == pytest.approx(1.0)
    generic = minimize(
        lambda g: cost.at(g)[0],
        np.full(n_views, 1 / n_views),
        jac=lambda g: cost.gradient(g, cost.at(g)[1]),
        bounds=[(0, 1)] * n_views,
        constraints={"type": "eq", "fun": lambda g: g.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    assert found.history.objective[-1] <= generic.fun * (1 + 1e-4)


def test_the_gradient_is_that_of_differences():
    cost, g, step = Cost(KERNELS, 3), np.array([0.2, 0.5, 0.3]), 1e-6
    slopes = [(cost.at(g + step * e)[0] - cost.at(g - step * e)[0]) / (2 * step) for e in np.eye(3)]
    np.testing.assert_allclose(cost.gradient(g, cost.at(g)[1]), slopes, rtol=1e-5)


def test_a_direction_keeps_the_sum_and_weights_of_zero():
    direction = descent(np.array([0.0, 0.6, 0.4]), np.array([5.0, 1.0, 2.0]))
    assert direction.sum() == pytest.approx(0)
    assert direction[0] == 0
    assert direction[1] > 0 > direction[2]


def test_clear_clusters_are_found():
    data = center_kernels(blobs(120, dims=(5, 8), kind="kernel", seed=2))
    assert adjusted_rand_score(data.labels, SimpleMKKM(random_state=0).fit(data).labels_) > 0.9
