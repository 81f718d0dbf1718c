"""Outcomes of samples: survival and further columns, by which clusters can be judged where there are no classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.survival_columns import SurvivalColumns, survival_columns
from mvarena.fingerprint import new_digest, update_with_array

ABSENT = -1
"""In `OutcomeTable.take`: a sample of which the table has no row."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OutcomeTable:
    """Outcomes of n samples, in their order. No algorithm sees them.

    n_samples : how many. time : (n,) float64 until the event, or until the sample was last seen; NaN where one of time
    and event is unknown. event : (n,) bool, whether the event was seen. Both None: no survival.
    columns : name -> (n,) further outcomes: float64 for numbers, NaN where unknown; text for categories, '' where
        unknown.
    names : of the columns with time and event, for what people read. notes : on rows and columns that are not used.
    """

    n_samples: int
    time: NDArray[np.float64] | None = None
    event: NDArray[np.bool_] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    names: tuple[str, str] = ("time", "event")
    notes: tuple[str, ...] = ()

    @property
    def known(self) -> NDArray[np.bool_]:
        """(n,) whether time and event are known."""
        return np.zeros(self.n_samples, dtype=bool) if self.time is None else ~np.isnan(self.time)

    def survival_of(
        self, labels: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]] | None:
        """Times, events and labels of the samples whose survival is known; None where there is none."""
        if self.time is None or self.event is None or not (known := self.known).any():
            return None
        return self.time[known], self.event[known], labels[known]

    @cached_property
    def like_survival(self) -> SurvivalColumns:
        """The columns that look like survival and were not named as such."""
        return survival_columns(self.columns)

    @property
    def tested(self) -> dict[str, NDArray[Any]]:
        """The columns by which clusters are compared: all but those that look like survival.

        A time is no plain number: of a sample that was last seen without an event it is a lower bound.
        """
        survival = {*self.like_survival.times, *(self.like_survival.events if self.like_survival.times else ())}
        return {name: values for name, values in self.columns.items() if name not in survival}

    def take(self, rows: NDArray[np.int64]) -> OutcomeTable:
        """The rows of these indices, in this order; for ABSENT a row without any outcome."""
        gone = rows == ABSENT
        parts: dict[str, Any] = {"n_samples": len(rows)}
        if self.time is not None and self.event is not None:
            parts["time"] = np.where(gone, np.nan, self.time[rows])
            parts["event"] = self.event[rows] & ~gone
        parts["columns"] = {
            name: np.where(gone, np.nan if values.dtype.kind == "f" else "", values[rows])
            for name, values in self.columns.items()
        }
        return replace(self, **parts)

    @cached_property
    def digest(self) -> str:
        """64 hex digits of the outcomes: scores by other outcomes are other scores."""
        digest = new_digest()
        digest.update(str(self.n_samples).encode())
        update_with_array(digest, self.time, "<f8")
        update_with_array(digest, self.event, "|b1")
        for name, values in self.columns.items():
            digest.update(f"|{name}|".encode())
            if values.dtype.kind == "f":
                update_with_array(digest, values, "<f8")
            else:
                digest.update("\0".join(map(str, values.tolist())).encode())
        return digest.hexdigest()

    def version_of(self, metric_version: str) -> str:
        """Version of scores by these outcomes, of a metric of that version."""
        return f"{metric_version}:{self.digest[:16]}"
