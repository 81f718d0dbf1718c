"""unit-rows and unit-view: every row, or the view as a whole, to unit length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.numerics import scaling
from mvarena.numerics.kernels import squared_norms
from mvarena.transforms.on_features import each_feature_view


def unit_rows(data: MultiViewData) -> MultiViewData:
    """The data with each row divided by its Euclidean length; zero rows stay zero, sparse views stay sparse.

    Kernel and distance views stay; raises Incompatible where no view holds features. Cost O(entries).
    """
    return each_feature_view("unit-rows", data, lambda view, _: scaling.unit_rows(view.matrix))


def unit_view(data: MultiViewData) -> MultiViewData:
    """Each view divided by the root of the mean squared length of its observed rows; sparse views stay sparse.

    All that a view says of its samples stays, as seen from the origin: directions, ratios of distances. Views become
    comparable in size. Kernel and distance views stay; raises Incompatible where no view holds features. Cost
    O(entries).
    """
    return each_feature_view("unit-view", data, lambda view, observed: of_unit_size(view.matrix, observed))


def of_unit_size(matrix: Any, observed: NDArray[np.bool_]) -> Any:
    """The dense or CSR matrix over the root mean squared length of the rows `observed`; zeros stay zeros."""
    largest = float(abs(matrix).max())
    if largest == 0:
        return matrix
    scaled = matrix * (1 / largest)  # first by the largest entry: squares neither overflow nor vanish
    mean = float(squared_norms(scaled[np.flatnonzero(observed)]).mean())
    return scaled * (1 / np.sqrt(mean)) if mean > 0 else scaled
