"""MultiNMF: its objective falls, and it matches the authors' package."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers

from mvarena.algorithms.nmf.multinmf import MultiNMF, multinmf, per_view_solve
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.nmf import lee_seung, unit_sum_columns
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("multinmf")


@pytest.mark.parametrize("updates", [1, 4])
@pytest.mark.parametrize("weight", [1e-3, 1.0])
def test_every_step_lowers_the_objective(weight: float, updates: int) -> None:
    X, consensus = GOLDEN["X0"], GOLDEN["V1"]
    U, V = unit_sum_columns(GOLDEN["U0"], GOLDEN["V0"])

    def objective() -> float:
        return float(np.square(X - V @ U.T).sum() + weight * np.square(V * U.sum(axis=0) - consensus).sum())

    values = [objective()]
    for _ in range(40):
        U, V = per_view_solve(X, U, V, consensus, weight=weight, steps=1, updates=updates)
        values.append(objective())
        np.testing.assert_allclose(U.sum(axis=0), 1.0)
    assert (np.diff(values) <= 1e-15).all()
    assert values[-1] < 0.9 * values[0]


def test_the_whole_objective_never_rises() -> None:
    data = blobs(30, dims=(8, 5), nonnegative=True)
    objective = MultiNMF(max_iter=20, tol=0.0).represent(data).objective
    assert len(objective) == 21
    assert (np.diff(objective) <= 1e-12 * objective[0]).all()


def test_plain_nmf_matches() -> None:
    V, U = lee_seung(GOLDEN["X0"], GOLDEN["rawV"], GOLDEN["rawU"], 200)
    np.testing.assert_allclose(U, GOLDEN["nmfU"], atol=1e-13)
    np.testing.assert_allclose(V, GOLDEN["nmfV"], atol=1e-13)


def test_one_per_view_solve_matches() -> None:
    U, V = per_view_solve(GOLDEN["X0"], GOLDEN["rawU"], GOLDEN["rawV"], GOLDEN["rawC"], weight=0.01, steps=200)
    np.testing.assert_allclose(U, GOLDEN["pvU"], atol=1e-13)
    np.testing.assert_allclose(V, GOLDEN["pvV"], atol=1e-13)
    value = np.square(GOLDEN["X0"] - V @ U.T).sum() + 0.01 * np.square(V * U.sum(axis=0) - GOLDEN["rawC"]).sum()
    np.testing.assert_allclose(value, GOLDEN["pvObj"][-1], rtol=1e-11)


@pytest.mark.parametrize("run", [1, 3])
def test_the_whole_matches(run: int) -> None:
    views, U, V = ([GOLDEN[f"{name}{v}"] for v in range(3)] for name in "XUV")
    weights = [float(GOLDEN[f"alpha{run}"])] * 3
    found = multinmf(views, U, V, V[0], Stopping(30), weights=weights)
    for v in range(3):
        np.testing.assert_allclose(found.U[v], GOLDEN[f"outU{run}_{v}"], atol=1e-12)
        np.testing.assert_allclose(found.V[v], GOLDEN[f"outV{run}_{v}"], atol=1e-13)
    np.testing.assert_allclose(found.history.objective[:30], GOLDEN[f"log{run}"][1:], rtol=1e-9)
    before = multinmf(views, U, V, V[0], Stopping(29), weights=weights)
    np.testing.assert_allclose(before.consensus, GOLDEN[f"star{run}"], atol=1e-13)
