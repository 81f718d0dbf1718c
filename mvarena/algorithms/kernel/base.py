"""What the kernel methods share: dense kernels from views, and a partition as a contestant's result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.scaling import unit_rows


def kernel_matrices(data: MultiViewData) -> list[NDArray[np.float64]]:
    """The views' kernels (n, n), dense, zero where samples are missing. Cost: a copy of each sparse view, no other."""
    return [dense_matrix(view) for view in data.views]


def dense_matrix(view: View) -> NDArray[np.float64]:
    """The view's matrix as an array; a dense one is not copied."""
    matrix: Any = view.matrix
    return np.asarray(matrix.toarray() if view.is_sparse else matrix)


def partition_representation(
    partition: NDArray[np.float64],
    weights: NDArray[np.float64],
    objective: NDArray[np.float64],
    converged: bool,
    stopped_because: str,
) -> Representation:
    """A partition H (n, k) as a contestant's result: k-means is to run on its rows scaled to unit length.

    The programs of this group's papers do so; H itself and the views' weights are in the details.
    """
    return Representation(
        embedding=unit_rows(partition),
        objective=objective,
        n_iter=len(objective),
        converged=converged,
        stopped_because=stopped_because,
        details={"weights": weights, "partition": partition},
    )


def require_at_least(name: str, value: float, least: float) -> None:
    """Raise InvalidSetting unless `value` is at least `least`."""
    if not value >= least:
        raise InvalidSetting(f"{name} must be at least {least:g}, not {value}.")


@contextmanager
def large_enough(ridge: float) -> Iterator[None]:
    """Turn the failure of a Cholesky factorisation inside into InvalidSetting: the ridge is too small."""
    try:
        yield
    except np.linalg.LinAlgError as error:
        raise InvalidSetting(
            f"the kernels cannot be imputed with ridge {ridge:g}: the matrix to invert is singular; take a larger one."
        ) from error
