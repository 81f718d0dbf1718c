"""LMVSC: from the same anchors, the combinations and the embedding of the authors' program."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import LMVSC
from mvarena.algorithms.anchor.lmvsc import anchor_combinations
from mvarena.numerics.low_rank import top_left_vectors
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("lmvsc")


@pytest.mark.parametrize("run", range(6))
def test_it_matches_the_authors_program_from_its_anchors(run):
    anchors, alpha = GOLDEN[f"anchors{run}"], float(GOLDEN[f"alpha{run}"])
    graphs = []
    for v in range(3):
        X = GOLDEN[f"X{v}"]
        Z = anchor_combinations(X, X[anchors], alpha)
        np.testing.assert_allclose(Z, GOLDEN[f"Z{run}_{v}"], atol=1e-8)
        objective = np.square(X - Z @ X[anchors]).sum() + alpha * np.square(Z).sum()
        assert objective == pytest.approx(GOLDEN[f"obj{run}"][v], rel=1e-9)
        np.testing.assert_allclose(anchor_combinations(sparse.csr_array(X), X[anchors], alpha), Z, atol=1e-10)
        graphs.append(Z)
    U = top_left_vectors(np.hstack(graphs) / np.sqrt(3), 3)
    np.testing.assert_allclose(projector(U), projector(GOLDEN[f"U{run}"]), atol=1e-7)


@pytest.mark.parametrize("options", [{}, {"n_anchors": 20}, {"ridge": 1.0}])
def test_clear_clusters_are_found(options):
    data = blobs(150, dims=(12, 15), seed=1)
    assert adjusted_rand_score(data.labels, LMVSC(random_state=0, **options).fit(data).labels_) > 0.9
