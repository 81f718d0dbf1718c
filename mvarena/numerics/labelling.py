"""A labelling: what one way of assigning clusters found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Labelling:
    """(n,) cluster indices from 0, and the k-means inertia that they reached."""

    labels: NDArray[np.int64]
    inertia: float
