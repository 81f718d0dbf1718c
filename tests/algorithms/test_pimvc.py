"""PIMVC: rotated views and the graphs of their neighbours."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import PIMVC
from mvarena.algorithms.nmf.pimvc import rotated
from mvarena.numerics.neighbours import neighbour_laplacian
from mvarena.testing.examples import blobs


def test_more_features_than_samples_take_as_many_coordinates_as_their_rank():
    rng = np.random.default_rng(0)
    low = rng.standard_normal((40, 6))
    seen = np.arange(40) % 4 > 0
    wide = (low @ np.linalg.qr(rng.standard_normal((70, 6)))[0].T) * seen[:, None]
    view = rotated(wide, seen, 3)
    assert view.rows.shape == (40, 6)
    np.testing.assert_allclose(view.rows @ view.rows.T, wide @ wide.T, atol=1e-9)
    same = rotated(sparse.csr_array(wide), seen, 3)
    np.testing.assert_allclose(same.rows @ same.principal, view.rows @ view.principal, atol=1e-8)


def test_copies_of_a_sample_are_neighbours_and_nobody_is_one_of_himself():
    points = np.repeat(np.arange(4.0)[:, None], 6, axis=0)
    laplacian = neighbour_laplacian(points, np.ones(24, dtype=bool), 3).toarray()
    W = np.diag(np.diag(laplacian)) - laplacian
    assert (W.diagonal() == 0).all()
    assert (W.sum(axis=1) >= 3).all()
    assert not W[np.not_equal.outer(points.ravel(), points.ravel())].any()


def test_many_samples_have_near_neighbours_and_the_same_clusters(monkeypatch):
    data = blobs(400, dims=(6, 8), missing=0.3, seed=3)
    monkeypatch.setattr("mvarena.numerics.neighbours._ALL_COMPARED", 50)
    for view, seen in zip(data.views, data.mask.T, strict=True):
        L = neighbour_laplacian(view.matrix, seen, 3)
        assert abs(L - L.T).max() == 0
        assert abs(L.sum(axis=1)).max() == 0
        assert not L.diagonal()[~seen].any()
        assert (L.diagonal()[seen] >= 3).all()
    assert adjusted_rand_score(data.labels, PIMVC(random_state=0).fit(data).labels_) > 0.9


def test_of_many_rows_those_far_from_all_others_may_have_fewer_neighbours(monkeypatch):
    monkeypatch.setattr("mvarena.numerics.neighbours._ALL_COMPARED", 50)
    rng = np.random.default_rng(0)
    points = 1e-3 * rng.normal(size=(2_000, 3))
    points[:200] = 1e4 * rng.normal(size=(200, 3))  # in cells of a few rows
    laplacian = neighbour_laplacian(points, np.ones(len(points), dtype=bool), 7)
    np.testing.assert_array_equal(laplacian.sum(axis=1), 0.0)
    assert laplacian.diagonal().min() < 7 <= np.median(laplacian.diagonal())
