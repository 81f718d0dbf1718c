"""Skipping of methods on data sets on which they have reached a limit without any corruption."""

from __future__ import annotations

from datetime import UTC, datetime

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Step, Trial
from mvarena.store.encoding import canonical_json

_LIMITS = (Status.TIMEOUT, Status.OUT_OF_MEMORY)


class AfterLimit:
    """Method and data set of each trial without corruption that reached a limit.

    A method is its name, version and parameters; a data set is its content. Preparations count alike: the time of a
    method hardly depends on the scaling.
    """

    def __init__(self) -> None:
        self._reached: set[tuple[str, str, str, str]] = set()

    def note(self, trial: Trial, status: Status) -> None:
        """Take in how a trial ended, now or earlier."""
        if status in _LIMITS and all(_removes_nothing(step) for step in trial.corruptions):
            self._reached.add(_point(trial))

    def skipped(self, trial: Trial) -> Outcome | None:
        """The outcome of a trial that is to be skipped; None for all others."""
        if _point(trial) not in self._reached:
            return None
        reason = f"Not run: {trial.algorithm} reached a limit on {trial.dataset} as it is."
        return Outcome(status=Status.SKIPPED, started_at=datetime.now(UTC), wall_s=0.0, reason=reason)


def _removes_nothing(step: Step) -> bool:
    return step.name.startswith("missing-") and step.rate == 0


def _point(trial: Trial) -> tuple[str, str, str, str]:
    return trial.algorithm, trial.algorithm_version, canonical_json(dict(trial.params)), trial.content
