"""emvc and its ablations: the error step against its equation, the reference's hundredth iteration, limits."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from scipy.spatial.distance import pdist

from mvarena.algorithms.graph.emvc import EMVC, EMVCG1, EMVCL21, EMVCTrace, GroupErrors, emvc
from mvarena.algorithms.graph.markov_consensus import Schedule
from mvarena.data import MultiViewData

GOLDEN = golden_numbers("emvc")


def toy_chains():
    """The reference's input: unit rows, exp(-d^2 / (2 m^2)), m the median over the matrix with its zero diagonal."""
    chains = []
    for v in range(3):
        X = GOLDEN[f"X{v}"]
        X = X / np.linalg.norm(X, axis=1, keepdims=True)
        squared = ((X[:, None] - X) ** 2).sum(-1)
        S = np.exp(-squared / (2 * np.median(np.sqrt(squared)) ** 2))
        chains.append(S / S.sum(axis=1, keepdims=True))
    return chains


def test_error_step_solves_equation_14():
    rng = np.random.default_rng(0)
    before, G = rng.standard_normal((2, 5, 5))
    errors = GroupErrors(0.7, 0.3, [before])
    E = np.vstack([errors.shrink(0, rows, G[rows], 2.0) for rows in (slice(0, 2), slice(2, 5))])
    penalty = errors.penalty()
    rows = np.linalg.norm(before, axis=1, keepdims=True)
    columns = np.linalg.norm(before, axis=0)
    np.testing.assert_allclose(0.35 * E / (2 * rows) + 0.15 * E / (2 * columns) + E - G, 0, atol=1e-12)
    assert penalty == pytest.approx(0.7 * np.linalg.norm(E, axis=1).sum() + 0.3 * np.linalg.norm(E, axis=0).sum())


@pytest.mark.parametrize("size", [1e-140, 1e-250])
def test_the_weights_of_errors_whose_squares_vanish_are_exact(size):
    before = size * np.array([[3.0, 0.0], [0.0, 4.0]])
    errors = GroupErrors(1e-3, 1e-3, [before])
    E = errors.shrink(0, slice(0, 2), np.ones((2, 2)), 1.0)
    half = np.array([3.0, 4.0])  # of the lengths of rows and columns
    expected = 2 * size / 1e-3 / (1 / half[:, None] + 1 / half)
    np.testing.assert_allclose(E, expected, rtol=1e-12)
    penalty = 1e-3 * (np.linalg.norm(expected / size, axis=1).sum() + np.linalg.norm(expected / size, axis=0).sum())
    assert errors.penalty() == pytest.approx(penalty * size, rel=1e-12)


def test_lengths_of_columns_add_up_over_blocks_without_underflow():
    G = np.ones((4, 4))
    whole, parts = (GroupErrors(0.0, 1.0, [np.full((4, 4), 1e-170)]) for _ in range(2))
    E = whole.shrink(0, slice(0, 4), G, 1.0)
    F = np.vstack([parts.shrink(0, rows, G[rows], 1.0) for rows in (slice(0, 1), slice(1, 4))])
    np.testing.assert_allclose(F, E, rtol=1e-12)
    assert 0 < whole.penalty() == pytest.approx(parts.penalty(), rel=1e-12)


def test_hundredth_iteration_matches_the_reference_from_its_start():
    T, beta, lam = toy_chains(), GOLDEN["beta"][0], GOLDEN["lam"][0]
    found = emvc(T, beta, lam, list(GOLDEN["E"]), Schedule(1e-6, 1.9, tol=0, max_iter=99))
    np.testing.assert_allclose(found.P, GOLDEN["P_full"][0], atol=1e-12)
    assert objective(found.P, T, beta, lam) == pytest.approx(GOLDEN["objective_full"][0], rel=1e-6)


def objective(P, T, beta, lam):
    E = [T_v - P for T_v in T]
    rows, columns = (sum(np.linalg.norm(E_v, axis=axis).sum() for E_v in E) for axis in (1, 0))
    return np.linalg.norm(P, "nuc") + beta * rows + lam * columns


def test_a_floor_keeps_the_errors_alive_and_ends_lower():
    T, beta, lam = toy_chains(), GOLDEN["beta"][0], GOLDEN["lam"][0]
    start = [np.ones_like(T_v) for T_v in T]
    values = []
    for floor in (0.0, 1e-3):
        found = emvc(T, beta, lam, start, floor=floor)
        assert found.history.converged
        assert found.P.min() >= 0
        np.testing.assert_allclose(found.P.sum(axis=1), 1, atol=1e-12)
        values.append(objective(found.P, T, beta, lam))
    assert values[1] < values[0]


def test_ablations_are_the_same_code_with_a_weight_of_zero():
    rng = np.random.default_rng(3)
    arrays = [rng.standard_normal((20, 3)) for _ in range(2)]

    def embedding(model):
        return model.fit(arrays).embedding_

    np.testing.assert_array_equal(embedding(EMVCG1(n_clusters=2)), embedding(EMVC(n_clusters=2, beta=0.0)))
    np.testing.assert_array_equal(embedding(EMVCL21(n_clusters=2)), embedding(EMVC(n_clusters=2, lam=0.0)))
    np.testing.assert_array_equal(embedding(EMVCTrace(n_clusters=2)), embedding(EMVC(n_clusters=2, beta=0.0, lam=0.0)))


def test_a_number_for_the_squared_width_is_sigma_squared():
    X = np.random.default_rng(4).standard_normal((30, 3))
    median = float(np.median(pdist(X)))

    def embedding(**settings):
        return EMVC(n_clusters=3, **settings).fit([X]).embedding_

    np.testing.assert_allclose(embedding(squared_width=median), embedding(), atol=1e-5)
    np.testing.assert_allclose(embedding(squared_width=median**2), embedding(squared_width="median-squared"), atol=1e-5)
    assert np.abs(embedding(squared_width=100) - embedding()).max() > 1e-3


def test_data_of_a_scale_too_large_for_the_width_get_a_hint():
    rng = np.random.default_rng(0)
    data = MultiViewData.from_arrays([100 * rng.standard_normal((30, 40)), rng.standard_normal((30, 2))])
    hinted = EMVC(n_clusters=3).represent(data).stopped_because
    assert "in 1 of the views samples are hardly similar to any other; a larger squared_width" in hinted
    assert "similar" not in EMVC(n_clusters=3, squared_width="median-squared").represent(data).stopped_because


def test_rows_have_unit_length_unless_asked_not_to():
    data = MultiViewData.from_arrays([np.random.default_rng(1).standard_normal((40, 3))])
    unit = EMVC(n_clusters=3).represent(data).embedding
    plain = EMVC(n_clusters=3, unit_rows=False).represent(data).embedding
    lengths = np.linalg.norm(plain, axis=1)
    np.testing.assert_allclose(unit, plain / lengths[:, None])
    assert np.ptp(lengths) > 0.01
