"""Corruption of data at a given rate, from a random generator alone; and measures of its effect."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.parameters import checked_parameters
from mvarena.contracts.spec_lookup import SpecLookup, complete_docstring
from mvarena.contracts.specs import CorruptionSpec
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidData, InvalidSetting

_ROUNDING = 1e-9


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False)
class Corruption(ABC):
    """Base class of corruptions: a subclass declares its parameters and implements `spoil`.

        class Halved(Corruption):
            factor: Positive = 0.5

            def spoil(self, data, rate, rng): ...

    The annotated names are the keyword-only parameters of its constructor, all with defaults, checked when it is made
    (`mvarena.contracts.parameters`). A variant is a parameter, or a spec of its own.
    """

    spec: ClassVar[SpecLookup[CorruptionSpec]] = SpecLookup(
        CorruptionSpec, rate_means="the fraction that is spoilt", formula=""
    )
    limit: ClassVar[str] = "1 is everything"
    """In words, why there is a largest rate."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        dataclass(kw_only=True, eq=False)(cls)
        complete_docstring(cls, CorruptionSpec)

    def __post_init__(self) -> None:
        for name, value in checked_parameters(self.spec.name, type(self), vars(self)).items():
            setattr(self, name, value)

    def largest_rate(self, data: MultiViewData) -> float:
        """The largest rate that is possible on `data`; infinite where there is no largest one."""
        del data
        return math.inf if self.spec.rate_kind == "snr" else 1.0

    @abstractmethod
    def spoil(self, data: MultiViewData, rate: float, rng: np.random.Generator) -> MultiViewData:
        """Data spoilt at a possible rate other than the one that means "nothing".

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
                f"its rate is a signal-to-noise ratio and must be above 0, not {given}; choose one such as 10 (or "
                "10dB); smaller means more noise, and no corruption means no noise."
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


# What a corruption did, measured by comparing the data before and after: per view and over the samples.


def corruption_effect(before: MultiViewData, after: MultiViewData) -> dict[str, Any]:
    """Changes from `before` to `after`, as plain numbers that JSON can hold.

    Parameters
    ----------
    before, after : the same samples and views, in the same order, without and with the corruption.

    Returns
    -------
    incomplete : the fraction of the samples that miss a view afterwards.
    samples_by_missing_views : a list of V; entry i is how many samples miss exactly i views afterwards.
    samples_by_changed_views : a list of V + 1; entry i is how many samples hold other numbers in exactly i views.
    views : view name -> {missing : fraction of the samples it does not observe afterwards,
        changed_rows, changed_entries : fraction of its observed rows and of their entries that differ,
        snr : linear signal-to-noise ratio over its observed entries, None where nothing changed}.

    Raises InvalidData if samples or views differ. Cost O(n d).
    """
    if before.n_samples != after.n_samples or before.view_names != after.view_names:
        raise InvalidData(f"{after.name}: rates can be compared only for the same samples and views.")
    changed = np.zeros_like(after.mask)
    views: dict[str, dict[str, float | None]] = {}
    for i, (old, new) in enumerate(zip(before.views, after.views, strict=True)):
        kept = before.mask[:, i] & after.mask[:, i]
        views[new.name], changed[:, i] = _compared(old, new, kept)
        views[new.name]["missing"] = float(1 - after.mask[:, i].mean())
    return {
        "incomplete": float(1 - after.complete_samples.mean()),
        "samples_by_missing_views": np.bincount((~after.mask).sum(axis=1), minlength=after.n_views).tolist(),
        "samples_by_changed_views": np.bincount(changed.sum(axis=1), minlength=after.n_views + 1).tolist(),
        "views": views,
    }


def _compared(old: View, new: View, kept: NDArray[np.bool_]) -> tuple[dict[str, float | None], NDArray[np.bool_]]:
    """The view's changes over the rows that both observe, and (n,) True for the rows that differ."""
    before, after = _observed(old, kept), _observed(new, kept)
    error = after - before
    differs = error != 0
    per_row = np.asarray(differs.sum(axis=1)).ravel()
    changed = np.zeros(kept.shape, dtype=bool)
    changed[kept] = per_row > 0
    noise = _power(error)
    return {
        "changed_rows": float((per_row > 0).mean()) if per_row.size else 0.0,
        "changed_entries": float(per_row.mean() / before.shape[1]) if per_row.size else 0.0,
        "snr": _power(before) / noise if noise > 0 else None,
    }, changed


def _observed(view: View, kept: NDArray[np.bool_]) -> Any:
    """The rows `kept`; of a kernel or distance view their columns too."""
    rows = view.matrix[kept]
    return rows if view.kind == "features" else rows[:, kept]


def _power(matrix: Any) -> float:
    """The sum of the squared entries."""
    entries = np.ravel(matrix.data if sparse.issparse(matrix) else matrix)
    return float(entries @ entries)
