"""The centres of clusters, where it is not the clusters that are asked for: anchors of a view, dense or sparse."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.assignment import canonical_order


def cluster_means(X: Any, r: int, *, restarts: int = 10) -> NDArray[np.float64]:
    """The centres (at most r, d) that the k-means run of lowest inertia finds on the rows of X (n, d), dense or CSR.

    Seeds are fixed and rows are put in an order of their values, so that where they stand changes nothing. Of fewer
    rows that differ than r, each is a centre. A sparse X stays sparse. Cost O(restarts nnz r) per Lloyd step.
    """
    from sklearn.cluster import KMeans  # takes long, and planning needs none
    from sklearn.exceptions import ConvergenceWarning

    points = X[canonical_order(X)]
    if sparse.issparse(points) and max(points.nnz, *points.shape) <= np.iinfo(np.int32).max:
        # k-means takes no others
        indices, indptr = points.indices.astype(np.int32), points.indptr.astype(np.int32)
        points = sparse.csr_array((points.data, indices, indptr), shape=points.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of rows that differ there may be fewer than r
        labels = KMeans(min(r, points.shape[0]), n_init=restarts, random_state=0).fit(points).labels_
    _, labels, counts = np.unique(labels, return_inverse=True, return_counts=True)
    return np.asarray(points.T @ np.eye(len(counts))[labels]).T / counts[:, None]
