"""Interface of an engine: run trials side by side and return the outcome of each."""

from __future__ import annotations

from typing import Protocol

from mvarena.contracts.outcome import Outcome
from mvarena.contracts.trial import Trial


class Engine(Protocol):
    """Runs each trial in a process that can be ended, here or elsewhere; every trial that is submitted ends once."""

    @property
    def has_room(self) -> bool:
        """True if another trial can be submitted now."""

    @property
    def running(self) -> list[Trial]:
        """The trials under way."""

    def submit(self, trial: Trial) -> None:
        """Start `trial`; call only when there is room."""

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        """The trials that end within `patience_s` seconds (at the first, all that have ended by then)."""

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        """End all at once; the trials under way end INTERRUPTED."""
