"""Singular value thresholding: the proximal map of the trace norm."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.numerics.block_krylov import leading_eigenpairs, start_block

_DENSE_LIMIT = 400
_GUARD = 8


@dataclass(slots=True)
class SingularThreshold:
    """Thresholds one matrix after another; each starts from the singular vectors of the last.

    tol : residual of the singular pairs, relative to the largest; only for matrices too large for a full SVD.
    """

    tol: float = 1e-7
    _right: NDArray[np.float64] | None = field(default=None)

    def __call__(self, M: NDArray[np.float64], t: float) -> tuple[NDArray[np.float64], float]:
        """(argmin over Q of t norm_*(Q) + norm(Q - M)^2 / 2, its trace norm) for a square M (n, n).

        Cost: O(n^2 r) for r singular values above t, O(n^3) when r is not small beside n; 2 n^2 beside M.
        """
        if np.linalg.norm(M) <= t:  # no singular value exceeds the Frobenius norm
            self._right = None
            return np.zeros_like(M), 0.0
        sigma, left, right = self._triplets(M, t)
        shrunk = np.maximum(sigma - t, 0.0)
        kept = shrunk > 0
        self._right = right[:, kept]
        return (left[:, kept] * shrunk[kept]) @ right[:, kept].T, float(shrunk.sum())

    def _triplets(
        self, M: NDArray[np.float64], t: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Singular triplets of M, all of those above t among them."""
        n = len(M)
        known = self._right
        width = _GUARD + (0 if known is None else known.shape[1])
        while n > _DENSE_LIMIT and width <= n // 16:
            start = start_block(n, width, known)
            squares, right = leading_eigenpairs(
                lambda X: M.T @ (M @ X), start, width - _GUARD // 2, tol=self.tol, max_rounds=30
            )
            sigma = np.sqrt(np.maximum(squares, 0.0))
            if sigma[-1] < t:
                images = M @ right
                norms = np.linalg.norm(images, axis=0)
                return norms, images / np.where(norms > 0, norms, 1.0), right
            known, width = right, 2 * width
        left, sigma, right_t = linalg.svd(M, full_matrices=False, overwrite_a=False)
        return sigma, left, right_t.T
