"""LRSSC: fixed points minimise the objective, plain steps, refusals, units."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from drawn_subspaces import subspaces

from mvarena.algorithms.subspace._lrssc_admm import Gram, LRSSCPenalties, _pull, _ViewState, lrssc
from mvarena.algorithms.subspace.coefficients import joint_affinity
from mvarena.algorithms.subspace.lrssc import LRSSCCentroid, LRSSCPairwise
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import linear_kernel, squared_distances
from mvarena.numerics.proximal import singular_value_threshold
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import normalized_embedding

USUAL = Stopping(100, 5e-3)
BOTH = pytest.mark.parametrize("method", [LRSSCPairwise, LRSSCCentroid])
# a fixed, moderate penalty and many steps: no schedule cuts the convergence short
EXACT = LRSSCPenalties(low_rank=0.4, sparse=0.3, agreement=0.5, mu=3.0, growth=1.0)


def grams_of(data: MultiViewData) -> list[Gram]:
    return [Gram.of_features(view.matrix) for view in data.views]


def objective(Ks, Cs, penalties: LRSSCPenalties, agreement: str) -> float:
    """Term by term, from its definition."""
    total = 0.0
    for K, C in zip(Ks, Cs, strict=True):
        gap = np.eye(len(K)) - C
        total += 0.5 * np.trace(gap.T @ K @ gap)
        total += penalties.low_rank * np.linalg.svd(C, compute_uv=False).sum() + penalties.sparse * np.abs(C).sum()
    if agreement == "pairwise":
        apart = sum(np.sum((a - b) ** 2) for a, b in combinations(Cs, 2))
    else:
        apart = sum(np.sum((C - np.mean(Cs, axis=0)) ** 2) for C in Cs)
    return total + penalties.agreement * apart


@pytest.mark.parametrize(("agreement", "noisy"), [("pairwise", True), ("centroid", False)])
def test_single_precision_moves_coefficients_by_far_less_than_the_tolerance(agreement, noisy):
    data = subspaces(n=150, seed=1)
    grams, penalties = grams_of(data), LRSSCPenalties(noisy=noisy)
    double = lrssc(grams, agreement, penalties, USUAL)
    single = lrssc([gram.in_single() for gram in grams], agreement, penalties, USUAL)
    assert single.coefficients.dtype == np.float64
    assert single.history.n_iter == double.history.n_iter
    largest = np.abs(double.coefficients).max()
    np.testing.assert_allclose(single.coefficients, double.coefficients, atol=5e-4 * largest)
    np.testing.assert_allclose(single.history.objective, double.history.objective, rtol=1e-4)


def test_single_precision_is_for_large_data_and_settings_that_it_serves(monkeypatch):
    used = []

    def noted(grams, *arguments):
        used.append(grams[0].Q.dtype)
        return lrssc(grams, *arguments)

    monkeypatch.setattr("mvarena.algorithms.subspace.lrssc.lrssc", noted)
    for n, tol, mu_max in ((402, 5e-3, 1e6), (399, 5e-3, 1e6), (402, 1e-5, 1e6), (402, 5e-3, 1e8)):
        LRSSCPairwise(n_clusters=3, tol=tol, mu_max=mu_max, max_iter=1).represent(subspaces(n=n))
    assert used == [np.float32, np.float64, np.float64, np.float64]


@pytest.mark.parametrize("agreement", ["pairwise", "centroid"])
def test_the_fixed_point_is_a_minimum(agreement):
    data = subspaces(n=12, n_views=1, seed=3)
    Ks = [linear_kernel(view.matrix) for view in data.views]
    found = lrssc(grams_of(data), agreement, EXACT, Stopping(3000, 1e-7))
    assert found.history.converged
    best = objective(Ks, [found.coefficients], EXACT, agreement)
    # the value at the split variables is the objective once they agree
    assert found.history.objective[-1] == pytest.approx(best, rel=1e-6)
    rng = np.random.default_rng(0)
    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(20):
            direction = rng.standard_normal((12, 12))
            direction *= rng.random((12, 12)) < rng.random()
            np.fill_diagonal(direction, 0.0)
            assert objective(Ks, [found.coefficients + size * direction], EXACT, agreement) >= best - 1e-6


@pytest.mark.parametrize("noisy", [True, False])
def test_the_first_step_needs_no_decomposition(noisy):
    # what is known of its singular values must be what a threshold of A finds
    state, penalties, mu = _ViewState(grams_of(subspaces(n=20))[0]), LRSSCPenalties(low_rank=20.0, noisy=noisy), 100.0
    state.step(_pull([state], "centroid", np.zeros((20, 20))), mu, penalties)
    expected, kept = singular_value_threshold(state.A, penalties.low_rank / mu)
    assert 0 < len(kept) < 20
    np.testing.assert_allclose(state.A - state.L3 / mu, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kernel": "gaussian", "noisy": False}, "set noisy=True"),
        ({"low_rank": 2.0}, "1 - low_rank is below 0"),
        ({"agreement": 0.0, "reset_centroid": False}, "divides by agreement"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(wrong, message):
    with pytest.raises(InvalidSetting, match=message):
        LRSSCCentroid(**wrong).represent(subspaces())


def test_coefficients_that_are_all_zero_are_said_to_be():
    found = LRSSCPairwise(sparse=1e6, n_clusters=3).represent(subspaces())
    assert "all coefficients are 0" in found.stopped_because
    assert np.isfinite(found.embedding).all()


def plain_coefficients(Ks, agreement, steps, l1, l2, l3, mu=100.0, growth=1.5):
    """The method's steps as printed, with inverses and without shortcuts: the mean of the sparse matrices."""
    n, V = len(Ks[0]), len(Ks)
    C1, C2, C3, L1, L2, L3 = (np.zeros((V, n, n)) for _ in range(6))
    for _ in range(steps):
        mean, total = C2.mean(axis=0), C2.sum(axis=0)
        for v in range(V):
            A = np.linalg.solve(
                Ks[v] + 3 * mu * np.eye(n), Ks[v] + mu * (C1[v] + C2[v] + C3[v]) - L1[v] - L2[v] - L3[v]
            )
            U, s, Vt = np.linalg.svd(A + L1[v] / mu)
            C1[v] = U * np.maximum(s - l1 / mu, 0.0) @ Vt
            pull, weight = (mean, 1) if agreement == "centroid" else (total - C2[v], V - 1)
            C3[v] = (2 * l3 * pull + mu * A + L3[v]) / (2 * l3 * weight + mu)
            B = A + L2[v] / mu
            C2[v] = np.sign(B) * np.maximum(np.abs(B) - l2 / mu, 0.0)
            np.fill_diagonal(C2[v], 0.0)
            L1[v] += mu * (A - C1[v])
            L2[v] += mu * (A - C2[v])
            L3[v] += mu * (A - C3[v])
        mu = min(mu * growth, 1e6)
    return C2.mean(axis=0)


