"""The anchors of APMC: samples that both views of a pair observe, or representatives of them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.kernels import squared_norms

Choice = Literal["random", "kmeans"]


def choose_anchors(
    first: Any,
    second: Any,
    common: NDArray[np.int64],
    n_anchors: int | None,
    choice: Choice,
    rng: np.random.Generator,
) -> tuple[Any, Any]:
    """The anchors as they look in either view: (l, d_1) and (l, d_2), row by row the same anchor.

    Parameters
    ----------
    first, second : the two views, (n, d_v) dense or CSR. common : rows that both observe.
    n_anchors : None for all common rows (section 3.3), otherwise at most so many of them.
    choice : drawn at random, or the centres of a mini-batch k-means on both views (the paper's footnote 1).

    Cost of "kmeans": O(l d) per common row and pass, with a copy of the common rows.
    """
    if n_anchors is None or n_anchors >= len(common):
        return first[common], second[common]
    if choice == "random":
        drawn = np.sort(rng.choice(common, n_anchors, replace=False))
        return first[drawn], second[drawn]
    return _centres(first[common], second[common], n_anchors, int(rng.integers(2**31)))


def _centres(first: Any, second: Any, n_anchors: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from sklearn.cluster import MiniBatchKMeans  # takes long, and planning needs none

    spreads = [_spread(first), _spread(second)]
    parts = [first / spreads[0], second / spreads[1]]
    both = sparse.hstack(parts, format="csr") if any(map(sparse.issparse, parts)) else np.hstack(parts)
    model = MiniBatchKMeans(n_anchors, n_init=1, random_state=seed).fit(both)
    centres = np.asarray(model.cluster_centers_, dtype=np.float64)
    width = first.shape[1]
    return centres[:, :width] * spreads[0], centres[:, width:] * spreads[1]


def _spread(points: Any) -> float:
    """Root mean square distance from the mean row, so that neither view outweighs the other; 1 if all rows agree."""
    mean = np.asarray(points.mean(axis=0)).ravel()
    variance = float(squared_norms(points).mean() - mean @ mean)
    return float(np.sqrt(variance)) if variance > 1e-12 * float(mean @ mean) else 1.0
