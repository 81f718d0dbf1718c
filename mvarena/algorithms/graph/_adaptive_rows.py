"""Rows of adaptive neighbours, on the simplex: the graphs that PIC and GMC begin with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import View
from mvarena.numerics import kernels

Square = NDArray[np.float64]

_EQUALLY_NEAR = 1e-12


def adaptive_rows(squared: Square, n_neighbors: int) -> Square:
    """(n, n) rows that sum to 1: s_j = (d_(m+1) - d_j) / (m d_(m+1) - sum_(j <= m) d_j) for the m nearest others.

    squared : (n, n) squared distances; it is overwritten. d_(m+1) : the distance to the next one after them. With fewer
    than m + 2 samples, m is n - 2; below 3 samples each has the others as neighbours. A sample whose m + 1 nearest are
    all equally near shares its row among all that are. Cost O(n^2), 1 n^2. Source: Nie, Wang and Huang, KDD 2014.
    """
    n = len(squared)
    m = min(n_neighbors, n - 2)
    np.fill_diagonal(squared, np.inf)
    if m < 1:
        return np.ones((n, n)) - np.eye(n)
    for rows in kernels.cached_blocks(n):
        block = squared[rows]
        next_one = np.partition(block, m, axis=1)[:, m, None]
        alone = np.partition(block, 0, axis=1)[:, 0, None] >= next_one * (1 - _EQUALLY_NEAR)
        equal = (block <= next_one * (1 + _EQUALLY_NEAR)).astype(np.float64)
        gaps = np.maximum(next_one - block, 0.0)
        gaps[gaps <= _EQUALLY_NEAR * next_one] = 0.0
        chosen = np.where(alone, equal, gaps)
        block[:] = chosen / chosen.sum(axis=1, keepdims=True)
    return squared


def standard_sample_distances(view: View) -> Square:
    """(n, n) squared distances between samples of which each is standardised over its d features.

    (x - mean(x)) / std(x) with the sample's own mean and standard deviation (d - 1 in its denominator): the squared
    distance is 2 (d - 1) (1 - r) for the correlation r of the two rows. A row of equal values has none and correlates
    with nothing. Sparse rows stay sparse. Cost O(n^2 d).
    """
    X: Any = view.matrix
    d = view.n_features
    means = np.asarray(X.mean(axis=1)).ravel()
    products = kernels.inner_products(X, X) - d * np.outer(means, means)
    lengths = np.sqrt(np.maximum(products.diagonal(), 0.0))
    norms = np.sqrt(kernels.squared_norms(X))
    flat = lengths <= 1e-7 * norms
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=~flat)
    products *= scale[:, None]
    products *= scale
    return np.asarray(np.maximum(2.0 * max(d - 1, 1) * (1.0 - products), 0.0))
