"""PVC: its objective falls, and it matches the authors' package to that package's own accuracy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mvarena.algorithms.nmf.partial_pair import PartialPair
from mvarena.algorithms.nmf.pvc import PVC, Penalties, pvc, solve_paired
from mvarena.data import MultiViewData
from mvarena.numerics.factorization import coordinate_descent

# the package stops a block once no step lowers its objective by more than 1e-12
PACKAGE = 5e-5


@pytest.fixture(scope="module")
def golden() -> dict[str, np.ndarray]:
    with np.load(Path(__file__).parents[1] / "golden" / "pvc.npz", allow_pickle=False) as stored:
        return dict(stored)


def pair_of(golden: dict[str, np.ndarray]) -> PartialPair:
    return PartialPair(golden["X1"], golden["X2"], golden["Y2"], golden["Y3"], np.arange(60))


def test_one_block_matches(golden: dict[str, np.ndarray]) -> None:
    H1, H2 = golden["H1"], golden["H2"]
    target = golden["X2"] @ H1.T + golden["Y2"] @ H2.T
    found = coordinate_descent(golden["W0"], H1 @ H1.T + H2 @ H2.T, target, l1=0.05)
    np.testing.assert_allclose(found, golden["gW"], atol=PACKAGE)
    residual = np.square(golden["X2"] - found @ H1).sum() + np.square(golden["Y2"] - found @ H2).sum()
    np.testing.assert_allclose(residual + 0.05 * found.sum(), golden["gObj"][-1], rtol=1e-9)


def test_the_start_on_paired_samples_matches(golden: dict[str, np.ndarray]) -> None:
    pair = pair_of(golden)
    Ux, Uy, P2, trace = solve_paired(pair, golden["P2"], Penalties.of(pair, 3, 0.01, scaled=True).both)
    np.testing.assert_allclose(trace.objective, golden["iObj"], rtol=1e-5)
    for ours, theirs in ((Ux, "iUx"), (Uy, "iUy"), (P2, "iP")):
        np.testing.assert_allclose(ours, golden[theirs], atol=PACKAGE)


@pytest.mark.parametrize("run", [0, 1, 2])
def test_the_whole_matches(golden: dict[str, np.ndarray], run: int) -> None:
    pair = pair_of(golden)
    penalties = Penalties.of(pair, 3, float(golden[f"lambda{run}"]), scaled=True)
    found = pvc(pair, golden["P2"], penalties=penalties, tol=0.0)
    for ours, theirs in ((found.Ux, "Ux"), (found.Uy, "Uy"), (found.P1, "P1_"), (found.P2, "P2_"), (found.P3, "P3_")):
        np.testing.assert_allclose(ours, golden[f"{theirs}{run}"], atol=PACKAGE)
    first = np.vstack([pair.X1 - found.P1 @ found.Ux, pair.X2 - found.P2 @ found.Ux])
    second = np.vstack([pair.Y2 - found.P2 @ found.Uy, pair.Y3 - found.P3 @ found.Uy])
    sparsity = penalties.first * found.P1.sum() + penalties.both * found.P2.sum() + penalties.second * found.P3.sum()
    theirs = np.linalg.norm(first) + np.linalg.norm(second) + sparsity
    np.testing.assert_allclose(theirs, golden[f"obj{run}"][-1], rtol=1e-6)
    ours = np.square(first).sum() + np.square(second).sum() + sparsity
    np.testing.assert_allclose(ours, found.trace.objective[-1], rtol=1e-9)
    assert (np.diff(found.trace.objective) <= 1e-12 * found.trace.objective[0]).all()


def test_rows_come_back_in_the_order_of_the_data() -> None:
    mask = np.array([[1, 0], [1, 1], [0, 1], [1, 1]], dtype=bool)
    pair = PartialPair.split(np.arange(4)[:, None] * mask[:, :1], np.arange(4)[:, None] * mask[:, 1:], mask)
    assert pair.sizes == (2, 1, 1)
    np.testing.assert_array_equal(pair.in_data_order(pair.X2, pair.X1, pair.Y3).ravel(), np.arange(4))


def test_a_large_penalty_empties_the_representation() -> None:
    rng = np.random.default_rng(0)
    data = MultiViewData.from_arrays([rng.random((20, 5)), rng.random((20, 4))], n_clusters=2)
    assert (PVC(penalty=1e6).represent(data).embedding == 0).all()
    found = PVC(penalty=0.01).represent(data)
    assert (found.embedding >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(found.embedding, axis=1), 1.0)