@BOTH
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_by_its_defaults_the_class_takes_plain_steps_until_its_tolerance(method, kernel):
    """On drawn inputs that no program has seen; the number of steps is the class's own."""
    n = 40
    data = subspaces(n=n, n_views=3, seed=12)
    model = method(kernel=kernel, n_clusters=3)
    found = model.represent(data)
    squares = [squared_distances(view.matrix) for view in data.views]
    if kernel == "gaussian":
        apart = [np.median(np.sqrt(D[np.triu_indices(n, 1)])) for D in squares]
        Ks = [np.exp(-D / (2 * s**2)) for D, s in zip(squares, apart, strict=True)]
    else:
        Ks = [view.matrix @ view.matrix.T for view in data.views]
        Ks = [K * 25.0**2 / np.diag(K).mean() for K in Ks]
    steps = found.history.n_iter
    assert 5 < steps < model.max_iter
    C = plain_coefficients(Ks, model._agreement, steps, model.low_rank, 1 - model.low_rank, model.agreement)
    expected = unit_embedding(normalized_embedding(joint_affinity(C), 3))
    np.testing.assert_allclose(found.embedding @ found.embedding.T, expected @ expected.T, atol=1e-6)


@BOTH
def test_kernels_get_the_unit_by_their_diagonal(method):
    data = subspaces(n=30)
    kernels = MultiViewData.from_arrays(
        [7.0 * linear_kernel(view.matrix) for view in data.views], kinds=["kernel"] * data.n_views, n_clusters=3
    )
    one, other = (method(max_iter=8).represent(some).embedding for some in (data, kernels))
    np.testing.assert_allclose(one @ one.T, other @ other.T, atol=1e-7)
