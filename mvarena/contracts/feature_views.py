"""One function applied to every feature view, for transforms and corruptions; other kinds stay or are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible


def map_features(
    component: str, data: MultiViewData, function: Callable[[View, NDArray[np.bool_]], Any]
) -> MultiViewData:
    """The data with `function(view, observed)` as each view's matrix, in the views' order.

    Parameters
    ----------
    component : the name of the transform or corruption, for the error.
    function : gets a view and (n,) True where it observes the sample; what it leaves in missing rows is blanked.

    Raises Incompatible if a view is a kernel or holds distances.
    """
    for view in data.views:
        require_features(component, data, view)
    return each_feature_view(component, data, function)


def each_feature_view(
    component: str, data: MultiViewData, function: Callable[[View, NDArray[np.bool_]], Any]
) -> MultiViewData:
    """As `map_features`, but kernel and distance views stay as they are.

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


def require_features(component: str, data: MultiViewData, view: View) -> None:
    """Raise Incompatible unless `view` holds features."""
    if view.kind != "features":
        raise Incompatible(
            f"{component} works on features, and view '{view.name}' of {data.name} is a {view.kind}; "
            f"leave {component} out, or select feature views by name."
        )
