"""The views of data, none of them empty."""

from __future__ import annotations

from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting


def nonzero_views(data: MultiViewData) -> tuple[View, ...]:
    """The (nonnegative) views, each of which can be divided by its sum; InvalidSetting for one of zeros."""
    for view in data.views:
        if not view.matrix.sum() > 0:
            raise InvalidSetting(f"view '{view.name}' cannot be scaled: its entries are all zero; leave it out.")
    return data.views
