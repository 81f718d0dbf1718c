"""SIMVC-SA: it matches the authors' program, its objective never rises, and its constraints hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.anchor._anchor_graph import IncompleteViews
from mvarena.algorithms.anchor.simvc_sa import simvc_sa
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.floats(0, 0.7), st.integers(1, 6), st.sampled_from([(1.0, 0.0), (0.01, 1.0), (50, 0)]))
def test_the_objective_never_rises_and_the_constraints_hold(seed, missing, m, parameters):
    data = blobs(25, dims=(6, 9, 7), missing=missing, seed=seed, spread=1.0)
    views, (alignment, ridge) = IncompleteViews.of(data), parameters
    rng = np.random.default_rng(seed)
    A = [np.linalg.qr(rng.standard_normal((d, m)))[0] for d in (6, 9, 7)]
    F = np.linalg.qr(rng.standard_normal((25, m)))[0]
    found = simvc_sa(views, A, F, Stopping(15), alignment=alignment, ridge=ridge)
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    np.testing.assert_allclose(found.F.T @ found.F, np.eye(m), atol=1e-8)
    assert found.weights.sum() == pytest.approx(1.0)
    objective = 0.0
    for v, (Z, P, A_v) in enumerate(zip(found.Z, found.P, found.A, strict=True)):
        assert (Z >= 0).all()
        np.testing.assert_allclose(Z.sum(axis=1), 1.0)
        np.testing.assert_allclose(P.T @ P, np.eye(m), atol=1e-8)
        apart = (views.matrices[v] - Z @ A_v.T) * data.mask[:, v, None]
        objective += found.weights[v] ** 2 * np.square(apart).sum() + ridge * np.square(Z).sum()
        objective += alignment * np.square(Z @ P.T - found.F).sum()
    assert found.history.objective[-1] == pytest.approx(objective)
