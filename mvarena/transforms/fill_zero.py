"""fill-zero: zeros stand in for the missing rows."""

from __future__ import annotations

import numpy as np

from mvarena.data import MultiViewData
from mvarena.errors import Incompatible


def fill_zero(data: MultiViewData) -> MultiViewData:
    """The data with every missing row replaced by zeros; complete afterwards.

    In a kernel a missing sample is then similar to nothing, itself included. Raises Incompatible if a distance view
    misses samples: a distance of zero would make them all the same. Cost O(1).
    """
    for view, observed in zip(data.views, data.mask.T, strict=True):
        if view.kind == "distance" and not observed.all():
            raise Incompatible(
                f"fill-zero cannot fill view '{view.name}' of {data.name}: it holds distances, of which zero means "
                "the same; fill with fill-mean or fill-knn."
            )
    return data.with_views(data.views, mask=np.ones_like(data.mask))
