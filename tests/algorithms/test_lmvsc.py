"""LMVSC: from the same anchors, the combinations and the embedding of the authors' program."""

from __future__ import annotations

import pytest
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import LMVSC
from mvarena.testing.examples import blobs


@pytest.mark.parametrize("options", [{}, {"n_anchors": 20}, {"ridge": 1.0}])
def test_clear_clusters_are_found(options):
    data = blobs(150, dims=(12, 15), seed=1)
    assert adjusted_rand_score(data.labels, LMVSC(random_state=0, **options).fit(data).labels_) > 0.9
