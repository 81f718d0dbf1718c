"""A protocol: how often clusters are assigned, and how many labellings become one number. Data, no code.

Whatever picks by labels is marked so wherever it is shown: no user without ground truth could do the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

from mvarena.errors import InvalidSetting

Preparation = Literal["auto", "paper"]
Pick = Literal["mean", "lowest-inertia", "best-by-labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Rules for the evaluation of a representation.

    restarts : k-means runs (one random start each) per trial.
    unit_rows : whether the embedding's rows are scaled to unit length before k-means.
    pick : what a trial's score is: the mean over restarts, the restart of lowest inertia, or the best by labels.
    repeats : how often each point is run by default, each time with another mask or draw.
    prepare : where a study does not say: "auto", the same scaling for everybody and for each method the adaptation that
        it needs, or "paper", each method's published preparation. It is keyed as the steps that it comes to.
    nmi : the metric that its paper calls NMI.
    source : where it is written down.
    """

    name: str
    summary: str
    restarts: int = 20
    unit_rows: bool = False
    pick: Pick = "mean"
    repeats: int = 5
    prepare: Preparation = "auto"
    nmi: str = "nmi"
    source: str = ""

    @property
    def picks_by_labels(self) -> bool:
        return self.pick == "best-by-labels"

    def settings(self) -> dict[str, Any]:
        """Settings that change a trial's result, for the trial's key."""
        return {"restarts": self.restarts, "unit_rows": self.unit_rows, "pick": self.pick}

    def with_restarts(self, restarts: int | None) -> Protocol:
        """Protocol with another number of restarts."""
        if restarts is None or restarts == self.restarts:
            return self
        if restarts < 1:
            raise InvalidSetting(f"restarts must be at least 1, not {restarts}.", field="restarts", value=restarts)
        return replace(self, restarts=restarts)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


# What a protocol counts of the restarts of a trial: one value of each metric, and one labelling.


class Counted(NamedTuple):
    """The value of a metric that a protocol counts, and its spread over the restarts (NaN where one restart counts)."""

    value: float
    spread: float = math.nan


def counted_value(
    pick: Pick, values: Sequence[float], inertias: Sequence[float], higher_is_better: bool = True
) -> Counted:
    """The value of a metric that counts under `pick`.

    values : of each restart, or a single one of all restarts together. inertias : of each restart, NaN where unknown.
    'mean': the mean and the standard deviation (n - 1) of what is a number; NaN where nothing is, or a single value
    varies. 'lowest-inertia': the value of `lowest_inertia`, even if it is NaN. 'best-by-labels': the best value; NaN
    only if all are.
    """
    if len(values) == 1:
        return Counted(values[0])
    if pick == "lowest-inertia":
        return Counted(values[lowest_inertia(inertias)])
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return Counted(math.nan)
    if pick == "best-by-labels":
        return Counted(max(known) if higher_is_better else min(known))
    mean = _compensated_sum(known) / len(known)
    if len(known) == 1 or not math.isfinite(mean):
        return Counted(mean)
    return Counted(mean, math.sqrt(_compensated_sum([(value - mean) ** 2 for value in known]) / (len(known) - 1)))


def _compensated_sum(values: Sequence[float]) -> float:
    """Kahan's sum: the last digits hardly depend on the order."""
    total = lost = 0.0
    for value in values:
        term = value - lost
        new = total + term
        lost = new - total - term
        if math.isnan(lost):  # of infinite values
            lost = 0.0
        total = new
    return total


def lowest_inertia(inertias: Sequence[float]) -> int:
    """Index of the restart of lowest inertia, the first of equals; an unknown one (NaN) counts as the highest."""
    return min(range(len(inertias)), key=lambda index: math.inf if math.isnan(inertias[index]) else inertias[index])


def counted_restart(pick: Pick, inertias: Sequence[float], judged: Sequence[float] = ()) -> int:
    """Index of the restart whose labels count: of lowest inertia, as `fit_predict` gives it, or the best by labels.

    judged : score of each restart by which 'best-by-labels' picks, higher is better; none: by inertia.
    """
    if pick != "best-by-labels" or not judged:
        return lowest_inertia(inertias)
    return max(range(len(judged)), key=lambda index: -math.inf if math.isnan(judged[index]) else judged[index])
