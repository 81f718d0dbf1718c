"""Anchors of a view, dense or sparse: centres of k-means runs, whole or short ones."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.assignment import canonical_order, with_short_indices
from mvarena.numerics.kernels import cached_blocks, inner_products, squared_norms
from mvarena.numerics.scaling import unit_rows

# from so many rows on, restarts see a sample, of so many rows
_SAMPLED = 20_000


def cluster_means(X: Any, r: int, *, restarts: int = 10) -> NDArray[np.float64]:
    """The centres (at most r, d) that the k-means run of lowest inertia finds on the rows of X (n, d), dense or CSR.

    Seeds are fixed and rows are put in an order of their values, so that where they stand changes nothing. Of fewer
    rows that differ than r, each is a centre. Of more than 20,000 rows the restarts see a sample, and one run on all
    rows goes on from the best. A sparse X stays sparse. Cost O(nnz r) per Lloyd step of that run.
    """
    from sklearn.cluster import KMeans  # takes long, and planning needs none
    from sklearn.exceptions import ConvergenceWarning

    order = canonical_order(X)
    if len(order) > _SAMPLED:
        drawn = np.sort(np.random.default_rng(0).choice(len(order), _SAMPLED, replace=False))
        start = cluster_means(X[order[drawn]], r, restarts=restarts)
        return _means(X, _lloyd(X, start))
    points = with_short_indices(X[order])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of rows that differ there may be fewer than r
        labels = KMeans(min(r, points.shape[0]), n_init=restarts, random_state=0).fit(points).labels_
    return _means(points, labels)


def _lloyd(X: Any, start: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n,) the labels that Lloyd's steps end at, from the centres `start` (r, d)."""
    from sklearn.cluster import KMeans

    model = KMeans(len(start), init=start, n_init=1, random_state=0).fit(with_short_indices(X))
    return np.asarray(model.labels_, dtype=np.int64)


def _means(X: Any, labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """The means (r', d) of the rows of each label that occurs."""
    occurring, labels = np.unique(labels, return_inverse=True)
    return _lloyd_means(X, labels, np.zeros((len(occurring), X.shape[1])))


# A few steps of k-means from rows that are drawn, where anchors or an ensemble's clusterings are asked for.


def short_kmeans(
    points: Any, k: int, steps: int, rng: np.random.Generator, *, cosine: bool = False
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Labels (n,) and centres (k', d) after `steps` Lloyd steps from k distinct rows (all, where n < k) of `points`.

    Parameters
    ----------
    points : (n, d) dense or CSR. cosine : by the angle between rows and centres, for rows of unit length.

    A cluster that empties keeps its centre. Cost O(nnz k) per step, memory O(n + k d) and a block of rows.
    """
    n = points.shape[0]
    drawn = points[np.sort(rng.choice(n, min(k, n), replace=False))]
    centres = drawn.toarray() if sparse.issparse(drawn) else np.array(drawn)
    labels = nearest_centre(points, centres, cosine=cosine)
    for _ in range(steps):
        centres = _lloyd_means(points, labels, centres)
        if cosine:
            centres = unit_rows(centres)
        labels = nearest_centre(points, centres, cosine=cosine)
    return labels, centres


def nearest_centre(points: Any, centres: NDArray[Any], *, cosine: bool = False) -> NDArray[np.int64]:
    """(n,) the nearest row of `centres` to each row of `points`, the first of those equally near. Cost O(nnz k)."""
    offset: Any = 0.0 if cosine else squared_norms(centres) / 2
    labels = np.empty(points.shape[0], dtype=np.int64)
    for rows in cached_blocks(len(labels), max(len(centres), 64)):
        labels[rows] = np.argmax(inner_products(points[rows], centres) - offset, axis=1)
    return labels


def _lloyd_means(points: Any, labels: NDArray[np.int64], centres: NDArray[Any]) -> NDArray[Any]:
    """The means (k, d) of the rows of each label, of the type of `centres`; a centre stays where it has no row."""
    n, k = len(labels), len(centres)
    members = sparse.csc_array((np.ones(n, dtype=centres.dtype), labels, np.arange(n + 1)), shape=(k, n))
    sums = members @ points
    counts = np.bincount(labels, minlength=k)[:, None]
    means = (sums.toarray() if sparse.issparse(sums) else sums) / np.maximum(counts, 1)
    return np.where(counts > 0, means, centres).astype(centres.dtype, copy=False)
