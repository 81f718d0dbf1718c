"""APMC on several pairs of views: the mean similarity over the pairs in which both samples appear, as an operator.

Samples that appear in the same pairs form a group. Between two groups the pairs to average over are the same for
all samples, so the fused S is a sum over pairs of low-rank parts, weighted group by group: no n x n matrix.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.spectral import NO_RANK, inverse_square_root, top_eigenvectors


class FusedSimilarity(LinearOperator):  # type: ignore[misc]
    """S (n, n) of section 4.2: S_ij = mean over the pairs p in which i and j both appear of (A_p A_p^T)_ij.

    Parameters
    ----------
    factors : one A_p (n, l_p) CSR per pair of views, rows empty for samples that appear in neither view.
    present : (n, P) bool, in which pairs a sample appears.

    Samples that share no pair have similarity 0. Memory O(n m + groups l); a product costs O(n m + groups^2 l).
    """

    def __init__(self, factors: list[sparse.csr_array], present: NDArray[np.bool_]) -> None:
        patterns, group = np.unique(present, axis=0, return_inverse=True)
        group = group.ravel()
        shared = patterns.astype(np.float64) @ patterns.T.astype(np.float64)
        share = np.divide(1.0, shared, out=np.zeros_like(shared), where=shared > 0)
        self._weights = [share * np.outer(pattern, pattern) for pattern in patterns.T]
        self._spread = [_by_group(factor, group, len(patterns)) for factor in factors]
        self._gather = [sparse.csr_array(spread.T) for spread in self._spread]
        super().__init__(np.float64, (len(present), len(present)))

    def _matmat(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(x.shape)
        for weights, spread, gather in zip(self._weights, self._spread, self._gather, strict=True):
            groups = len(weights)
            per_anchor = np.asarray(gather @ x).reshape(groups, -1)
            total += spread @ (weights @ per_anchor).reshape(-1, x.shape[1])
        return total

    def _matvec(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._matmat(x.reshape(-1, 1)).ravel()

    def _adjoint(self) -> FusedSimilarity:
        return self


def _by_group(factor: sparse.csr_array, group: NDArray[np.int64], n_groups: int) -> sparse.csr_array:
    """(n, groups * l): the factor's columns once per group, each row's entries in the columns of its group."""
    n, n_anchors = factor.shape
    columns = factor.indices.astype(np.int64) + n_anchors * np.repeat(group, np.diff(factor.indptr))
    return sparse.csr_array((factor.data, columns, factor.indptr), shape=(n, n_groups * n_anchors))


def fused_embedding(similarity: FusedSimilarity, k: int, *, normalize: bool) -> NDArray[np.float64]:
    """Top k eigenvectors (n, k) of S (Eq. 4), or with `normalize` of D^-1/2 S D^-1/2, with D the row sums of S.

    A mean over pairs that differs from group to group leaves S symmetric but no longer doubly stochastic: Eq. 3,
    which makes the normalisation superfluous for one pair, holds only approximately here. Directions of eigenvalue
    0 are left out.
    """
    if not normalize:
        values, vectors = top_eigenvectors(similarity, k)
        return vectors[:, np.abs(values) > NO_RANK]
    scale = inverse_square_root(similarity @ np.ones(similarity.shape[0]))

    def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = scale[:, None] * x.reshape(len(scale), -1)
        return np.asarray(scale[:, None] * (similarity @ columns)).reshape(x.shape)

    normalized = LinearOperator(similarity.shape, matvec=product, matmat=product, dtype=np.float64)
    values, vectors = top_eigenvectors(normalized, k)
    return vectors[:, np.abs(values) > NO_RANK]
