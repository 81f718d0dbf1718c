"""APMC on several pairs of views: the mean similarity over the pairs in which both samples appear, as an operator.

Samples that appear in the same pairs form a group. Between two groups the pairs to average over are the same for
all samples, so the fused S is a sum over pairs of low-rank parts, weighted group by group: no n x n matrix.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.spectral import NO_RANK, inverse_square_root, top_eigenvectors

Fusion = Literal["laplacian", "similarity", "normalized"]


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


def fused_embedding(similarity: FusedSimilarity, k: int, fusion: Fusion) -> NDArray[np.float64]:
    """Top k eigenvectors (n, k) of what `fusion` makes of S, with D the row sums of S. Cost: O(k) products with S.

    fusion : "laplacian": of S - D, which is Eq. 2; "similarity": of S, Eq. 4; "normalized": of D^-1/2 S D^-1/2.

    For one pair of views D = I (Eq. 3) and the three are one. A mean over pairs that differs from group to group
    leaves S symmetric, but its rows sum to 1 or more, at most to the number of pairs. Directions of eigenvalue 0 are
    left out.
    """
    degrees = similarity @ np.ones(similarity.shape[0])
    scale = inverse_square_root(degrees) if fusion == "normalized" else np.ones_like(degrees)
    # moved by the largest degree, which changes no eigenvector, -L has the wanted eigenvalues away from 0
    diagonal = degrees.max() - degrees if fusion == "laplacian" else np.zeros_like(degrees)

    def product(x: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = x.reshape(len(scale), -1)
        spread = scale[:, None] * (similarity @ (scale[:, None] * columns)) + diagonal[:, None] * columns
        return np.asarray(spread).reshape(x.shape)

    operator = LinearOperator(similarity.shape, matvec=product, matmat=product, dtype=np.float64)
    values, vectors = top_eigenvectors(operator, k)
    return vectors[:, np.abs(values) > NO_RANK]
