"""The number of clusters: what each criterion is by its definition, and that each finds clear clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from test_clusters import blobs

from mvarena.analysis.cluster_criteria import CRITERIA
from mvarena.analysis.cluster_numbers import modularity, neighbour_graph, number_of_clusters
from mvarena.analysis.clusters import Clusters, combined
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.kmeans import Labelling
from mvarena.report.cluster_page import number_sentence


def labellings(data: MultiViewData, numbers: tuple[int, ...]) -> dict[int, Clusters]:
    points = np.hstack([view.matrix for view in data.views])
    found = {k: [KMeans(k, n_init=3, random_state=seed).fit(points) for seed in range(6)] for k in numbers}
    return {
        k: combined({"a": [Labelling(model.labels_.astype(np.int64), model.inertia_) for model in models]}, data)
        for k, models in found.items()
    }


@pytest.mark.parametrize("by", CRITERIA)
def test_every_criterion_finds_clear_clusters(by):
    data, _ = blobs(k=4)
    chosen = number_of_clusters(labellings(data, (3, 4, 5)), data, by=by)
    assert chosen.suggested == 4
    assert chosen.by == by
    assert np.isfinite(chosen.curve[by]).all()
    assert chosen.share > 0.5 if by == "modularity" else np.isnan(chosen.share)
    assert CRITERIA[by] in number_sentence(chosen)


def test_without_features_there_are_no_silhouettes_and_neighbours_come_from_the_kernel():
    kernel = np.kron(np.eye(2), np.ones((15, 15))) + np.eye(30)
    data = MultiViewData.from_arrays([kernel], kinds=["kernel"], name="similar")
    halves = combined({"a": [Labelling(np.repeat([0, 1], 15), 1.0)]}, data)
    found = {2: halves, 3: combined({"a": [Labelling(np.repeat([0, 1, 2], 10), 1.0)]}, data)}
    assert np.isnan(found[2].silhouettes).all()
    assert number_of_clusters(found, data).suggested == 2
    with pytest.raises(InvalidSetting, match="silhouette is not defined for 2 and 3 clusters of similar"):
        number_of_clusters(found, data, by="silhouette")


def test_shares_are_of_resamples_so_that_two_equal_numbers_share_them():
    """Points in a square by halves: left and right, or top and bottom, of which neither is more of a structure."""
    points = np.random.default_rng(0).random((60, 2))
    data = MultiViewData.from_arrays([points], name="square")
    halves = [(points[:, axis] > 0.5).astype(np.int64) for axis in (0, 1)]
    found = {k: combined({"a": [Labelling(labels, 1.0)]}, data) for k, labels in zip((2, 3), halves, strict=True)}
    shares = number_of_clusters(found, data).curve["share"]
    assert shares.min() > 0.02
    assert shares.sum() == pytest.approx(1.0)


def test_modularity_is_that_of_the_definition():
    generator = np.random.default_rng(0)
    weights = generator.integers(0, 3, size=(12, 12))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    labels = generator.integers(0, 3, size=12)
    degrees, total = weights.sum(axis=1), weights.sum()
    expected = sum(
        (weights[i, j] - degrees[i] * degrees[j] / total) / total
        for i in range(12)
        for j in range(12)
        if labels[i] == labels[j]
    )
    assert modularity(sparse.csr_array(weights), labels) == pytest.approx(expected)
    assert modularity(sparse.csr_array(weights), np.zeros(12, dtype=int)) == pytest.approx(0.0)


def test_neighbours_are_counted_over_the_views_that_observe_both():
    data, _ = blobs(n=30)
    mask = np.ones((30, 2), dtype=bool)
    mask[3, 1] = False
    graph = neighbour_graph(MultiViewData(data.name, data.views, mask=mask)).toarray()
    assert np.array_equal(graph, graph.T)
    assert set(np.unique(graph)) == {0.0, 1.0, 2.0}
    assert graph[3].max() == 1.0
    assert (np.diag(graph) == 0).all()
    assert ((graph > 0).sum(axis=1) >= 10).all()
