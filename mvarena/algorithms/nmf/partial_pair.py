"""Two views as PVC and IMG see them: samples in both, in the first only, in the second only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class PartialPair:
    """X1 (n1, dx): only in the first view. X2 (n2, dx), Y2 (n2, dy): in both. Y3 (n3, dy): only in the second.

    order : (n,) the samples' places in the data, in the order both, first only, second only.
    """

    X1: Any
    X2: Any
    Y2: Any
    Y3: Any
    order: NDArray[np.int64]

    @classmethod
    def split(cls, X: Any, Y: Any, mask: NDArray[np.bool_]) -> PartialPair:
        """From both views (n, dx), (n, dy) and the mask (n, 2) of a sample's views; rows keep their order."""
        both, first, second = mask.all(axis=1), mask[:, 0] & ~mask[:, 1], mask[:, 1] & ~mask[:, 0]
        order = np.concatenate([np.flatnonzero(rows) for rows in (both, first, second)])
        return cls(X[first], X[both], Y[both], Y[second], order)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """(n2, n1, n3): samples in both views, in the first only, in the second only."""
        return self.X2.shape[0], self.X1.shape[0], self.Y3.shape[0]

    def in_data_order(self, paired: Array, first: Array, second: Array) -> Array:
        """(n, k) rows for all samples as the data have them, from the three groups' rows."""
        rows = np.empty((len(self.order), paired.shape[1]))
        rows[self.order] = np.vstack([paired, first, second])
        return rows
