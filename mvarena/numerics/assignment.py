"""From a representation to clusters: k-means restarts on an embedding, spectral clustering of an affinity.

Rows are put in a canonical order before k-means draws its centres, so a permutation of the samples permutes the
labels and nothing else, and an order sorted by class cannot leak into the starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.kernels import row_blocks
from mvarena.numerics.kmeans import Labelling, kmeans_runs
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import normalized_embedding

# k-means cannot tell rows apart that differ by less than about 1e-7 of the largest entry. The unit is no round
# number, so that values such as 2^-9 do not lie on the border between two cells
_CELLS = 1_234_567.0


def canonical_order(*matrices: Any) -> NDArray[np.int64]:
    """An order of the rows that depends on their values, not on where they stand.

    Parameters
    ----------
    matrices : one or more (n, d) matrices, dense or CSR, whose rows belong together.

    Rows are ordered by two fixed random projections, each column counted at its own scale. Projections are
    compared at 8 digits, so rounding noise does not reorder rows except where they all but tie. Cost O(n d).
    """
    rng = np.random.default_rng(0)
    keys = np.zeros((matrices[0].shape[0], 2))
    for matrix in matrices:
        scale = _largest_entries(matrix)
        directions = rng.standard_normal((matrix.shape[1], 2)) / np.where(scale > 0, scale, 1.0)[:, None]
        keys += np.asarray(matrix @ directions)
    rounded = np.rint(keys / max(float(np.abs(keys).max()), np.finfo(float).tiny) * 1e8)
    return np.lexsort(rounded.T[::-1])


def with_short_indices(matrix: Any) -> Any:
    """The matrix with 32-bit indices if it is sparse and they suffice: k-means of scikit-learn takes no others."""
    if not sparse.issparse(matrix) or max(matrix.nnz, *matrix.shape) > np.iinfo(np.int32).max:
        return matrix
    indices, indptr = matrix.indices.astype(np.int32, copy=False), matrix.indptr.astype(np.int32, copy=False)
    return sparse.csr_array((matrix.data, indices, indptr), shape=matrix.shape)


def _largest_entries(matrix: Any) -> NDArray[np.float64]:
    """(d,) largest magnitude in each column."""
    if sparse.issparse(matrix):
        return np.asarray(abs(matrix).max(axis=0).toarray()).ravel()
    return np.maximum(matrix.max(axis=0), -matrix.min(axis=0))


def assign_embedding(
    embedding: Any, n_clusters: int, seeds: Sequence[int], *, unit_length: bool = False
) -> list[Labelling]:
    """One k-means run (k-means++ start, Lloyd) per seed on the rows of `embedding` (n, p), dense or CSR.

    Each run equals a stand-alone run with its seed. Where the rows have fewer distinct values than
    `n_clusters`, the surplus clusters stay empty. Cost O(n p k) per Lloyd step; memory: a copy of the embedding.
    """
    points = unit_embedding(embedding) if unit_length else embedding
    order = canonical_order(points)
    ordered = with_short_indices(points[order])
    n_centres = _distinct_rows(ordered, at_most=n_clusters)
    position = np.argsort(order)
    return [Labelling(run.labels[position], run.inertia) for run in kmeans_runs(ordered, n_centres, seeds)]


def _distinct_rows(points: Any, at_most: int) -> int:
    """Number of different rows that k-means can distinguish, counted up to `at_most`."""
    largest = float(abs(points).max())
    if largest == 0:
        return 1
    seen: set[bytes] = set()
    for rows in row_blocks(points.shape[0], points.shape[1]):
        block = points[rows]
        cells = np.rint((block.toarray() if sparse.issparse(block) else block) * (_CELLS / largest)) + 0.0
        for row in cells:
            seen.add(row.tobytes())
            if len(seen) >= at_most:
                return at_most
    return len(seen)


def assign_affinity(affinity: Any, n_clusters: int, seeds: Sequence[int]) -> list[Labelling]:
    """Normalised spectral clustering (Ng, Jordan and Weiss 2001) of an (n, n) affinity, one k-means run per seed."""
    return assign_embedding(normalized_embedding(affinity, n_clusters), n_clusters, seeds, unit_length=True)
