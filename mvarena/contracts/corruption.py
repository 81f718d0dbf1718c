"""Corruption: spoils data at a given rate, from a random generator and nothing else."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, dataclass_transform

import numpy as np

from mvarena.contracts.announced import SpecOfCorruption
from mvarena.contracts.parameters import checked_parameters
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting

_ROUNDING = 1e-9


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False)
class Corruption(ABC):
    """What a CorruptionSpec's target is: a subclass that declares its parameters and writes `spoil`.

        class Halved(Corruption):
            factor: Positive = 0.5

            def spoil(self, data, rate, rng): ...

    The annotated names are the keyword-only parameters of its constructor, all with defaults, checked when it is made
    (`mvarena.contracts.parameters`). A variant is a parameter, or a spec of its own.
    """

    spec: ClassVar[SpecOfCorruption] = SpecOfCorruption()
    limit: ClassVar[str] = "1 is everything"
    """In words, why there is a largest rate."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        dataclass(kw_only=True, eq=False)(cls)
        SpecOfCorruption.complete_docstring(cls)

    def __post_init__(self) -> None:
        for name, value in checked_parameters(self.spec.name, type(self), vars(self)).items():
            setattr(self, name, value)

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate that is possible on `data`; infinite where there is no largest one."""
        del data
        return math.inf if self.spec.rate_kind == "snr" else 1.0

    @abstractmethod
    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The data spoilt at a rate that is possible and not the one that means "nothing".

        They hold the same samples in the same order with the same labels, and depend on the data, the rate and `rng`
        only; nothing in `data` is changed.
        """

    def apply(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """The spoilt data. The rate that means "nothing" (0; an infinite signal-to-noise ratio) returns `data` itself.

        Raises InvalidSetting for an impossible rate, naming the largest possible one, and Incompatible for data
        that cannot be spoilt in this way.
        """
        if rate == (math.inf if self.spec.rate_kind == "snr" else 0):
            return data
        self.check(data, rate)
        return self.spoil(data, rate, rng)

    def check(self, data: MultiViewData, rate: float) -> None:
        """Raise InvalidSetting unless `rate` is possible on `data`."""
        given = "no number" if math.isnan(rate) else f"{rate:g}"
        largest = self.largest_rate(data)
        if self.spec.rate_kind == "snr":
            possible = rate > 0
            reason = (
                f"its rate is a signal-to-noise ratio and must be above 0, not {given}; choose one such as 10 "
                "(or 10dB), the smaller the noisier, and leave the corruption out for no noise."
            )
        else:
            possible = 0 <= rate <= largest + _ROUNDING
            shown = math.floor(largest * 1e6) / 1e6
            reason = f"a rate of {given} is not possible on {data.name}; choose one from 0 to {shown:g} ({self.limit})."
        if not possible:
            raise InvalidSetting(f"{self.spec.name}: {reason}", field="rate", value=rate)


def count_at(rate: float, n: int) -> int:
    """`rate` of `n`, rounded half up; decimals are meant as written, so 0.145 of 100 is 15."""
    return math.floor(rate * n + 0.5 + _ROUNDING)
