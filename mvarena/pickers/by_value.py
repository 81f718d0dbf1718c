"""The candidate of the highest value: by ground truth, or by a metric without it. The spec says which value that is."""

from __future__ import annotations

import numpy as np

from mvarena.contracts.picker import Candidates, Weights, best_of


def highest(candidates: Candidates) -> Weights | None:
    """The candidate of highest value, shared among equals; None where no candidate has one. Cost O(m)."""
    return best_of(np.array([one.value for one in candidates]))
