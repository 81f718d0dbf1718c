"""gaussian-kernel: features or distances to similarities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Positive
from mvarena.data import MultiViewData, View
from mvarena.numerics.kernels import gaussian, median_distance, squared_distances


def gaussian_kernel(data: MultiViewData, *, sigma: Positive | None = None) -> MultiViewData:
    """Each view as a kernel exp(-d^2 / (2 sigma^2)).

    sigma : the same length for every view; None: for each the median distance between its observed samples.

    d is the Euclidean distance of features, or a distance view's own entry; kernel views stay as they are. Where more
    than half of the pairs coincide the median is 0, and the kernel its limit: 1 at distance 0 and 0 elsewhere. Rows
    and columns of missing samples are zero. Cost O(n^2 d) time, O(n^2) memory per view.
    """
    return data.with_views([_as_kernel(view, data.mask[:, i], sigma) for i, view in enumerate(data.views)])


def _as_kernel(view: View, observed: NDArray[np.bool_], sigma: float | None) -> View:
    if view.kind == "kernel":
        return view
    seen = np.flatnonzero(observed)
    if view.kind == "features":
        points = view.matrix[seen]
        sigma = median_distance(points) if sigma is None else sigma
        squared = squared_distances(points)
    else:
        block = view.matrix[seen][:, seen]
        distances = np.asarray(block.toarray() if view.is_sparse else block)
        if sigma is None:
            pairs = distances[np.triu_indices(len(seen), k=1)]
            sigma = float(np.median(pairs)) if pairs.size else 0.0
        squared = distances**2
    kernel = np.zeros((view.n_samples, view.n_samples))
    kernel[np.ix_(seen, seen)] = gaussian(squared, 2 * sigma**2)
    return View(view.name, kernel, "kernel")
