"""OPMC: what the views' weights are."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import OPMC
from mvarena.data import MultiViewData
from mvarena.testing.examples import blobs


def test_learned_weights_are_squares_of_weights_on_the_simplex():
    found = OPMC(weighting="learned").represent(blobs(60, dims=(6, 9), seed=2))
    assert np.sqrt(found.details["weights"]).sum() == pytest.approx(1)


@pytest.mark.parametrize("weighting", ["learned", "equal"])
def test_a_constant_view_decides_nothing(weighting):
    """Clusters leave nothing of it, so all of the learned weight is its own, and only rounding spoke: ARI 0."""
    clear = blobs(120, dims=(12, 15), spread=2.0, seed=0)
    views = [*(view.matrix for view in clear.views), np.full((120, 4), 3.0)]
    found = OPMC(weighting=weighting, random_state=0).fit(MultiViewData.from_arrays(views, labels=clear.labels))
    assert adjusted_rand_score(clear.labels, found.labels_) == 1
    assert found.converged_
