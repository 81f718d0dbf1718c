"""minmax and zscore: every feature to a common scale, measured on the rows that its view observes."""

from __future__ import annotations

from mvarena.data import MultiViewData
from mvarena.numerics.scaling import standard_columns, unit_range
from mvarena.transforms.on_features import each_feature_view


def minmax(data: MultiViewData) -> MultiViewData:
    """Each feature mapped to [0, 1] over its view's observed rows: (x - min) / (max - min); constant ones become 0.

    A sparse view stays sparse unless one of its columns holds negative values beside zeros.
    Kernel and distance views stay; raises Incompatible where no view holds features. Cost O(entries), or O(n d) where a
    sparse view becomes dense.
    """
    return each_feature_view("minmax", data, lambda view, observed: unit_range(view.matrix, observed))


def zscore(data: MultiViewData) -> MultiViewData:
    """Each feature to mean 0 and population standard deviation 1 over its view's observed rows; constant ones to 0.

    A sparse view becomes dense. Kernel and distance views stay; raises Incompatible where no view holds features. Cost
    O(n d).
    """
    return each_feature_view("zscore", data, lambda view, observed: standard_columns(view.matrix, observed))
