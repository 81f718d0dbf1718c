"""Names of the stored trials that a run is asked to run again, by what became of them."""

from __future__ import annotations

from collections.abc import Mapping

from mvarena.contracts.outcome import Status

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
