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


class Solved(Protocol):
    """What a solver of coefficients returns: C (n, n), the objective per step, how it stopped, further arrays."""

    @property
    def coefficients(self) -> NDArray[np.float64]: ...
    @property
    def objective(self) -> NDArray[np.float64]: ...
    @property
    def converged(self) -> bool: ...
    @property
    def stopped_because(self) -> str: ...
    @property
    def details(self) -> dict[str, NDArray[np.float64]]: ...


def joint_affinity(C: NDArray[np.float64]) -> NDArray[np.float64]:
    """|C| + |C|^T, the graph of sparse subspace clustering; nonnegative and symmetric."""
    magnitude = np.abs(C)
    return magnitude + magnitude.T


def represented(data: MultiViewData, solve: Callable[[MultiViewData], Solved], k: int) -> Representation:
    """Spectral embedding of the joint affinity of what `solve` finds, and how it stopped.

    `solve` gets the samples in an order that depends on their values alone, so that a permutation of the samples
    permutes the rows of the embedding and nothing else.
    """
    found: list[Solved] = []

    def affinity(ordered: MultiViewData) -> NDArray[np.float64]:
        found.append(solve(ordered))
        return joint_affinity(found[0].coefficients)

    embedded = spectral_representation(data, affinity, k)
    solved = found[0]
    reason = solved.stopped_because
    if not solved.coefficients.any():
        reason += (
            "; all coefficients are 0: a smaller weight of the sparse term or a larger scale of the data is needed"
        )
    return replace(
        embedded,
        objective=solved.objective,
        n_iter=len(solved.objective),
        converged=solved.converged,
        stopped_because=reason,
        details=solved.details,
    )
