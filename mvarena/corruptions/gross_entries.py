"""gross-entries: a share of the entries is grossly wrong."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.contracts.feature_views import map_features
from mvarena.contracts.parameters import Positive
from mvarena.data import MultiViewData, View


class GrossEntries(Corruption):
    """round(rate * entries) of each view's observed entries, drawn at random, are off by +-magnitude deviations.

    The deviation is the standard deviation of all observed entries of the view (1 where they are all equal); the
    sign of each error is drawn. A sparse view stays sparse and stores the wrong entries besides. Cost O(n d).
    RPCA's model of sparse gross errors.

    Parameters
    ----------
    magnitude : size of each error in the view's standard deviations.
    """

    limit: ClassVar[str] = "1 is every entry"

    magnitude: Positive = 5.0

    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data with wrong entries. Raises Incompatible for kernel and distance views."""

        def wrong(view: View, observed: NDArray[np.bool_]) -> Any:
            rows, d = np.flatnonzero(observed), view.n_features
            entries = rng.choice(rows.size * d, count_at(rate, rows.size * d), replace=False, shuffle=False)
            size = self.magnitude * (_deviation(view.matrix, rows.size * d) or 1.0)
            errors = size * rng.choice([-1.0, 1.0], entries.size)
            where = (rows[entries // d], entries % d)
            if view.is_sparse:
                return sparse.csr_array(view.matrix + sparse.csr_array((errors, where), shape=view.matrix.shape))
            matrix = view.matrix.copy()
            matrix[where] += errors
            return matrix

        return map_features(self.spec.name, data, wrong)


def _deviation(matrix: Any, entries: int) -> float:
    """Standard deviation over `entries` entries, of which those that are not stored or in missing rows are zero.

    Missing rows are zero in the matrix, so they add nothing to the two sums.
    """
    stored = matrix.data if sparse.issparse(matrix) else matrix[matrix != 0]
    mean = float(stored.sum()) / entries
    squares = float(((stored - mean) ** 2).sum()) + (entries - stored.size) * mean**2
    spread = math.sqrt(squares / entries)
    return spread if spread > 1e-12 * abs(mean) else 0.0
