"""What every corruption asks of its rate and its data: how many samples a rate is, and when it is impossible."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

_ROUNDING = 1e-9


def count_at(rate: float, n: int) -> int:
    """`rate` of `n`, rounded half up; decimals are meant as written, so 0.145 of 100 is 15."""
    return math.floor(rate * n + 0.5 + _ROUNDING)


def check_fraction(corruption: str, data: MultiViewData, rate: float, largest: float, why: str) -> None:
    """Raise InvalidSetting unless 0 <= rate <= largest, naming the largest rate and `why` it is the largest."""
    if not 0 <= rate <= largest + _ROUNDING:
        shown = math.floor(largest * 1e6) / 1e6
        given = "no number" if math.isnan(rate) else f"{rate:g}"
        raise InvalidSetting(
            f"{corruption}: a rate of {given} is not possible on {data.name}; choose one from 0 to {shown:g} ({why})."
        )


def require_complete(corruption: str, data: MultiViewData) -> None:
    """Raise InvalidSetting if `data` miss samples already: a rate would no longer mean what it says."""
    if not data.is_complete:
        incomplete = int((~data.complete_samples).sum())
        raise InvalidSetting(
            f"{corruption} starts from complete data, and in {data.name} {incomplete} of {data.n_samples} samples "
            "miss a view already; leave --corrupt out to use the data as they are, choose a complete data set, or, "
            f"where another corruption removed them, name {corruption} before it."
        )


def require_classes(corruption: str, data: MultiViewData, instead: str) -> NDArray[np.int64]:
    """(n,) the classes of `data`, -1 where unlabelled; InvalidSetting, naming `instead`, where there are none."""
    if data.labels is None:
        raise InvalidSetting(f"{corruption} goes by classes and {data.name} has no labels; use {instead} instead.")
    return data.labels
