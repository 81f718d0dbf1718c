"""What transforms of numbers share: one function applied to every feature view; kernels and distances stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible


def each_feature_view(
    component: str, data: MultiViewData, function: Callable[[View, NDArray[np.bool_]], Any]
) -> MultiViewData:
    """The data with `function(view, observed)` as the matrix of each feature view, in the views' order.

    Parameters
    ----------
    component : the name of the transform, for the error.
    function : gets a view and (n,) True where it observes the sample; what it leaves in missing rows is blanked.

    Raises Incompatible if no view holds features.
    """
    if all(view.kind != "features" for view in data.views):
        kinds = " and ".join(sorted({view.kind for view in data.views}))
        raise Incompatible(
            f"{component} works on features, and {data.name} holds {kinds} views only; leave {component} out."
        )
    return data.with_views(
        replace(view, matrix=function(view, data.mask[:, i])) if view.kind == "features" else view
        for i, view in enumerate(data.views)
    )
