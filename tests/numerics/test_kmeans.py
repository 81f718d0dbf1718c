"""k-means runs side by side: scikit-learn's starts, labels and inertia for the same seeds, whatever the points."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import KMeans, kmeans_plusplus
from threadpoolctl import threadpool_limits

from mvarena.numerics import kmeans
from mvarena.numerics.kmeans import greedy_starts, kmeans_runs, lloyd

SEEDS = [0, 1, 7, 2**32 - 1]
POINTS = st.tuples(st.integers(1, 120), st.sampled_from([1, 2, 3, 10, 47, 300]), st.integers(0, 2**32 - 1))


def cloud(n: int, d: int, seed: int, apart: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((6, d)) * apart
    return centres[rng.integers(0, 6, n)] + rng.standard_normal((n, d))


def assert_as_scikit_learn(points, k: int, seeds=SEEDS) -> None:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # of fewer clusters than asked for
        found = kmeans_runs(points, k, seeds)
        for seed, one in zip(seeds, found, strict=True):
            model = KMeans(k, n_init=1, random_state=seed).fit(points)
            np.testing.assert_array_equal(one.labels, model.labels_)
            assert one.inertia == pytest.approx(model.inertia_, rel=1e-5, abs=1e-9)


@given(POINTS, st.integers(1, 20), st.floats(0, 8), st.sampled_from([0.0, -1e6, 1e5]), st.booleans())
def test_labels_are_those_of_scikit_learn(shape, k, apart, offset, repeated):
    points = cloud(*shape, apart) + offset
    if repeated:
        points = points[np.random.default_rng(1).integers(0, len(points), 2 * len(points))]
    assert_as_scikit_learn(points, min(k, len(np.unique(points, axis=0))))


@pytest.mark.parametrize(
    "limits",
    [
        {"_CACHED_ENTRIES": 2_000, "_ROWS": 64},  # several blocks and groups
        {"_CENTRES": 3 * 9 * 4},  # centres fill the memory
        {"_WORTH_THREADS": 10},  # a step is long
        {"_STEPS": 2},  # a restart takes too many
    ],
    ids=str,
)
def test_labels_are_those_of_scikit_learn_beyond_each_limit(limits, monkeypatch):
    for name, value in limits.items():
        monkeypatch.setattr(kmeans, name, value)
    assert_as_scikit_learn(cloud(300, 4, 3, 0.0), 9, range(12))


@pytest.mark.parametrize("kind", [np.float32, np.asfortranarray, sparse.csr_array, lambda points: points.astype(int)])
@settings(max_examples=8)
@given(st.integers(0, 1000), st.integers(1, 9))
def test_labels_are_those_of_scikit_learn_for_every_kind_of_matrix(kind, seed, k):
    assert_as_scikit_learn(kind(4 * cloud(80, 5, seed)), k)


@given(st.integers(1, 3), st.integers(2, 60), st.integers(2, 6))
def test_labels_are_those_of_scikit_learn_on_a_lattice(d, n, k):
    """There, a point is equally near to two centres time and again."""
    points = np.random.default_rng(n).integers(0, 6, (n, d)).astype(float)
    assert_as_scikit_learn(points, min(k, len(np.unique(points, axis=0))))


@pytest.mark.parametrize("n", [40, 75, 110, 200])
@pytest.mark.parametrize("k", [3, 4, 6])
def test_labels_are_those_of_scikit_learn_on_a_line_of_equal_steps(n, k):
    assert_as_scikit_learn(np.arange(float(n))[:, None], k, range(20))


@given(st.integers(0, 1000), st.integers(1, 3))
def test_centres_equally_near_are_told_by_their_order(seed, d):
    points = np.random.default_rng(seed).integers(0, 3, (90, d)).astype(float)
    centres = np.unique(points, axis=0)[:3] + np.array([0.5] * d)
    expected = np.array([((centres - point) ** 2).sum(axis=1).argmin() for point in points])
    np.testing.assert_array_equal(kmeans.nearest(points, centres[None])[0][0], expected)


def test_labels_are_those_of_scikit_learn_for_more_clusters_than_a_byte_counts():
    assert_as_scikit_learn(cloud(900, 3, 3), 300, [0, 1])


@given(POINTS, st.integers(1, 20))
def test_starts_are_those_of_scikit_learn(shape, k):
    points = cloud(*shape)
    assume(k <= len(points))
    for seed, rows in zip(SEEDS, greedy_starts(points, k, SEEDS), strict=True):
        np.testing.assert_array_equal(rows, kmeans_plusplus(points, k, random_state=seed)[1])


@pytest.mark.parametrize("tolerance", [0.0, 1e9])
def test_a_restart_in_which_a_cluster_empties_is_left_to_scikit_learn(tolerance):
    points = np.array([[0.0], [0.1], [0.2], [10.0], [10.1], [10.2]])
    starts = np.array([[[0.0], [10.0]], [[0.0], [50.0]]])
    assert lloyd(points, starts, tolerance).ended.tolist() == [True, False]


@given(st.integers(0, 1000), st.permutations(range(5)))
def test_a_restart_from_the_same_centres_takes_no_steps_of_its_own(seed, order):
    points, steps = cloud(150, 3, seed), []
    starts = points[np.random.default_rng(seed).choice(150, 5, replace=False)]
    with pytest.MonkeyPatch.context() as patch:
        nearest = kmeans.nearest
        patch.setattr(kmeans, "nearest", lambda p, c, **keys: steps.append(len(c)) or nearest(p, c, **keys))
        ends = lloyd(points, np.stack([starts, starts[order]]), 0.0)
    if len(steps) > 1:
        assert steps[0] == 2
        assert set(steps[1:]) == {1}
    np.testing.assert_array_equal(np.array(order)[ends.labels[1]], ends.labels[0])
    np.testing.assert_array_equal(ends.centres[1], ends.centres[0][order])


def test_numbers_that_are_not_finite_are_refused():
    points = cloud(20, 2, 0)
    points[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        kmeans_runs(points, 2, [0])
