"""Stand-ins for missing samples: fill-mean, fill-knn, fill-zero."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.numerics.kernels import row_blocks, squared_distances, squared_norms


def fill_mean(data: MultiViewData) -> MultiViewData:
    """The data with every missing row replaced by the mean of its view's observed rows; complete afterwards.

    A sparse view stays CSR, but each filled row stores as many entries as the view has used columns: a view of n_u
    missing rows grows by n_u d entries at worst. Complete views stay as they are. In a kernel the mean is that of
    feature space, in a distance view that of the points behind it. Cost O(n d) per view, O(n^2) for n x n ones.
    Source: Shao, He and Yu, ECML PKDD 2015, Algorithm 1 step 1.
    """
    if data.is_complete:
        return data
    views = []
    for i, view in enumerate(data.views):
        missing = ~data.mask[:, i]
        if missing.any() and view.kind != "features":
            n_observed = int((~missing).sum())
            view = with_substitutes(view, ~missing, np.full((int(missing.sum()), n_observed), 1 / n_observed))
        elif missing.any():
            # missing rows are zero in the matrix, so they add nothing to the sum
            mean = np.asarray(view.matrix.sum(axis=0)).ravel() / (~missing).sum()
            if view.is_sparse:
                column = sparse.csr_array(missing.astype(np.float64)[:, None])
                matrix = sparse.csr_array(view.matrix + column @ sparse.csr_array(mean[None, :]))
            else:
                matrix = np.where(missing[:, None], mean, view.matrix)
            view = replace(view, matrix=matrix)
        views.append(view)
    return data.with_views(views, mask=np.ones_like(data.mask))


# fill-knn: what a sample's nearest neighbours in the other views show stands in for what it misses.

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
        position = np.ix_(rows, columns)
        total[position] += _relative_distances(view, mask, missing[rows], observed[columns])
        shared[position] += 1
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


# fill-zero: zeros stand in for the missing rows.


def fill_zero(data: MultiViewData) -> MultiViewData:
    """The data with every missing row replaced by zeros; complete afterwards.

    In a kernel a missing sample is then similar to nothing, itself included. Raises Incompatible if a distance view
    misses samples: a distance of zero would make them all the same. Cost O(1).
    """
    for view, observed in zip(data.views, data.mask.T, strict=True):
        if view.kind == "distance" and not observed.all():
            raise Incompatible(
                f"fill-zero cannot fill view '{view.name}' of {data.name}: it holds distances, of which zero means "
                "the same; fill with fill-mean or fill-knn."
            )
    return data.with_views(data.views, mask=np.ones_like(data.mask))


# Stand-ins for missing samples: weighted means of observed ones, in a view of any kind.


def with_substitutes(view: View, seen: NDArray[np.bool_], weights: Any) -> View:
    """The view with the sample that row i of `weights` makes of the observed ones in its i-th missing row.

    Parameters
    ----------
    seen : (n,) True where the view observes the sample, s of them.
    weights : (n - s, s), dense or CSR, each row of sum 1.

    In a kernel the mean is taken in feature space: K_mo = W K_oo and K_mm = W K_oo W^T. In a distance view it is taken
    between the points whose Euclidean distances those are, where there are such points; what comes out negative is 0.
    Sparse features stay CSR; a sparse kernel or distance view becomes dense. Cost O(n s d) for features, else O(n s^2).
    """
    observed, missing = np.flatnonzero(seen), np.flatnonzero(~seen)
    if view.kind == "features":
        return replace(view, matrix=_with_rows(view.matrix, observed, missing, weights))
    full = view.matrix.toarray() if view.is_sparse else np.array(view.matrix)
    block = full[np.ix_(observed, observed)]
    block = block if view.kind == "kernel" else -(block**2) / 2
    across = weights @ block
    between = across @ weights.T
    between = (between + between.T) / 2
    if view.kind == "distance":
        # -d^2 / 2 is the product of two points less half of each one's square, and squares are not linear in weights
        own = between.diagonal().copy()
        across = across - own[:, None] / 2
        between = between - own[:, None] / 2 - own / 2
        across, between = np.sqrt(np.maximum(-2 * across, 0)), np.sqrt(np.maximum(-2 * between, 0))
        np.fill_diagonal(between, 0.0)
    full[np.ix_(missing, observed)] = across
    full[np.ix_(observed, missing)] = across.T
    full[np.ix_(missing, missing)] = between
    return replace(view, matrix=full)


def _with_rows(matrix: Any, observed: NDArray[np.int64], missing: NDArray[np.int64], weights: Any) -> Any:
    if sparse.issparse(matrix):
        stacked = sparse.vstack([matrix[observed], sparse.csr_array(weights) @ matrix[observed]], format="csr")
        return sparse.csr_array(stacked)[np.argsort(np.concatenate([observed, missing]))]
    filled = matrix.copy()
    filled[missing] = weights @ matrix[observed]
    return filled
