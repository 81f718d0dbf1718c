"""What the methods of multiple kernel k-means share: dense kernels, their weighted sum, and a partition as a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.scaling import unit_embedding


@dataclass(frozen=True, eq=False, slots=True)
class KernelPartition:
    """partition : H (n, k), H^T H = I. weights : (V,) of the kernels. history : the objective and how it ended."""

    partition: NDArray[np.float64]
    weights: NDArray[np.float64]
    history: History

    def representation(self) -> Representation:
        """The same as a contestant's result: k-means is to run on the rows of H scaled to unit length.

        The programs of this group's papers do so. They give unit length to rounding noise, too, which is what the row
        of a sample without similarities is: such rows are zero here. H and the views' weights are in the details.
        """
        details = {"weights": self.weights, "partition": self.partition}
        return Representation(embedding=unit_embedding(self.partition), history=self.history, details=details)


def published_stopping(max_iter: int, tol: float) -> Stopping:
    """When this group's programs end: not before the third iteration, whatever the objective does.

    `tol` is a share of the objective before the iteration. An objective of 0 is an end here, where theirs run on.
    """
    return Stopping(max_iter, tol, relative_to="old", earliest=3, ends_at_zero=True)


def kernel_matrices(data: MultiViewData) -> list[NDArray[np.float64]]:
    """The views' kernels (n, n), dense, zero where samples are missing. Cost: a copy of each sparse view, no other."""
    return [dense_matrix(view) for view in data.views]


def dense_matrix(view: View) -> NDArray[np.float64]:
    """The view's matrix as an array; a dense one is not copied."""
    matrix: Any = view.matrix
    return np.asarray(matrix.toarray() if view.is_sparse else matrix)


def combined(kernels: Sequence[NDArray[np.float64]], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """K_gamma = sum_p gamma_p^2 K_p (n, n). Cost O(V n^2), two n x n matrices."""
    total = np.zeros_like(kernels[0])
    term = np.empty_like(total)
    for kernel, weight in zip(kernels, weights, strict=True):
        np.multiply(kernel, weight**2, out=term)
        total += term
    return total


def equal_weights(n_views: int) -> NDArray[np.float64]:
    """1 / V for each view: where every method of this family starts."""
    return np.full(n_views, 1.0 / n_views)
