"""Outcome of a trial. A failure is an outcome, too, stored and shown as one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mvarena.numerics.kmeans import Labelling


MEMORY_AT_START = "memory_at_start_mb"
"""In `achieved` of an outcome that is done: MiB that its process held before its first trial."""

SPEED = "speed"
"""In the environment of an outcome whose CPU time was limited: the machine's speed, by which its seconds count."""

UNSCORED = "unscored"
"""In `achieved` of an outcome that is done: metric -> why it has no scores, where there are such metrics."""


class Status(StrEnum):
    """Status at the end of a trial."""

    DONE = "DONE"
    FAILED = "FAILED"
    TIMEOUT = "TIMEOUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    CRASHED = "CRASHED"
    SKIPPED = "SKIPPED"
    INTERRUPTED = "INTERRUPTED"


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of a trial; the value may be NaN or infinite.

    value, spread : as the protocol counts the restarts (`mvarena.contracts.protocol.counted_value`).
    """

    metric: str
    metric_version: str
    value: float
    spread: float = math.nan


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Result of one attempt at a trial.

    reason : one sentence for anything but DONE. traceback, signal : where they exist. stdout_tail, stderr_tail : the
    end of what was printed meanwhile.
    wall_s, cpu_s : seconds of the whole trial; fit_s : wall seconds of the representation alone.
    peak_rss_mb : peak resident memory (MiB) of the trial's process, or of a larger program that it ran.
    labellings : of the restart that counts alone, or one per restart, in the order of the restarts' seeds.
    restart : the one that counts.
    truth : (n,) the data's classes, -1 where unlabelled, or None; so that later metrics need no data.
    achieved : what was done to the data: what the corruptions did, per view and over the samples, and under 'decided'
        what those transforms took each view for that look at its numbers (transform -> view -> words).
    environment : versions, machine, threads. source_hash : the fingerprint of the algorithm's own code.
    """

    status: Status
    started_at: datetime
    wall_s: float
    cpu_s: float = 0.0
    fit_s: float = 0.0
    peak_rss_mb: float = 0.0
    reason: str = ""
    traceback: str = ""
    stdout_tail: str = ""
    stderr_tail: str = ""
    signal: int | None = None
    labellings: tuple[Labelling, ...] = ()
    restart: int = 0
    scores: tuple[Score, ...] = ()
    truth: NDArray[np.int64] | None = None
    objective: tuple[float, ...] = ()
    n_iter: int = 0
    converged: bool = True
    stopped_because: str = ""
    achieved: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    source_hash: str = ""

    @property
    def counted(self) -> Labelling | None:
        """The labelling of the restart that counts; None where there is none."""
        if len(self.labellings) > 1:
            return self.labellings[self.restart]
        return self.labellings[0] if self.labellings else None


# names of the stored trials that a run is asked to run again, by what became of them
OUTCOMES: Mapping[str, tuple[Status, ...]] = {
    "failed": (Status.FAILED, Status.OUT_OF_MEMORY),
    "timeout": (Status.TIMEOUT,),
    "crashed": (Status.CRASHED,),
    "skipped": (Status.SKIPPED,),
}
STALE, ALL = "stale", "all"
RERUNS = (*OUTCOMES, STALE, ALL)


def rerun_of(status: Status) -> str:
    """Name of the rule that runs a trial with that outcome again; '' where there is none."""
    return next((kind for kind, outcomes in OUTCOMES.items() if status in outcomes), "")
