"""unit-rows: every row to Euclidean length 1."""

from __future__ import annotations

from mvarena.contracts.feature_views import map_features
from mvarena.data import MultiViewData
from mvarena.numerics import scaling


def unit_rows(data: MultiViewData) -> MultiViewData:
    """The data with each row divided by its Euclidean length; zero rows stay zero, sparse views stay sparse.

    Raises Incompatible for kernel and distance views. Cost O(entries).
    """
    return map_features("unit-rows", data, lambda view, _: scaling.unit_rows(view.matrix))
