"""fill-knn: what a sample's nearest neighbours in the other views show stands in for what it misses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData, View
from mvarena.numerics.kernels import row_blocks, squared_distances, squared_norms
from mvarena.transforms.substitutes import with_substitutes

_TIED = 1 + 1e-9  # distances that differ by rounding alone are the same: order must not decide who is a neighbour


def fill_knn(data: MultiViewData, *, n_neighbors: Count = 7) -> MultiViewData:
    """The data with every missing row replaced by the mean row of its nearest neighbours; complete afterwards.

    n_neighbors : of the samples that the view observes; all at the distance of the last one count.

    The squared distance of two samples is its mean over the views that observe both, in each in units of the mean over
    all pairs. A sample that shares no view with any that the view observes gets their mean. Kernels and distances are
    filled as the features behind them would be. Cost O(m n d) per view with m missing rows; its weights take O(n).
    """
    views = [_filled(data, i, n_neighbors) if not data.mask[:, i].all() else view for i, view in enumerate(data.views)]
    return data.with_views(views, mask=np.ones_like(data.mask))


def _filled(data: MultiViewData, index: int, n_neighbors: int) -> View:
    seen = data.mask[:, index]
    missing, observed = np.flatnonzero(~seen), np.flatnonzero(seen)
    blocks = [missing[rows] for rows in row_blocks(len(missing), 3 * len(observed))]
    weights = sparse.vstack(
        [_weights(_distances(data, block, observed), n_neighbors) for block in blocks], format="csr"
    )
    return with_substitutes(data.views[index], seen, sparse.csr_array(weights))


def _distances(data: MultiViewData, missing: NDArray[np.int64], observed: NDArray[np.int64]) -> NDArray[np.float64]:
    """Between the samples `missing` and `observed`, over the views that both are seen in; infinite without such."""
    total, shared = np.zeros((len(missing), len(observed))), np.zeros((len(missing), len(observed)))
    for view, mask in zip(data.views, data.mask.T, strict=True):
        rows, columns = mask[missing], mask[observed]
        if not (rows.any() and columns.any()):
            continue
        place = np.ix_(rows, columns)
        total[place] += _relative_distances(view, mask, missing[rows], observed[columns])
        shared[place] += 1
    return np.divide(total, shared, out=np.full_like(total, np.inf), where=shared > 0)


def _weights(distances: NDArray[np.float64], n_neighbors: int) -> sparse.csr_array:
    last = np.partition(distances, min(n_neighbors, distances.shape[1]) - 1, axis=1)
    limit = last[:, [min(n_neighbors, distances.shape[1]) - 1]]
    # a row of fewer known distances takes all that are known; one without any takes everybody
    known = np.isfinite(distances)
    near = np.where(known.any(axis=1, keepdims=True), known & (distances <= limit * _TIED), True)
    return sparse.csr_array(near / near.sum(axis=1, keepdims=True))


def _relative_distances(
    view: View, seen: NDArray[np.bool_], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Squared distances between the samples `rows` and `columns`, over the mean of all pairs of observed samples."""
    matrix: Any = view.matrix
    if view.kind == "features":
        points = matrix[np.flatnonzero(seen)]
        centre = np.asarray(points.mean(axis=0)).ravel()
        mean = 2 * (float(squared_norms(points).mean()) - float(centre @ centre))
        squared = squared_distances(matrix[rows], matrix[columns])
    else:
        dense = matrix.toarray() if view.is_sparse else matrix
        block = dense[np.ix_(seen, seen)]
        diagonal = dense.diagonal()
        if view.kind == "kernel":
            mean = 2 * float(block.diagonal().mean() - block.mean())
            squared = np.maximum(diagonal[rows][:, None] + diagonal[columns] - 2 * dense[np.ix_(rows, columns)], 0)
        else:
            mean, squared = float((block**2).mean()), dense[np.ix_(rows, columns)] ** 2
    return np.asarray(squared / mean) if mean > 0 else np.zeros_like(squared)
