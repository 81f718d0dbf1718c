"""Views brought to one scale by a single number each."""

from __future__ import annotations

from typing import Any

import numpy as np

from mvarena.data import MultiViewData
from mvarena.numerics.factorization import squared_norm


def mean_length_one(data: MultiViewData) -> list[Any]:
    """Each view's (n, d_v) matrix divided by the root mean square length of the rows that it observes.

    Rows of unit length stay as they are. For others it keeps what the views hold, and gives weights of terms such as
    norm(Z)^2 the meaning that they have for rows of unit length, as the papers' data have. A view of zeros stays one.
    """
    scaled = []
    for view, seen in zip(data.views, data.mask.T, strict=True):
        length = np.sqrt(squared_norm(view.matrix) / np.count_nonzero(seen))
        scaled.append(view.matrix / length if length > 0 and abs(length - 1.0) > 1e-12 else view.matrix)
    return scaled
