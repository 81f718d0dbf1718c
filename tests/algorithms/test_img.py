"""IMG: the objective is the formula, and the graph lies on the simplex."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers

from mvarena.algorithms.nmf.filled_view import PartialPair
from mvarena.algorithms.nmf.img import img, similarity_graph
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.proximal import project_simplex_rows

GOLDEN = golden_numbers("img")


def the_pair() -> PartialPair:
    X1, X2, Y2, Y3 = (GOLDEN[name] for name in ("X1", "X2", "Y2", "Y3"))
    return PartialPair(X1, X2, Y2, Y3, np.arange(len(X1) + len(X2) + len(Y3)))


def test_the_reported_objective_is_the_formula() -> None:
    pair = the_pair()
    found = img(pair, GOLDEN["startP"], GOLDEN["laplacian"], Stopping(200, 1e-8), lam=0.5, beta=2.0, gamma=3.0)
    P2, P1, P3 = np.split(found.P, np.cumsum([len(pair.X2), len(pair.X1)]))
    fit = np.square(np.vstack([pair.X2, pair.X1]) - np.vstack([P2, P1]) @ found.U1).sum()
    fit += np.square(np.vstack([pair.Y2, pair.Y3]) - np.vstack([P2, P3]) @ found.U2).sum()
    ridge = 0.5 * (np.square(found.U1).sum() + np.square(found.U2).sum())
    gaps = np.square(found.P[:, None] - found.P[None]).sum(axis=2)
    smooth = (found.A * gaps).sum() / 2
    expected = fit + ridge + 2.0 * smooth + 3.0 * np.square(found.A).sum()
    np.testing.assert_allclose(found.history.objective[-1], expected, rtol=1e-9)


@pytest.mark.parametrize("share", [1e-3, 1.0, 50.0])
def test_rows_of_the_graph_are_the_minimum_on_the_simplex(share: float) -> None:
    Q = np.random.default_rng(0).standard_normal((12, 3))
    A = similarity_graph(Q, share)
    d = share * np.square(Q[:, None] - Q[None]).sum(axis=2)
    rows = project_simplex_rows(-d)  # the minimum of a.d + |a|^2 / 2
    np.testing.assert_allclose(A, (rows + rows.T) / 2, atol=1e-12)
