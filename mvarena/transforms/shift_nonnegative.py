"""shift-nonnegative: features moved up until none is negative."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.data import MultiViewData, View
from mvarena.numerics.scaling import column_range
from mvarena.transforms.on_features import each_feature_view


def shift_nonnegative(data: MultiViewData) -> MultiViewData:
    """Each feature less its smallest value over its view's observed rows, where that is negative.

    Distances between samples stay as they are, and so do features without negative values. A sparse view with some
    becomes dense. Raises Incompatible where no view holds features. Cost O(entries), or O(n d) for such a view.
    """

    def shifted(view: View, observed: NDArray[np.bool_]) -> Any:
        low = np.minimum(column_range(view.matrix[np.flatnonzero(observed)])[0], 0.0)
        if not low.any():
            return view.matrix
        return (view.matrix.toarray() if sparse.issparse(view.matrix) else view.matrix) - low

    return each_feature_view("shift-nonnegative", data, shifted)
