"""Example data: groups of samples that every view shows, in whatever form a component takes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse as sp

from mvarena.data import Kind, MultiViewData, View
from mvarena.numerics.kernels import gaussian, squared_distances

KINDS: tuple[Kind, ...] = ("features", "kernel", "distance")


def blobs(
    n_samples: int = 60,
    *,
    dims: Sequence[int] = (5, 8),
    n_clusters: int = 3,
    missing: float = 0.0,
    spread: float = 6.0,
    seed: int = 0,
    kind: Kind = "features",
    nonnegative: bool = False,
    sparse: bool = False,
) -> MultiViewData:
    """Labelled Gaussian groups of almost equal size, drawn anew for each view; the samples are in random order.

    Parameters
    ----------
    dims : features of each view. spread : standard deviation of the centres, where that of a group is 1.
    missing : share of the samples that each view misses at random; every sample stays in at least one view.
    kind : features, Gaussian kernels of them, or the distances between them.
    nonnegative : whether features are shifted to be at least 0. sparse : whether views are CSR.

    A missing row holds zeros. The name of the data is "blobs", those of the views are v0, v1, ...
    """
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n_samples) % n_clusters)
    mask = rng.random((n_samples, len(dims))) >= missing
    mask[np.arange(n_samples), rng.integers(0, len(dims), n_samples)] = True
    views = []
    for i, d in enumerate(dims):
        points = spread * rng.standard_normal((n_clusters, d))[labels] + rng.standard_normal((n_samples, d))
        points = points - points.min() if nonnegative else points
        matrix = points
        if kind != "features":
            squared = squared_distances(points)
            matrix = np.sqrt(squared) if kind == "distance" else gaussian(squared, 2.0 * d * spread)
        seen = mask[:, i]
        matrix = np.where(seen[:, None] if kind == "features" else np.outer(seen, seen), matrix, 0.0)
        views.append(View(f"v{i}", sp.csr_array(matrix) if sparse else matrix, kind))
    return MultiViewData("blobs", tuple(views), mask, labels)


def word_counts(
    n_samples: int, n_words: int, *, n_views: int = 2, per_sample: int = 12, seed: int = 0
) -> MultiViewData:
    """Sparse counts of words of three topics: CSR views with at most `per_sample` entries in a row, none empty."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n_samples) % 3)
    topics = [np.arange(topic, n_words, 3) for topic in range(3)]
    rows = np.repeat(np.arange(n_samples), per_sample)
    views = []
    for i in range(n_views):
        words = np.concatenate(
            [topics[label][rng.integers(0, len(topics[label]) // 2, per_sample)] for label in labels]
        )
        counts = sp.csr_array((np.ones(len(rows)), (rows, words)), shape=(n_samples, n_words))
        views.append(View(f"v{i}", counts))
    return MultiViewData("words", tuple(views), labels=labels)
