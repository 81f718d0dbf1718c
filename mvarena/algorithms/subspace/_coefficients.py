"""From coefficients, with which samples represent one another, to clusters and to memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.baselines.similarities import spectral_representation
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData

BYTES = 8


class Solved(Protocol):
    """What a solver of coefficients returns: C (n, n), the objective and the largest violation per step."""

    @property
    def coefficients(self) -> NDArray[np.float64]: ...
    @property
    def objective(self) -> NDArray[np.float64]: ...
    @property
    def residual(self) -> NDArray[np.float64]: ...
    @property
    def converged(self) -> bool: ...


def joint_affinity(C: NDArray[np.float64]) -> NDArray[np.float64]:
    """|C| + |C|^T, the graph of sparse subspace clustering; nonnegative and symmetric."""
    magnitude = np.abs(C)
    return magnitude + magnitude.T


def represented(
    data: MultiViewData, solve: Callable[[MultiViewData], Solved], k: int, *, tol: float, max_iter: int
) -> Representation:
    """Spectral embedding of the joint affinity of what `solve` finds.

    `solve` gets the samples in an order that depends on their values alone, so that a permutation of the samples
    permutes the rows of the embedding and nothing else. Details: the largest violation of the constraints per step.
    """
    found: list[Solved] = []

    def affinity(ordered: MultiViewData) -> NDArray[np.float64]:
        found.append(solve(ordered))
        return joint_affinity(found[0].coefficients)

    embedded = spectral_representation(data, affinity, k)
    solved = found[0]
    n_iter = len(solved.residual)
    reason = (
        f"the largest violation fell to {tol:g} after {n_iter} steps"
        if solved.converged
        else f"the limit of {max_iter} steps was reached with a violation of {solved.residual[-1]:.2g}"
    )
    if not solved.coefficients.any():
        reason += (
            "; all coefficients are 0: a smaller weight of the sparse term or a larger scale of the data is needed"
        )
    return replace(
        embedded,
        objective=solved.objective,
        n_iter=n_iter,
        converged=solved.converged,
        stopped_because=reason,
        details={"residual": solved.residual},
    )
