"""MultiNMF: its objective falls, and it matches the authors' package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mvarena.algorithms.nmf.multinmf import MultiNMF, multinmf, per_view_solve
from mvarena.data import MultiViewData
from mvarena.numerics.factorization import lee_seung, unit_sum_columns


@pytest.fixture(scope="module")
def golden() -> dict[str, np.ndarray]:
    with np.load(Path(__file__).parents[1] / "golden" / "multinmf.npz", allow_pickle=False) as stored:
        return dict(stored)


@pytest.mark.parametrize("repeats", [1, 4])
@pytest.mark.parametrize("weight", [1e-3, 1.0])
def test_every_step_lowers_the_objective(golden: dict[str, np.ndarray], weight: float, repeats: int) -> None:
    X, consensus = golden["X0"], golden["V1"]
    U, V = unit_sum_columns(golden["U0"], golden["V0"])

    def objective() -> float:
        return float(np.square(X - V @ U.T).sum() + weight * np.square(V * U.sum(axis=0) - consensus).sum())

    values = [objective()]
    for _ in range(40):
        U, V = per_view_solve(X, U, V, consensus, weight=weight, steps=1, repeats=repeats)
        values.append(objective())
        np.testing.assert_allclose(U.sum(axis=0), 1.0)
    assert (np.diff(values) <= 1e-15).all()
    assert values[-1] < 0.9 * values[0]


def test_the_whole_objective_never_rises() -> None:
    rng = np.random.default_rng(0)
    data = MultiViewData.from_arrays([rng.random((30, 8)), rng.random((30, 5))], n_clusters=3)
    objective = MultiNMF(rounds=20, tol=0.0).represent(data).objective
    assert len(objective) == 21
    assert (np.diff(objective) <= 1e-12 * objective[0]).all()


def test_plain_nmf_matches(golden: dict[str, np.ndarray]) -> None:
    V, U = lee_seung(golden["X0"], golden["rawV"], golden["rawU"], 200)
    np.testing.assert_allclose(U, golden["nmfU"], atol=1e-13)
    np.testing.assert_allclose(V, golden["nmfV"], atol=1e-13)


def test_one_per_view_solve_matches(golden: dict[str, np.ndarray]) -> None:
    U, V = per_view_solve(golden["X0"], golden["rawU"], golden["rawV"], golden["rawC"], weight=0.01, steps=200)
    np.testing.assert_allclose(U, golden["pvU"], atol=1e-13)
    np.testing.assert_allclose(V, golden["pvV"], atol=1e-13)


@pytest.mark.parametrize("run", [1, 3])
def test_the_whole_matches(golden: dict[str, np.ndarray], run: int) -> None:
    views, U, V = ([golden[f"{name}{v}"] for v in range(3)] for name in "XUV")
    found = multinmf(views, U, V, V[0], weights=[float(golden[f"alpha{run}"])] * 3, rounds=30)
    for v in range(3):
        np.testing.assert_allclose(found.U[v], golden[f"outU{run}_{v}"], atol=1e-12)
        np.testing.assert_allclose(found.V[v], golden[f"outV{run}_{v}"], atol=1e-13)
    np.testing.assert_allclose(found.trace.objective[:30], golden[f"log{run}"][1:], rtol=1e-9)
    before = multinmf(views, U, V, V[0], weights=[float(golden[f"alpha{run}"])] * 3, rounds=29)
    np.testing.assert_allclose(before.consensus, golden[f"star{run}"], atol=1e-13)
