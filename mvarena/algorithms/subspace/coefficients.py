"""From coefficients, with which samples represent one another, to clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.numerics.iteration import History
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import normalized_embedding


def joint_affinity(C: NDArray[np.float64]) -> NDArray[np.float64]:
    """|C| + |C|^T, the graph of sparse subspace clustering; nonnegative and symmetric."""
    magnitude = np.abs(C)
    return magnitude + magnitude.T


def spectral_embedding_of(
    C: NDArray[np.float64], k: int, history: History, **details: NDArray[np.float64]
) -> Representation:
    """The embedding (n, k) of the joint affinity of C (n, n) (Ng, Jordan and Weiss 2001), rows of unit length."""
    if not C.any():
        history.remark("all coefficients are 0: lower the weight of the sparse term, or scale the data up")
    embedding = unit_embedding(normalized_embedding(joint_affinity(C), k))
    return Representation(embedding=embedding, history=history, details=details)
