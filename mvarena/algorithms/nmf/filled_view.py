"""A view whose missing rows hold its mean row; where it is sparse they are not written, and it stays so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.nmf.nonzero_views import nonzero_views
from mvarena.data import MultiViewData
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.row_blocks import RowBlocks

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class FilledView:
    """X + m mu^T: X (n, d) dense or CSR with zero rows where missing, m (n,) 1 where missing, mu (d,) the mean row."""

    matrix: Any
    missing: Array
    mean: Array

    @classmethod
    def from_mask(cls, matrix: Any, observed: NDArray[np.bool_]) -> FilledView:
        """The view filled with the mean of its observed rows (n,) True; its other rows must be zero."""
        mean = np.asarray(matrix.sum(axis=0)).ravel() / int(observed.sum())
        return cls(matrix, (~observed).astype(np.float64), mean)

    @property
    def total(self) -> float:
        """The sum of all entries."""
        return float(self.matrix.sum()) + float(self.missing.sum() * self.mean.sum())

    @property
    def size(self) -> int:
        """The number of entries, n d."""
        return int(np.prod(self.matrix.shape))

    def scaled(self, factor: float) -> FilledView:
        return FilledView(self.matrix * factor, self.missing, self.mean * factor)

    def written(self) -> FilledView:
        """The same view; a dense matrix gets its missing rows written, into the array that it has."""
        if sparse.issparse(self.matrix):
            return self
        self.matrix[self.missing > 0] = self.mean
        return FilledView(self.matrix, np.zeros_like(self.missing), self.mean)

    def parts(self, blocks: RowBlocks) -> list[FilledView]:
        """The view's rows, block by block."""
        pairs = zip(blocks.of(self.matrix), blocks.of(self.missing), strict=True)
        return [FilledView(matrix, missing, self.mean) for matrix, missing in pairs]

    def times(self, thin: Array) -> Array:
        """X V for V (d, k). Cost O(nnz k)."""
        product = np.asarray(self.matrix @ thin)
        return product + np.outer(self.missing, self.mean @ thin) if self.missing.any() else product

    def transposed_times(self, thin: Array) -> Array:
        """X^T U for U (n, k). Cost O(nnz k)."""
        product = np.asarray(self.matrix.T @ thin)
        return product + np.outer(self.mean, self.missing @ thin) if self.missing.any() else product

    def weighted_norm(self, weights: Array) -> float:
        """sum_j w_j |x_j|^2 for weights (n,)."""
        return float(weights @ squared_norms(self.matrix)) + float(weights @ self.missing) * float(
            self.mean @ self.mean
        )


def filled_views(data: MultiViewData) -> list[FilledView]:
    """Each view filled with its mean row; InvalidSetting for a view of zeros."""
    pairs = zip(nonzero_views(data), data.mask.T, strict=True)
    return [FilledView.from_mask(view.matrix, observed) for view, observed in pairs]
