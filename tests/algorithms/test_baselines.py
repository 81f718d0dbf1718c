"""The baselines: each is the plain method that its name says, and picks or is told a view."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist, pdist
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms.baselines.concat import Concat, side_by_side
from mvarena.algorithms.baselines.kernel_addition import KernelAddition
from mvarena.algorithms.baselines.similarities import neighbour_similarities, view_kernel
from mvarena.algorithms.baselines.single_view import BSVKMeans, BSVSpectral
from mvarena.algorithms.baselines.spectral import SCAverage, SCConcat
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidData, InvalidSetting, UnknownName
from mvarena.numerics.scaling import unit_rows
from mvarena.numerics.spectral import normalized_embedding

SINGLE = [BSVKMeans, BSVSpectral]


def blobs(n: int = 45, seed: int = 0) -> MultiViewData:
    """Three groups, clear in view 'good', invisible in view 'noise'."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    good = rng.standard_normal((n, 4)) + 10 * rng.standard_normal((3, 4))[truth]
    return MultiViewData.from_arrays(
        [rng.standard_normal((n, 3)), good], labels=truth, name="blobs", view_names=["noise", "good"]
    )


def test_concat_puts_views_side_by_side_and_takes_the_smaller_storage():
    X, Y = np.arange(6.0).reshape(3, 2), np.eye(3)
    np.testing.assert_array_equal(Concat(n_clusters=2).fit([X, Y]).embedding_, np.hstack([X, Y]))
    mostly_empty = sparse.csr_array(np.eye(3, 50))
    assert sparse.issparse(side_by_side([mostly_empty, mostly_empty]))
    assert sparse.issparse(side_by_side([mostly_empty, X]))
    full = side_by_side([sparse.csr_array(np.ones((3, 2))), X])
    np.testing.assert_array_equal(full, np.hstack([np.ones((3, 2)), X]))


def test_neighbour_similarities_reach_as_far_as_they_are_told():
    X = np.random.default_rng(0).standard_normal((20, 3))
    distances = cdist(X, X)
    sigma = np.sort(distances, axis=1)[:, 3].mean()
    wide = 4 * (distances**2).mean()
    np.testing.assert_allclose(neighbour_similarities(X, 4, "nearest"), np.exp(-((distances / sigma) ** 2)), atol=1e-12)
    np.testing.assert_allclose(neighbour_similarities(X, 4, "all"), np.exp(-(distances**2) / wide), atol=1e-12)
    np.testing.assert_allclose(neighbour_similarities(X, 4, 2.0), np.exp(-(distances**2) / 4), atol=1e-12)


def test_sc_average_clusters_the_mean_similarity_and_sc_concat_that_of_all_columns():
    X, Y = (view.matrix for view in blobs(seed=5).views)
    mean = (neighbour_similarities(X, 10, "all") + neighbour_similarities(Y, 10, "all")) / 2
    joined = neighbour_similarities(np.hstack([X, Y]), 10, "all")
    for model, affinity in ((SCAverage(n_clusters=4), mean), (SCConcat(n_clusters=4), joined)):
        found = model.represent(MultiViewData.from_arrays([X, Y])).embedding
        expected = unit_rows(normalized_embedding(affinity, 4))
        # angles between rows: the three groups are so far apart that the vectors may be turned
        np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-6)


def test_sc_concat_of_median_reach_is_spectral_clustering_of_one_view_of_all_columns():
    X, Y = (view.matrix for view in blobs(seed=5).views)
    found = SCConcat(n_clusters=3, reach="median").represent(MultiViewData.from_arrays([X, Y])).embedding
    expected = KernelAddition(n_clusters=3).represent(MultiViewData.from_arrays([np.hstack([X, Y])])).embedding
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-9)


def test_view_kernel_has_the_median_distance_as_bandwidth():
    X = np.random.default_rng(1).standard_normal((15, 2))
    sigma = np.median(pdist(X))
    np.testing.assert_allclose(view_kernel(View("x", X)), np.exp(-cdist(X, X, "sqeuclidean") / (2 * sigma**2)))


def test_kernel_addition_takes_kernels_as_they_are():
    X, Y = (view.matrix for view in blobs(seed=6).views)
    kernels = [view_kernel(View("k", matrix)) for matrix in (X, Y)]
    given = MultiViewData.from_arrays(kernels, kinds=["kernel"] * 2, n_clusters=3)
    found = KernelAddition().represent(given).embedding
    np.testing.assert_allclose(found, KernelAddition(n_clusters=3).fit([X, Y]).embedding_, atol=1e-9)
    mixed = MultiViewData.from_arrays([kernels[0], Y], kinds=["kernel", "features"], n_clusters=3)
    np.testing.assert_allclose(KernelAddition().represent(mixed).embedding, found, atol=1e-9)


@pytest.mark.parametrize("kind", SINGLE)
def test_the_best_view_is_picked_by_the_labels_only(kind):
    data = blobs()
    picked = kind(n_clusters=3, random_state=0).fit(data, data.labels)
    assert (picked.view_, picked.label_picked_) == ("good", True)
    assert adjusted_rand_score(data.labels, picked.labels_) == 1.0
    named = kind(n_clusters=3, view="good", random_state=0).fit(data)
    assert (named.view_, named.label_picked_) == ("good", False)
    np.testing.assert_array_equal(picked.labels_, named.labels_)
    assert picked.view is None


@pytest.mark.parametrize("kind", SINGLE)
def test_without_labels_a_view_must_be_named(kind):
    for call in (kind(n_clusters=3).fit, kind(n_clusters=3).represent):
        with pytest.raises(InvalidSetting, match="name a view, or pass the labels y to pick the best by them"):
            call(blobs())


@pytest.mark.parametrize("kind", SINGLE)
def test_unlabelled_samples_do_not_count_in_the_pick(kind):
    data, known = blobs(), np.arange(45) < 15
    told_apart = [data.views[0].matrix + 100.0 * known[:, None], data.views[1].matrix]
    data = MultiViewData.from_arrays(told_apart, labels=data.labels, view_names=["known or not", "good"])
    assert kind(n_clusters=3, random_state=0).fit(data, np.where(known, data.labels, -1)).view_ == "good"
    with pytest.raises(InvalidSetting, match="labels no sample"):
        kind(n_clusters=3).fit(data, np.full(45, -1))
    with pytest.raises(InvalidData, match="one per sample"):
        kind(n_clusters=3).fit(data, [0, 1])


def test_a_view_is_named_by_name_or_index():
    data = blobs()
    by_index = BSVKMeans(n_clusters=3, view=1, random_state=0).fit(data)
    assert by_index.view_ == "good"
    np.testing.assert_array_equal(by_index.embedding_, data.views[1].matrix)
    with pytest.raises(UnknownName, match="Did you mean good"):
        BSVKMeans(view="god").fit(data)
    with pytest.raises(InvalidSetting, match="views 0 to 1"):
        BSVKMeans(view=2).fit(data)
