"""Davies-Bouldin and Calinski-Harabasz: spread within clusters against distance between their centroids."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.metric import Space
from mvarena.numerics.kernels import row_blocks, squared_distances


def davies_bouldin_in(space: Space, codes: NDArray[np.int64]) -> float:
    """Mean over clusters i of the largest (S_i + S_j) / M_ij; lower is better, 0 is best.

    S is a cluster's mean distance to its centroid, M the distance between centroids. Infinite where two centroids
    coincide: such clusters are not apart at all.

    Parameters
    ----------
    space : m samples. codes : (m,) cluster indices from 0, two clusters at least.

    Cost O(m p k). Source: Davies and Bouldin, IEEE TPAMI 1979.
    """
    centroids, to_own = _centroids(space, codes)
    spread = np.bincount(codes, weights=np.sqrt(to_own)) / np.bincount(codes)
    apart = np.sqrt(squared_distances(centroids))
    np.fill_diagonal(apart, np.nan)
    both = spread[:, None] + spread[None, :]
    ratios = np.divide(both, apart, out=np.full_like(both, np.inf), where=apart != 0)
    return float(np.nanmax(ratios, axis=1).mean())


def calinski_harabasz_in(space: Space, codes: NDArray[np.int64]) -> float:
    """(between / (k - 1)) / (within / (m - k)): the ratio of the two sums of squares, each per degree of freedom.

    NaN where every sample is a cluster of its own, infinite where clusters are single points.

    Parameters
    ----------
    space : m samples. codes : (m,) cluster indices from 0, two clusters at least.

    Cost O(m p k). Source: Calinski and Harabasz, Communications in Statistics 1974.
    """
    sizes = np.bincount(codes)
    m, k = len(codes), len(sizes)
    if m == k:
        return math.nan
    centroids, to_own = _centroids(space, codes)
    within = float(to_own.sum())
    mean = sizes @ centroids / m
    between = float(sizes @ ((centroids - mean) ** 2).sum(axis=1))
    if within == 0:
        return math.inf if between > 0 else math.nan
    return (between / (k - 1)) / (within / (m - k))


def memberships(codes: NDArray[np.int64]) -> Any:
    """(k, m) CSR with a 1 for each sample in the row of its cluster: times a matrix, it sums rows by cluster."""
    m = len(codes)
    return sparse.csr_array((np.ones(m), (codes, np.arange(m))), shape=(int(codes.max()) + 1, m))


def _centroids(space: Space, codes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(k, p) the clusters' means, and (m,) each sample's squared distance to its own."""
    sums = memberships(codes) @ space.matrix
    centroids = np.asarray(sums.toarray() if sparse.issparse(sums) else sums) / np.bincount(codes)[:, None]
    to_own = np.empty(len(codes))
    for rows in row_blocks(len(codes), max(centroids.shape)):
        block = squared_distances(space.matrix[rows], centroids)
        to_own[rows] = block[np.arange(len(block)), codes[rows]]
    return centroids, to_own
