"""The number of clusters: what each criterion is by its definition, and that each finds clear clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from mvarena.analysis.cluster_criteria import CRITERIA
from mvarena.analysis.cluster_numbers import (
    eigengaps,
    gap_statistic,
    modularity,
    neighbour_graph,
    number_of_clusters,
    principal_scores,
    scores_without_each_view,
    smallest_within_error,
    stability,
)
from mvarena.analysis.clusters import Clusters, combined
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.kmeans import Labelling
from mvarena.report.cluster_page import number_sentence


def blobs(k: int = 3, n: int = 60) -> tuple[MultiViewData, np.ndarray]:
    """Groups far apart in every direction, in two views."""
    generator = np.random.default_rng(0)
    classes = np.arange(n) % k
    views = [10.0 * np.eye(k)[classes] + generator.normal(size=(n, k)) for _ in range(2)]
    return MultiViewData.from_arrays(views, name="blobs"), classes


def labellings(data: MultiViewData, numbers: tuple[int, ...]) -> dict[int, Clusters]:
    points = np.hstack([view.matrix for view in data.views])
    found = {k: KMeans(k, n_init=5, random_state=0).fit(points) for k in numbers}
    return {
        k: combined({"a": [Labelling(model.labels_.astype(np.int64), model.inertia_)]}, data)
        for k, model in found.items()
    }


@pytest.mark.parametrize("by", CRITERIA)
def test_every_criterion_finds_clear_clusters(by):
    data, _ = blobs(k=4)
    chosen = number_of_clusters(labellings(data, (3, 4, 5)), data, by=by)
    assert chosen.suggested == 4
    assert chosen.by == by
    assert np.isfinite(chosen.curve[by]).all()
    assert np.isnan(chosen.share) == (by != "modularity")
    assert CRITERIA[by] in number_sentence(chosen)


def kernel_data() -> MultiViewData:
    kernel = np.kron(np.eye(2), np.ones((15, 15))) + np.eye(30)
    return MultiViewData.from_arrays([kernel], kinds=["kernel"], name="similar")


def halves_and_thirds(data: MultiViewData) -> dict[int, Clusters]:
    halves = combined({"a": [Labelling(np.repeat([0, 1], 15), 1.0)]}, data)
    return {2: halves, 3: combined({"a": [Labelling(np.repeat([0, 1, 2], 10), 1.0)]}, data)}


@pytest.mark.parametrize("by", ["modularity", "eigengap"])
def test_without_features_there_are_no_silhouettes_and_neighbours_come_from_the_kernel(by):
    data = kernel_data()
    found = halves_and_thirds(data)
    assert np.isnan(found[2].silhouettes).all()
    assert number_of_clusters(found, data, by=by).suggested == 2


@pytest.mark.parametrize("by", ["silhouette", "gap", "stability", "view-stability"])
def test_a_criterion_of_features_says_that_there_are_none(by):
    data = kernel_data()
    with pytest.raises(InvalidSetting, match=f"{by} is not defined for 2 and 3 clusters of similar"):
        number_of_clusters(halves_and_thirds(data), data, by=by)


def test_more_clusters_than_different_samples_are_passed_over():
    rows = np.repeat(np.eye(3), 8, axis=0)
    data = MultiViewData.from_arrays([rows, -rows], name="three points")
    points = principal_scores(data)
    assert np.isnan(gap_statistic(points, (2, 3, 4))[0]).tolist() == [False, True, True]
    assert np.isnan(stability([points], (2, 3, 4))).tolist() == [False, False, True]
    assert np.isnan(eigengaps(neighbour_graph(data), (2, 23, 24))).tolist() == [False, False, True]


def test_the_number_of_clear_clusters_is_suggested_with_certainty():
    data, classes = blobs(k=4)
    found = {k: combined({"a": [Labelling(np.minimum(classes, k - 1), 1.0)]}, data) for k in (2, 3, 4)}
    halves = np.where(np.arange(60) < 30, classes, classes + 4)
    found[8] = combined({"a": [Labelling(halves, 1.0)]}, data)
    chosen = number_of_clusters(found, data)
    assert (chosen.suggested, chosen.share) == (4, 1.0)
    assert chosen.curve["share"].sum() == pytest.approx(1.0)


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


def test_eigengaps_are_those_of_the_dense_laplacian():
    data, _ = blobs(k=3, n=40)
    graph = neighbour_graph(data).toarray()
    scale = np.diag(graph.sum(axis=1) ** -0.5)
    values = np.linalg.eigvalsh(np.eye(40) - scale @ graph @ scale)
    assert eigengaps(sparse.csr_array(graph), (2, 3, 7)) == pytest.approx(
        [values[k] - values[k - 1] for k in (2, 3, 7)]
    )


@pytest.mark.parametrize("width", [5, 90])
def test_principal_scores_keep_the_distances(width):
    matrix = np.random.default_rng(0).normal(size=(30, width))
    data = MultiViewData.from_arrays([sparse.csr_array(matrix), 2 * matrix[:, :2]])
    scores = principal_scores(data)
    both = np.hstack([matrix, 2 * matrix[:, :2]])
    expected = np.linalg.norm(both[:, None] - both[None], axis=2)
    assert np.linalg.norm(scores[:, None] - scores[None], axis=2) == pytest.approx(expected, abs=1e-7)


def test_each_view_is_left_out_in_turn():
    views = [np.random.default_rng(v).normal(size=(20, v + 1)) for v in range(3)]
    data = MultiViewData.from_arrays([*views, np.eye(20)], kinds=["features"] * 3 + ["kernel"])
    assert [scores.shape[1] for scores in scores_without_each_view(data)] == [5, 4, 3]
    alone = MultiViewData.from_arrays(views[:1])
    assert [scores.shape[1] for scores in scores_without_each_view(alone)] == [1]


def test_the_gap_statistic_is_that_of_its_definition():
    """Near 0 for uniform data, and for groups the difference of logarithms, computed with other draws."""
    generator = np.random.default_rng(1)
    square = generator.uniform(size=(200, 2))
    gaps, errors = gap_statistic(square - square.mean(axis=0), (2, 3, 4))
    assert (np.abs(gaps) < 0.1).all()
    assert (errors > 0).all()
    points = principal_scores(blobs(k=4)[0])
    gaps, errors = gap_statistic(points, (2, 3, 4, 5))
    assert smallest_within_error(gaps, errors) == 2
    inertia = KMeans(4, n_init=5, random_state=0).fit(points).inertia_
    low, high = points.min(axis=0), points.max(axis=0)
    drawn = [np.log(KMeans(4, n_init=5, random_state=seed).fit(generator.uniform(low, high, points.shape)).inertia_)
             for seed in range(20)]  # fmt: skip
    assert gaps[2] == pytest.approx(np.mean(drawn) - np.log(inertia), abs=4 * errors[2])


def test_the_first_gap_that_the_next_does_not_pass_is_chosen():
    errors = np.array([0.1, 0.1, 0.1, 0.1])
    assert smallest_within_error(np.array([1.0, 1.5, 1.55, 2.0]), errors) == 1
    assert smallest_within_error(np.array([1.0, 1.5, 2.0, 2.5]), errors) == 3
    assert smallest_within_error(np.array([1.0, np.nan, 2.0, np.nan]), errors) == 2


def test_subsamples_agree_about_what_is_there_and_not_about_what_is_not():
    data, _ = blobs(k=3)
    at_three, at_eight = stability([principal_scores(data)], (3, 8))
    assert at_three == pytest.approx(1.0)
    assert at_eight < 0.9
    other = np.random.default_rng(0).permutation(60)
    apart = stability([principal_scores(data), principal_scores(data)[other]], (3,))
    assert apart[0] < 0.7  # half of the pairs see samples that are not the same
