"""PVC: its objective falls, and it matches the authors' package to that package's own accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers

from mvarena.algorithms.nmf.filled_view import PartialPair
from mvarena.algorithms.nmf.pvc import PVC, PVCPenalties, pvc, solve_paired
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.nmf import coordinate_descent
from mvarena.testing.examples import blobs

# the package stops a block once no step lowers its objective by more than 1e-12
PACKAGE = 5e-5


GOLDEN = golden_numbers("pvc")


def pair_of() -> PartialPair:
    X1, X2, Y2, Y3 = (GOLDEN[name] for name in ("X1", "X2", "Y2", "Y3"))
    return PartialPair(X1, X2, Y2, Y3, np.arange(len(X1) + len(X2) + len(Y3)))


def test_one_block_matches() -> None:
    H1, H2 = GOLDEN["H1"], GOLDEN["H2"]
    target = GOLDEN["X2"] @ H1.T + GOLDEN["Y2"] @ H2.T
    found = coordinate_descent(GOLDEN["W0"], H1 @ H1.T + H2 @ H2.T, target, l1=0.05)
    np.testing.assert_allclose(found, GOLDEN["gW"], atol=PACKAGE)
    residual = np.square(GOLDEN["X2"] - found @ H1).sum() + np.square(GOLDEN["Y2"] - found @ H2).sum()
    np.testing.assert_allclose(residual + 0.05 * found.sum(), GOLDEN["gObj"][-1], rtol=1e-9)


def test_the_start_on_paired_samples_matches() -> None:
    pair = pair_of()
    Ux, Uy, P2, history = solve_paired(pair, GOLDEN["P2"], PVCPenalties.of(pair, 3, 0.01, scaled=True).both)
    np.testing.assert_allclose(history.objective, GOLDEN["iObj"], rtol=1e-5)
    for ours, theirs in ((Ux, "iUx"), (Uy, "iUy"), (P2, "iP")):
        np.testing.assert_allclose(ours, GOLDEN[theirs], atol=PACKAGE)


@pytest.mark.parametrize("run", [0, 1, 2])
def test_the_whole_matches(run: int) -> None:
    pair = pair_of()
    penalties = PVCPenalties.of(pair, 3, float(GOLDEN[f"lambda{run}"]), scaled=True)
    found = pvc(pair, GOLDEN["P2"], Stopping(20), penalties=penalties)
    for ours, theirs in ((found.Ux, "Ux"), (found.Uy, "Uy"), (found.P1, "P1_"), (found.P2, "P2_"), (found.P3, "P3_")):
        np.testing.assert_allclose(ours, GOLDEN[f"{theirs}{run}"], atol=PACKAGE)
    first = np.vstack([pair.X1 - found.P1 @ found.Ux, pair.X2 - found.P2 @ found.Ux])
    second = np.vstack([pair.Y2 - found.P2 @ found.Uy, pair.Y3 - found.P3 @ found.Uy])
    sparsity = penalties.first * found.P1.sum() + penalties.both * found.P2.sum() + penalties.second * found.P3.sum()
    theirs = np.linalg.norm(first) + np.linalg.norm(second) + sparsity
    np.testing.assert_allclose(theirs, GOLDEN[f"obj{run}"][-1], rtol=1e-6)
    ours = np.square(first).sum() + np.square(second).sum() + sparsity
    np.testing.assert_allclose(ours, found.history.objective[-1], rtol=1e-9)
    assert (np.diff(found.history.objective) <= 1e-12 * found.history.objective[0]).all()


def test_rows_come_back_in_the_order_of_the_data() -> None:
    mask = np.array([[1, 0], [1, 1], [0, 1], [1, 1]], dtype=bool)
    pair = PartialPair.split(np.arange(4)[:, None] * mask[:, :1], np.arange(4)[:, None] * mask[:, 1:], mask)
    assert pair.sizes == (2, 1, 1)
    np.testing.assert_array_equal(pair.in_data_order(pair.X2, pair.X1, pair.Y3).ravel(), np.arange(4))


def test_a_large_penalty_empties_the_representation() -> None:
    data = blobs(20, n_clusters=2, nonnegative=True)
    assert (PVC(penalty=1e6).represent(data).embedding == 0).all()
    found = PVC(penalty=0.01).represent(data)
    assert (found.embedding >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(found.embedding, axis=1), 1.0)
