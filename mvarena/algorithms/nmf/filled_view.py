"""Views for factorisations: with missing rows filled by the mean, none empty, as a pair, as a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.neighbours import neighbour_graph
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


# The views of data, none of them empty.


def nonzero_views(data: MultiViewData) -> tuple[View, ...]:
    """The (nonnegative) views, each of which can be divided by its sum; InvalidSetting for one of zeros."""
    for view in data.views:
        if not view.matrix.sum() > 0:
            raise InvalidSetting(f"view '{view.name}' cannot be scaled: its entries are all zero; leave it out.")
    return data.views


# Two views as PVC and IMG see them: samples in both, in the first only, in the second only.


@dataclass(frozen=True, eq=False, slots=True)
class PartialPair:
    """X1 (n1, dx): only in the first view. X2 (n2, dx), Y2 (n2, dy): in both. Y3 (n3, dy): only in the second.

    order : (n,) the samples' places in the data, in the order both, first only, second only.
    """

    X1: Any
    X2: Any
    Y2: Any
    Y3: Any
    order: NDArray[np.int64]

    @classmethod
    def split(cls, X: Any, Y: Any, mask: NDArray[np.bool_]) -> PartialPair:
        """From both views (n, dx), (n, dy) and the mask (n, 2) of a sample's views; rows keep their order."""
        both, first, second = mask.all(axis=1), mask[:, 0] & ~mask[:, 1], mask[:, 1] & ~mask[:, 0]
        order = np.concatenate([np.flatnonzero(rows) for rows in (both, first, second)])
        return cls(X[first], X[both], Y[both], Y[second], order)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """(n2, n1, n3): samples in both views, in the first only, in the second only."""
        return self.X2.shape[0], self.X1.shape[0], self.Y3.shape[0]

    def in_data_order(self, paired: Array, first: Array, second: Array) -> Array:
        """(n, k) rows for all samples as the data have them, from the three groups' rows."""
        rows = np.empty((len(self.order), paired.shape[1]))
        rows[self.order] = np.vstack([paired, first, second])
        return rows


# A symmetric sparse graph from the nearest neighbours of each sample.


def symmetric_neighbour_graph(indices: NDArray[np.int64], weights: NDArray[np.float64]) -> sparse.csr_array:
    """(n, n) CSR: the larger of both directions' `weights` (n, m) to the neighbours `indices` (n, m); no loops."""
    n = len(indices)
    graph = neighbour_graph(indices, weights, n, np.arange(n), n)
    graph.setdiag(0.0)
    graph.eliminate_zeros()
    return sparse.csr_array(graph.maximum(graph.T))
