"""MultiNMF: its objective falls, and it matches the authors' package."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers

from mvarena.algorithms.nmf.multinmf import MultiNMF, per_view_solve
from mvarena.numerics.nmf import unit_sum_columns
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
