"""OPMC: it matches the authors' program from its start, and its objective never rises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import OPMC
from mvarena.algorithms.nmf.opmc import Centres, opmc
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(["learned", "equal"]))
def test_the_objective_never_rises_and_is_what_it_says(seed, weighting):
    data = blobs(30, dims=(6, 9, 2), seed=seed, spread=1.0)
    views, rng = [view.matrix for view in data.views], np.random.default_rng(seed)
    W = [np.linalg.qr(rng.standard_normal((max(d, 3), 3)))[0] for d in (6, 9, 2)]
    centres = [Centres(rng.random((3, 3)), w) for w in W]
    found = opmc(views, rng.integers(0, 3, 30), centres, Stopping(15), weighting=weighting)
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    apart = [
        np.square(X - one.rows(X.shape[1])[found.labels]).sum() for X, one in zip(views, found.centres, strict=True)
    ]
    # in padded features, which are zero, centres may have entries
    hidden = [
        np.square((one.C @ one.W.T)[found.labels][:, X.shape[1] :]).sum()
        for X, one in zip(views, found.centres, strict=True)
    ]
    assert found.history.objective[-1] == pytest.approx(found.weights @ np.add(apart, hidden))
    for one in found.centres:
        np.testing.assert_allclose(one.W.T @ one.W, np.eye(3), atol=1e-8)


def test_learned_weights_are_squares_of_weights_on_the_simplex():
    found = OPMC(weighting="learned").represent(blobs(60, dims=(6, 9), seed=2))
    assert np.sqrt(found.details["weights"]).sum() == pytest.approx(1)


def test_views_count_alike_unless_told_otherwise():
    assert OPMC().represent(blobs(60, dims=(6, 9), seed=2)).details["weights"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("weighting", ["learned", "equal"])
def test_a_constant_view_decides_nothing(weighting):
    """Clusters leave nothing of it, so all of the learned weight is its own, and only rounding spoke: ARI 0."""
    clear = blobs(120, dims=(12, 15), spread=2.0, seed=0)
    views = [*(view.matrix for view in clear.views), np.full((120, 4), 3.0)]
    found = OPMC(weighting=weighting, random_state=0).fit(MultiViewData.from_arrays(views, labels=clear.labels))
    assert adjusted_rand_score(clear.labels, found.labels_) == 1
    assert found.converged_


def test_more_starts_end_no_higher():
    data = blobs(60, dims=(6, 7), spread=0.7, seed=3)
    ends = [OPMC(start="random", n_starts=n, random_state=0).represent(data).objective[-1] for n in (1, 30)]
    assert ends[1] <= ends[0]
