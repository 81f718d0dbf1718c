"""coreg-pairwise and coreg-centroid: objectives by their formulas, large inputs, refusals, widths."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector

from mvarena.algorithms.graph.coreg import CoRegCentroid, CoRegPairwise, coreg_centroid, coreg_pairwise
from mvarena.algorithms.graph.view_graphs import (
    gaussian_similarity,
    symmetric_normalized,
)
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


def laplacians(n=60, seed=0, views=3):
    data = blobs(n, dims=(5,) * views, spread=3, seed=seed)
    return [symmetric_normalized(gaussian_similarity(view, None)) for view in data.views]


def test_pairwise_objective_is_the_formula():
    L = laplacians()
    result = coreg_pairwise(L, 3, 0.3, Stopping(4))
    fit = sum(np.trace(U.T @ L_v @ U) for U, L_v in zip(result.U, L, strict=True))
    P = [projector(U) for U in result.U]
    agreement = np.trace(P[0] @ P[1]) + np.trace(P[0] @ P[2]) + np.trace(P[1] @ P[2])
    assert result.history.objective[-1] == pytest.approx(-(fit + 0.3 * agreement), abs=1e-10)


def test_centroid_objective_is_the_formula():
    L = laplacians()
    result = coreg_centroid(L, 3, 0.3, Stopping(4))
    value = sum(
        np.trace(U.T @ L_v @ U) + 0.3 * np.trace(projector(U) @ projector(result.centroid))
        for U, L_v in zip(result.U, L, strict=True)
    )
    assert result.history.objective[-1] == pytest.approx(-value, abs=1e-10)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_large_inputs_take_single_steps_of_a_block_search_and_end_as_low_as_exact_ones(dtype, monkeypatch):
    L = laplacians(420)
    graphs = [L_v.astype(dtype) for L_v in L]
    stepwise, centroid = coreg_pairwise(graphs, 3, 0.05, Stopping(10)), coreg_centroid(graphs, 3, 0.05, Stopping(10))
    monkeypatch.setattr("mvarena.algorithms.graph.coreg._DENSE_LIMIT", 1000)
    exact, exact_centroid = coreg_pairwise(L, 3, 0.05, Stopping(10)), coreg_centroid(L, 3, 0.05, Stopping(10))
    assert (np.diff(stepwise.history.objective) <= 1e-6).all()
    assert stepwise.history.objective[-1] == pytest.approx(exact.history.objective[-1], rel=1e-4)
    pairs = [*zip(stepwise.U, exact.U, strict=True), (centroid.centroid, exact_centroid.centroid)]
    for found, expected in pairs:
        np.testing.assert_allclose(projector(found), projector(expected), atol=2e-3)


def test_refusals_say_what_to_do():
    with pytest.raises(InvalidSetting, match="view must be None or 0 to 1"):
        CoRegPairwise(view=2).fit(blobs())
    empty = MultiViewData.from_arrays([np.array([[0.0, -1.0], [-1.0, 0.0]])], kinds=["kernel"])
    with pytest.raises(InvalidData, match="no graph"):
        CoRegPairwise(n_clusters=2).fit(empty)


@pytest.mark.parametrize("method", [CoRegPairwise, CoRegCentroid])
def test_the_width_of_other_libraries_is_the_number_of_features(method):
    # the same number of features in both views: one sigma for all says the same
    data = blobs(60, dims=(8, 8), missing=0.2)
    by_rule = method(sigma="features").represent(data)
    by_number = method(sigma=2.0).represent(data)
    np.testing.assert_allclose(by_rule.embedding, by_number.embedding, atol=1e-12)
    assert not np.allclose(by_rule.embedding, method().represent(data).embedding)
