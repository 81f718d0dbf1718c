"""APMC on one pair of views: similarities of all samples to the anchors, and the embedding they give."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.algorithms.reach import Reach, wide_reach
from mvarena.numerics.neighbours import mean_reach, nearest_rows, neighbour_graph
from mvarena.numerics.scaling import scale_columns
from mvarena.numerics.spectral import NO_RANK, inverse_square_root, top_eigenvectors

# up to so many anchors the matrix R (l, l) is formed: 72 MB
_SMALL = 3_000
# a similarity below is none: the authors' program drops it, and would have rounding noise decide on edges otherwise
_NO_EDGE = 1e-10


def anchor_similarities(
    points: Any, anchors: Any, m: int, reach: Reach
) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
    """Eq. 1: Gaussian similarities of each row to its m nearest anchors, summing to 1, and the reach used.

    Parameters
    ----------
    points : (r, d) observed rows of a view. anchors : (l, d). m : neighbours, all anchors where l < m.
    reach : of exp(-d^2 / reach^2); "all": twice the root mean square distance to all anchors; "nearest": the mean
        distance to the m-th nearest one.

    Returns anchor indices (r, min(m, l)), similarities of the same shape, reach. Time O(r l d), memory O(r m).
    """
    nearest, squared = nearest_rows(points, anchors, m)
    if reach == "all":
        reach = wide_reach(points, anchors)
    elif reach == "nearest":
        reach = mean_reach(squared)
    # the nearest anchor's similarity is the unit: no row can underflow, and the division cancels it out
    squared -= squared[:, :1]
    scale = reach**2
    if scale > 0:
        squared /= -scale
        weights = np.exp(squared, out=squared)
    else:
        weights = np.asarray(squared == 0, dtype=np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    weights[weights < _NO_EDGE] = 0.0
    return nearest, weights, float(reach)


def pair_graph(
    views: tuple[Any, Any], mask: NDArray[np.bool_], anchors: tuple[Any, Any], m: int, reach: Reach
) -> tuple[sparse.csr_array, tuple[float, float]]:
    """Z (n, l) of section 3.3 and the reaches of the two views.

    Parameters
    ----------
    views, anchors : of both views, (n, d_v) and (l, d_v). mask : (n, 2) which view observes which sample.

    Rows sum to 1; a sample in both views has the mean of its two rows, one in neither an empty row.
    """
    shares = mask / np.maximum(mask.sum(axis=1, keepdims=True), 1)
    (first, first_reach), (second, second_reach) = (
        _view_graph(views[v], np.flatnonzero(mask[:, v]), anchors[v], m, reach, shares[:, v]) for v in range(2)
    )
    return sparse.csr_array(first + second), (first_reach, second_reach)


def _view_graph(
    view: Any, rows: NDArray[np.int64], anchors: Any, m: int, reach: Reach, shares: NDArray[np.float64]
) -> tuple[sparse.csr_array, float]:
    """One view's part of Z (n, l) and its reach; all else that it takes is let go of."""
    n = len(shares)
    nearest, weights, used = anchor_similarities(view if len(rows) == n else view[rows], anchors, m, reach)
    weights *= shares[rows, None]
    return neighbour_graph(nearest, weights, anchors.shape[0], rows, n), used


def balanced(graph: sparse.csr_array) -> sparse.csr_array:
    """A = Z Lambda^-1/2 (n, l'), so that S = A A^T, without the anchors that nobody chose."""
    loads = np.asarray(graph.sum(axis=0)).ravel()
    kept = np.flatnonzero(loads > 0)
    graph = graph if len(kept) == len(loads) else sparse.csr_array(graph[:, kept])
    return sparse.csr_array(scale_columns(graph, inverse_square_root(loads[kept])))


def left_singular_vectors(A: sparse.csr_array, k: int) -> NDArray[np.float64]:
    """F = A B Theta^-1/2 (n, k): the top k eigenvectors of S = A A^T through those of R = A^T A (section 3.4).

    The first one is constant. Where A has a rank below k, so many columns. Cost: O(n m^2) to form R (l, l), or,
    with many anchors, O(k) products with A.
    """
    n_anchors = A.shape[1]
    if n_anchors <= _SMALL:
        R: Any = (A.T @ A).toarray()
    else:
        transposed = sparse.csr_array(A.T)
        R = LinearOperator((n_anchors, n_anchors), matvec=lambda x: transposed @ (A @ x), dtype=np.float64)
    theta, B = top_eigenvectors(R, k)
    real = theta > NO_RANK * theta[0]
    return np.asarray((A @ B[:, real]) / np.sqrt(theta[real]))
