"""How results are compared where their form is arbitrary: signs and rotations of vectors, names of clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def projector(vectors: NDArray) -> NDArray:
    """V V^T: the same for every rotation and sign of the columns."""
    return vectors @ vectors.T


def same_pairs(labels: NDArray) -> NDArray:
    """(n, n) which samples share a cluster: the same whatever the clusters are called."""
    return np.equal.outer(labels, labels)


def agreement(a: NDArray, b: NDArray) -> float:
    """The share of pairs of samples on which two labellings agree."""
    return float((same_pairs(a) == same_pairs(b)).mean())
