"""Kernels without gaps: the fillings by name, and the sentence for one whose ridge is too small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.partition import combined, equal_weights
from mvarena.errors import InvalidSetting
from mvarena.numerics.kernel_filling import mean_filled, neighbour_filled, partition_filled, zero_filled
from mvarena.numerics.spectral import top_eigenvectors

Filling: TypeAlias = Literal["zero", "mean", "knn"]


def filled(
    kernels: Sequence[NDArray[np.float64]], mask: NDArray[np.bool_], filling: Filling, n_neighbors: int = 7
) -> list[NDArray[np.float64]]:
    """The zero-filled kernels (n, n) filled by name: zero, mean or knn."""
    if filling == "zero":
        return zero_filled(kernels)
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
