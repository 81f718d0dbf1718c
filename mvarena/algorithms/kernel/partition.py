"""Shared parts of multiple kernel k-means: dense kernels, their weighted sum, and a partition as a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernel_filling import mean_filled, neighbour_filled, partition_filled
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import top_eigenvectors


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
        by_sample = {"partition": (0,)}
        embedding = unit_embedding(self.partition)
        return Representation(embedding=embedding, history=self.history, details=details, by_sample=by_sample)


def published_stopping(max_iter: int, tol: float) -> Stopping:
    """Stopping rule of this group's programs: not before the third iteration, whatever the objective does.

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


# Kernels without gaps: the fillings by name, and the sentence for one whose ridge is too small.

Filling: TypeAlias = Literal["zero", "mean", "knn"]


def filled(
    kernels: Sequence[NDArray[np.float64]], mask: NDArray[np.bool_], filling: Filling, n_neighbors: int = 7
) -> list[NDArray[np.float64]]:
    """The zero-filled kernels (n, n) filled by name; "zero" leaves them: a missing sample is similar to none."""
    if filling == "zero":
        return list(kernels)
    if filling == "mean":
        return mean_filled(kernels, mask)
    return neighbour_filled(kernels, mask, n_neighbors)


def alignment_filled(
    kernels: Sequence[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int, ridge: float
) -> list[NDArray[np.float64]]:
    """Each missing part from the partition of the zero-filled kernels' mean: one imputation step of MKKM-IK.

    Source: the published experiments' form of Trivedi et al., NIPS workshop 2010, which itself uses a graph Laplacian
    of the other view in place of I - H H^T.
    """
    H = top_eigenvectors(combined(kernels, equal_weights(len(kernels))), n_clusters)[1]
    with large_enough(ridge):
        return [
            kernel if seen.all() else partition_filled(kernel, seen, H, ridge)
            for kernel, seen in zip(kernels, mask.T, strict=True)
        ]


@contextmanager
def large_enough(ridge: float) -> Iterator[None]:
    """Turn the failure of a Cholesky factorisation inside into InvalidSetting: the ridge is too small."""
    try:
        yield
    except np.linalg.LinAlgError as error:
        raise InvalidSetting(
            f"the kernels cannot be imputed with ridge {ridge:g}: the matrix to invert is singular; take a larger one.",
            field="ridge",
            value=ridge,
        ) from error
