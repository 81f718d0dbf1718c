"""A low-rank embedding of incomplete views that missing rows do not pull towards zero, and clusters in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.assignment import assign_embedding
from mvarena.numerics.nmf import leading_singular_triples, side_by_side

Array = NDArray[np.float64]

_ROUNDS = 15
_RESTARTS = 10
# share of the mean diagonal that draws what a sample's few views leave open towards zero, not towards outliers
_RIDGE = 0.1


def masked_embedding(views: Sequence[Any], mask: NDArray[np.bool_], k: int) -> Array:
    """E (n, r), r <= k: rows whose distances are those of the rank-r fit of all views, observed or not.

    Parameters
    ----------
    views : (n, d_v), dense or CSR, zero rows where missing. mask : (n, n_views).

    Alternating least squares of sum_v |W_v (X_v - E B_v^T)|^2, from the singular vectors of the zero-filled views.
    Deterministic; a permutation of samples permutes rows. Cost: O(_ROUNDS (nnz k + n V k^2)), one solve per pattern.
    """
    left, values, _ = leading_singular_triples(side_by_side(views), k)
    E = left * values
    patterns, membership = np.unique(mask, axis=0, return_inverse=True)
    grams: list[Array] = []
    for _ in range(_ROUNDS):
        bases = [
            _solve(E.T @ (observed[:, None] * E), np.asarray(X.T @ E))
            for X, observed in zip(views, mask.T, strict=True)
        ]
        grams = [B.T @ B for B in bases]
        product = np.sum([np.asarray(X @ B) for X, B in zip(views, bases, strict=True)], axis=0)
        for i, pattern in enumerate(patterns):
            rows = membership.ravel() == i
            seen = np.sum([gram for gram, use in zip(grams, pattern, strict=True) if use], axis=0)
            E[rows] = _solve(seen, product[rows])
    strengths, axes = np.linalg.eigh(np.sum(grams, axis=0))
    return np.asarray((E @ axes) * np.sqrt(np.maximum(strengths, 0.0)))


def _solve(gram: Array, product: Array) -> Array:
    """product gram^-1, slightly ridged. Of a zero system the solution is zero."""
    size = len(gram)
    ridge = _RIDGE * float(np.trace(gram)) / max(size, 1)
    return np.asarray(np.linalg.solve(gram + (ridge if ridge > 0 else 1.0) * np.eye(size), product.T).T)


def masked_clusters(views: Sequence[Any], mask: NDArray[np.bool_], k: int) -> NDArray[np.int64]:
    """(n,) k-means labels of `masked_embedding`, numbered by the embedding, not by the order of the samples."""
    E = masked_embedding(views, mask, k)
    labels = min(assign_embedding(E, k, range(_RESTARTS)), key=lambda run: run.inertia).labels
    # numbered along the fit's strongest direction, whose sign is fixed by the data
    strongest = E[:, -1] if E.shape[1] else np.zeros(len(E))
    counts = np.maximum(np.bincount(labels, minlength=k), 1)
    means = np.bincount(labels, weights=strongest, minlength=k) / counts
    rank = np.empty(k, dtype=np.int64)
    rank[np.argsort(means, kind="stable")] = np.arange(k)
    return rank[labels]
