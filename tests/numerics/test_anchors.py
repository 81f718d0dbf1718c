"""Centres of clusters: means of rows, wherever the rows stand, dense or sparse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mvarena.numerics.anchors import cluster_means


def ordered(centres):
    return centres[np.lexsort(centres.T)]


@pytest.mark.parametrize("sampled", [20_000, 50])
def test_centres_of_clear_clusters_are_their_means_also_where_a_sample_starts_the_run(sampled, monkeypatch):
    monkeypatch.setattr("mvarena.numerics.anchors._SAMPLED", sampled)
    rng = np.random.default_rng(2)
    labels = np.arange(900) % 3
    points = rng.standard_normal((900, 5)) + 30 * np.eye(3, 5)[labels]
    means = np.array([points[labels == j].mean(axis=0) for j in range(3)])
    for form in (points, points[::-1], sparse.csr_array(points)):
        np.testing.assert_allclose(ordered(cluster_means(form, 3)), ordered(means), atol=1e-10)


@pytest.mark.parametrize("sampled", [20_000, 5])
def test_there_are_no_more_centres_than_rows_that_differ(sampled, monkeypatch):
    monkeypatch.setattr("mvarena.numerics.anchors._SAMPLED", sampled)
    points = np.repeat(np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]]), 4, axis=0)
    np.testing.assert_array_equal(ordered(cluster_means(points, 5)), [[0, 0], [5, 0], [0, 5]])
