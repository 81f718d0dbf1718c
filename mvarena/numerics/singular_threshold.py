"""Singular value thresholding of one matrix after another: each search starts from the last answer."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.block_krylov import leading_eigenpairs, start_block
from mvarena.numerics.proximal import right_singular_pairs, shrunk_factors

_DENSE_LIMIT = 400
_GUARD = 8
# a partial search is made for at most this part of all singular values; more of them come from all together
_FEW = 16
# so many restarts cost about as much as the LAPACK driver for a few eigenvectors
_MAX_ROUNDS = 8


@dataclass(frozen=True, eq=False, slots=True)
class Thresholded:
    """A matrix left @ right.T as its factors (n, r), with r = n where its rank is not small.

    `left` may be the matrix that was thresholded itself: rows are to be asked for before those of it are changed.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    trace_norm: float

    @classmethod
    def zero(cls, n: int) -> Thresholded:
        return cls(np.zeros((n, 0)), np.zeros((n, 0)), 0.0)

    def rows(self, rows: slice) -> NDArray[np.float64]:
        """These rows of the matrix."""
        return self.left[rows] @ self.right.T


@dataclass(slots=True)
class SingularThreshold:
    """The proximal map of the trace norm for matrices that change little from one call to the next.

    growth : how many more values may exceed the threshold from one call to the next, as a share of those that do: a
        partial search that finds none at or below it has to be made again, for all of them.
    """

    growth: float = 0.0
    _right: NDArray[np.float64] | None = field(default=None)
    _many: bool = field(default=False)

    def __call__(self, M: NDArray[np.float64], t: float, *, tol: float = 1e-7) -> Thresholded:
        """argmin over Q of t norm_*(Q) + norm(Q - M)^2 / 2 for a square M (n, n).

        tol : residual of the singular pairs of M^T M, relative to its norm, where a partial search is made; an early
            step of an iteration that corrects itself needs no small one. For n > 400 all pairs are those of M^T M, so
            that singular values below 1e-7 of the largest are lost in rounding: Q is exact to that.

        Cost: O(n^2 r) for r singular values above t, O(n^3) when r is not small beside n; memory 4 n r, or 3 n^2.
        """
        n = len(M)
        if self._right is None and not self._many and _norm_bound(M) <= t:
            return Thresholded.zero(n)
        values, right = self._pairs(M, t, tol)
        rank = len(values)
        self._many = rank > 0 and rank + _GUARD > n // _FEW
        self._right = right if rank and not self._many else None
        return Thresholded(*shrunk_factors(M, values, right, t), trace_norm=float(np.sum(values - t)))

    def _pairs(self, M: NDArray[np.float64], t: float, tol: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The singular values above t, in any order, and their right singular vectors."""
        n = len(M)
        # small matrices cost nothing, and are found exactly
        squared = n > _DENSE_LIMIT
        if self._many:
            return right_singular_pairs(M, t, squared=squared)
        rank = 0 if self._right is None else self._right.shape[1]
        guard = _GUARD + int(self.growth * rank)
        if n > _DENSE_LIMIT:
            found = leading_eigenpairs(
                lambda X: M.T @ (M @ X),
                start_block(n, rank + guard, self._right),
                rank + guard // 2,
                tol=tol,
                depth=2,
                max_rounds=_MAX_ROUNDS,
            )
            values = np.sqrt(np.maximum(found.values, 0.0))
            above = values > t
            # one that is not above shows that none is missed
            if found.residual <= tol and not above.all():
                return values[above], found.vectors[:, above]
            if above.all():
                # Ritz values are too small, if anything: there are more than a few
                rank = n
        return right_singular_pairs(M, t, rank_hint=max(rank, _GUARD), squared=squared)


def _norm_bound(M: NDArray[np.float64]) -> float:
    """An upper bound of the largest singular value: sqrt(norm_1 norm_inf) or the Frobenius norm. Cost O(n^2)."""
    frobenius = float(np.linalg.norm(M))
    sums = np.zeros(M.shape[1])
    largest = 0.0
    for row in M:
        magnitudes = np.abs(row)
        sums += magnitudes
        largest = max(largest, float(magnitudes.sum()))
    return min(frobenius, float(np.sqrt(sums.max() * largest)))
