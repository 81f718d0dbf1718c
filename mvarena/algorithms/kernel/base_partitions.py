"""Base partitions: the top eigenvectors of each view's observed kernel, from features without forming the kernel.

A linear kernel is Phi Phi^T with Phi the (centred, unit) rows themselves, so its eigenvectors are Phi's left singular
vectors; a Gaussian one has such a factor approximately (Nystrom).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from mvarena.algorithms.kernel.partition import dense_matrix
from mvarena.data import MultiViewData, View
from mvarena.numerics.float32 import SingleFactor, is_single
from mvarena.numerics.kernels import center_and_normalize, gaussian, squared_distances
from mvarena.numerics.low_rank import (
    centred_unit_factor,
    median_length,
    nystrom_features,
    top_kernel_vectors,
    top_left_vectors,
)
from mvarena.numerics.spectral import top_eigenvectors

KernelName: TypeAlias = Literal["linear", "gaussian"]
Approximation: TypeAlias = Literal["nystrom", "exact"]


@dataclass(frozen=True, slots=True)
class KernelChoice:
    """The kernel of feature views, by name, and how a Gaussian one is approximated; see `EEIMVC`."""

    kernel: KernelName
    approximation: Approximation
    n_components: int
    sigma: float | None
    seed: int

    @property
    def builds_square(self) -> bool:
        """True if feature views get an n x n kernel."""
        return self.kernel == "gaussian" and self.approximation == "exact"

    def memory(self, view: View, n_observed: int) -> int:
        """Bytes that the view's factor, or its kernel block, takes."""
        if view.kind == "kernel" or self.builds_square:
            return 16 * n_observed**2
        if self.kernel == "gaussian":
            return 16 * n_observed * self.n_components
        if view.is_sparse:
            return 24 * view.matrix.nnz
        if self.reads_in_place(view):
            return 16 * n_observed
        # in double precision a copy of the observed rows and the factor; in single the rows alone
        return (16 if view.matrix.dtype == np.float64 else 4) * n_observed * view.n_features

    def reads_in_place(self, view: View) -> bool:
        """True if the view's factor takes no copy of its rows."""
        return self.kernel == "linear" and is_single(view.matrix)

    def factor(self, features: Any) -> Any:
        """Phi (n, d') with Phi Phi^T the centred, normalised kernel of (n, d) features, exactly or approximately."""
        if self.kernel == "linear":
            return centred_unit_factor(features)
        mapped = nystrom_features(features, self._sigma(features), self.n_components, self.seed)
        return centred_unit_factor(mapped, overwrite=True)

    def square(self, features: Any) -> NDArray[np.float64]:
        """The exact Gaussian kernel (n, n), centred and normalised."""
        return center_and_normalize(gaussian(squared_distances(features), 2 * self._sigma(features) ** 2))

    def _sigma(self, features: Any) -> float:
        return median_length(features) if self.sigma is None else self.sigma


@dataclass(frozen=True, eq=False, slots=True)
class ObservedKernel:
    """A view's kernel on the samples that it observes: a factor (m, d) or a square block (m, m).

    rows : (m,) the observed samples.
    """

    rows: NDArray[np.int64]
    factor: Any = None
    square: NDArray[np.float64] | None = None

    def top(self, k: int, n_samples: int) -> NDArray[np.float64]:
        """H_p (n, k): the top k eigenvectors on the observed rows, zero elsewhere and in columns beyond the rank."""
        result = np.zeros((n_samples, k))
        small = top_left_vectors(self.factor, k) if self.square is None else top_kernel_vectors(self.square, k)
        result[self.rows] = small
        return result

    def times(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """The zero-filled kernel (n, n) times `right` (n, ...)."""
        product = np.zeros_like(right)
        inner = right[self.rows]
        product[self.rows] = self.factor @ (self.factor.T @ inner) if self.square is None else self.square @ inner
        return product


def observed_kernels(data: MultiViewData, choice: KernelChoice) -> Iterator[ObservedKernel]:
    """Each view's kernel, one at a time, so that a caller may let go of it. Kernel views are taken as they are."""
    for view, seen in zip(data.views, data.mask.T, strict=True):
        rows = np.flatnonzero(seen)
        if view.kind == "kernel":
            yield ObservedKernel(rows, square=dense_matrix(view)[np.ix_(rows, rows)])
            continue
        if choice.reads_in_place(view):
            yield ObservedKernel(rows, factor=SingleFactor(view.matrix, None if seen.all() else rows))
            continue
        features = view.matrix if seen.all() else view.matrix[rows]
        if choice.builds_square:
            dense = features.toarray() if view.is_sparse else features
            yield ObservedKernel(rows, square=choice.square(dense))
        else:
            yield ObservedKernel(rows, factor=choice.factor(features))


def summed_partition(kernels: Sequence[ObservedKernel], n_samples: int, k: int) -> NDArray[np.float64]:
    """The top k eigenvectors (n, k) of the sum of the zero-filled kernels, from products alone. Cost O(k) products."""

    def product(right: NDArray[np.float64]) -> NDArray[np.float64]:
        total = kernels[0].times(right)
        for kernel in kernels[1:]:
            total += kernel.times(right)
        return total

    shape = (n_samples, n_samples)
    return top_eigenvectors(LinearOperator(shape, matvec=product, matmat=product, dtype=np.dtype(np.float64)), k)[1]
