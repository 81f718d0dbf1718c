"""coreg-pairwise and coreg-centroid: properties, refusals, samples that a view misses."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import agreement, projector
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph.coreg import ONE_STEP, CoRegCentroid, CoRegPairwise, coreg_centroid, coreg_pairwise
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


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0.0, 0.05, 0.5, 3.0]), st.integers(1, 4))
def test_the_joint_objective_never_rises(seed, lam, views):
    L = laplacians(30, seed, views)
    for result in (
        coreg_pairwise(L, 3, lam, Stopping(8)),
        coreg_centroid(L, 3, np.full(views, lam), Stopping(8)),
    ):
        assert (np.diff(result.history.objective) <= 1e-10).all()
        for U in result.U:
            np.testing.assert_allclose(U.T @ U, np.eye(3), atol=1e-9)


def test_pairwise_objective_is_the_formula():
    L = laplacians()
    result = coreg_pairwise(L, 3, 0.3, Stopping(4))
    fit = sum(np.trace(U.T @ L_v @ U) for U, L_v in zip(result.U, L, strict=True))
    P = [projector(U) for U in result.U]
    agreement = np.trace(P[0] @ P[1]) + np.trace(P[0] @ P[2]) + np.trace(P[1] @ P[2])
    assert result.history.objective[-1] == pytest.approx(-(fit + 0.3 * agreement), abs=1e-10)


def test_centroid_objective_is_the_formula():
    L = laplacians()
    lam = np.array([0.1, 0.4, 0.2])
    result = coreg_centroid(L, 3, lam, Stopping(4))
    value = sum(
        np.trace(U.T @ L_v @ U) + w * np.trace(projector(U) @ projector(result.centroid))
        for U, L_v, w in zip(result.U, L, lam, strict=True)
    )
    assert result.history.objective[-1] == pytest.approx(-value, abs=1e-10)


def test_without_agreement_each_view_is_alone():
    L = laplacians()
    result = coreg_pairwise(L, 3, 0.0, Stopping(10, 1e-4))
    alone = [np.linalg.eigh(L_v)[1][:, -3:] for L_v in L]
    for U, own in zip(result.U, alone, strict=True):
        np.testing.assert_allclose(projector(U), projector(own), atol=1e-8)


def test_large_inputs_take_the_block_solver_and_agree_with_the_dense_one(monkeypatch):
    L = laplacians(420)
    block = coreg_pairwise(L, 3, 0.05, Stopping(4))
    block_centroid = coreg_centroid(L, 3, np.full(3, 0.05), Stopping(4))
    monkeypatch.setattr("mvarena.algorithms.graph.coreg._DENSE_LIMIT", 1000)
    dense = coreg_pairwise(L, 3, 0.05, Stopping(4))
    dense_centroid = coreg_centroid(L, 3, np.full(3, 0.05), Stopping(4))
    for U, W in zip(block.U, dense.U, strict=True):
        np.testing.assert_allclose(projector(U), projector(W), atol=1e-5)
    np.testing.assert_allclose(projector(block_centroid.centroid), projector(dense_centroid.centroid), atol=1e-5)
    # each view's own solution, from which they start, is only found to 1e-4
    np.testing.assert_allclose(block.history.objective[2:], dense.history.objective[2:], rtol=1e-8)


def test_one_step_per_update_falls_as_low_as_exact_updates_in_single_precision_too():
    L = laplacians(420)
    exact = coreg_pairwise(L, 3, 0.05, Stopping(10))
    for graphs in (L, [L_v.astype(np.float32) for L_v in L]):
        stepwise = coreg_pairwise(graphs, 3, 0.05, Stopping(10), ONE_STEP)
        assert (np.diff(stepwise.history.objective) <= 1e-6).all()
        assert stepwise.history.objective[-1] == pytest.approx(exact.history.objective[-1], rel=1e-4)
        for U, W in zip(stepwise.U, exact.U, strict=True):
            np.testing.assert_allclose(projector(U), projector(W), atol=2e-3)
    lam = np.full(3, 0.05)
    centroid = coreg_centroid(graphs, 3, lam, Stopping(10), ONE_STEP).centroid
    np.testing.assert_allclose(
        projector(centroid), projector(coreg_centroid(L, 3, lam, Stopping(10)).centroid), atol=2e-3
    )


def test_refusals_say_what_to_do():
    with pytest.raises(InvalidSetting, match="view must be None or 0 to 1"):
        CoRegPairwise(view=2).fit(blobs())
    empty = MultiViewData.from_arrays([np.array([[0.0, -1.0], [-1.0, 0.0]])], kinds=["kernel"])
    with pytest.raises(InvalidData, match="no graph"):
        CoRegPairwise(n_clusters=2).fit(empty)


def test_negative_similarities_are_no_edges():
    signed = np.array([[1.0, -0.5, 0.2], [-0.5, 1.0, 0.0], [0.2, 0.0, 1.0]])
    view = MultiViewData.from_arrays([signed], kinds=["kernel"]).views[0]
    np.testing.assert_array_equal(gaussian_similarity(view, None), np.maximum(signed, 0.0))


@pytest.mark.parametrize("method", [CoRegPairwise, CoRegCentroid])
def test_finds_clear_clusters_even_with_awkward_columns_and_rows(method):
    data = blobs(spread=3, seed=5)
    arrays = [view.matrix.copy() for view in data.views]
    arrays[0][:, 0] = 7.0
    arrays[1][3] = 0.0
    labels = method(n_clusters=3, random_state=0).fit_predict(arrays)
    assert agreement(labels, data.labels) > 0.95
    everything_alike = method(n_clusters=2, random_state=0).fit_predict([np.ones((12, 2)), np.ones((12, 3))])
    assert set(everything_alike) <= {0, 1}


@pytest.mark.parametrize("method", [CoRegPairwise, CoRegCentroid])
def test_the_width_of_other_libraries_is_the_number_of_features(method):
    # the same number of features in both views: one sigma for all says the same
    data = blobs(60, dims=(8, 8), missing=0.2)
    by_rule = method(sigma="features").represent(data)
    by_number = method(sigma=2.0).represent(data)
    np.testing.assert_allclose(by_rule.embedding, by_number.embedding, atol=1e-12)
    assert not np.allclose(by_rule.embedding, method().represent(data).embedding)
