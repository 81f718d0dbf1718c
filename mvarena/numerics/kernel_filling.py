"""Filling the missing rows and columns of kernels: mean, neighbours in the other views, alignment.

Kernels come zero-filled: (n, n) with zero rows and columns where the view misses the sample.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Kernels = Sequence[NDArray[np.float64]]


def mean_filled(kernels: Kernels, mask: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    """Every missing sample takes the place of the mean of the observed ones in feature space.

    K_cm = K_cc 1 / n_c and K_mm = 1^T K_cc 1 / n_c^2. Cost O(V n^2).
    """
    filled = []
    for kernel, seen in zip(kernels, mask.T, strict=True):
        means = np.where(seen, kernel.sum(axis=1) / seen.sum(), 0.0)
        means[~seen] = means.sum() / seen.sum()
        copy = kernel.copy()
        copy[~seen] = means
        copy[:, ~seen] = means[:, None]
        filled.append(copy)
    return filled


def neighbour_filled(kernels: Kernels, mask: NDArray[np.bool_], n_neighbors: int = 7) -> list[NDArray[np.float64]]:
    """Every missing row is the mean row of the sample's nearest neighbours in the mean of the other views' kernels.

    Neighbours are nearest by the distance between rows of that mean kernel. Where two missing samples meet, the two
    directions are averaged (the reference keeps the one written last, which depends on the samples' order). The result
    need not be positive semidefinite. Cost O(V n^2 n_m) time.
    """
    total = np.sum(kernels, axis=0)
    filled = []
    for kernel, seen in zip(kernels, mask.T, strict=True):
        missing = np.flatnonzero(~seen)
        if missing.size == 0 or len(kernels) == 1:
            filled.append(kernel)
            continue
        others = (total - kernel) / (len(kernels) - 1)
        rows = neighbour_rows(others, missing, n_neighbors)
        copy = kernel.copy()
        copy[missing] = rows
        copy[:, missing] = rows.T
        between = rows[:, missing]
        copy[np.ix_(missing, missing)] = (between + between.T) / 2
        filled.append(copy)
    return filled


def neighbour_rows(
    similarities: NDArray[np.float64], samples: NDArray[np.int64], n_neighbors: int
) -> NDArray[np.float64]:
    """For each of `samples` (m,), the mean (m, n) of the rows of its nearest neighbours, itself excluded."""
    squares = np.einsum("ij,ij->i", similarities, similarities)
    distances = squares - 2 * similarities[samples] @ similarities
    distances[np.arange(len(samples)), samples] = np.inf
    count = min(n_neighbors, len(similarities) - 1)
    # ties (samples that share no view with this one) are broken by content, never by position
    order = np.lexsort((squares, similarities.sum(axis=1)))
    nearest = order[np.argsort(distances[:, order], axis=1, kind="stable")[:, :count]]
    rows = np.zeros((len(samples), len(similarities)))
    for neighbour in nearest.T:
        rows += similarities[neighbour]
    return rows / count


def capacitance(partition: NDArray[np.float64], seen: NDArray[np.bool_], ridge: float) -> NDArray[np.float64]:
    """G = ((1 + ridge) I - H_m^T H_m)^-1 (k, k), by Cholesky: all that the inverse of U_mm needs (Woodbury).

    With U = I - H H^T and H^T H = I, U_mm^-1 U_mc = -H_m G H_c^T. For ridge 0 the matrix is H_c^T H_c, singular
    where the observed rows of H have rank below k. Raises LinAlgError where it is singular up to rounding.
    """
    missing = partition[~seen]
    k = partition.shape[1]
    matrix = (1 + ridge) * np.eye(k) - missing.T @ missing
    # whether a factorisation fails at an eigenvalue of rounding alone depends on the processor
    if np.linalg.eigvalsh(matrix)[0] <= len(partition) * np.finfo(matrix.dtype).eps * (1 + ridge):
        raise np.linalg.LinAlgError("the matrix to invert is singular")
    return np.asarray(linalg.cho_solve(linalg.cho_factor(matrix), np.eye(k)))


def partition_filled(
    kernel: NDArray[np.float64], seen: NDArray[np.bool_], partition: NDArray[np.float64], ridge: float
) -> NDArray[np.float64]:
    """The kernel (n, n) with its missing part imputed from the partition H (n, k), as MKKM-IK and AF do.

    K_cm = -K_cc U_cm U_mm^-1 and K_mm = U_mm^-1 U_mc K_cc U_cm U_mm^-1 with U = I - H H^T and the ridge on U_mm:
    the kernel that minimises tr(K (I - H H^T)) with K_cc fixed. Positive semidefinite like K_cc. Cost O(n^2 k).
    """
    mapping = partition[~seen] @ capacitance(partition, seen, ridge)
    observed = np.where(seen[:, None], partition, 0.0)
    crossed = kernel @ observed
    filled = kernel.copy()
    filled[~seen] = mapping @ crossed.T
    filled[:, ~seen] = crossed @ mapping.T
    filled[np.ix_(~seen, ~seen)] = mapping @ (observed.T @ crossed) @ mapping.T
    return filled
