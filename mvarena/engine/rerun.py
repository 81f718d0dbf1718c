"""Rules for stored trials to run again, and for trials to skip after a limit was reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mvarena.contracts.outcome import ALL, OUTCOMES, RERUNS, STALE, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.errors import InvalidSetting
from mvarena.registry.code_digest import code_digest, is_other_code
from mvarena.store.encoding import canonical_json

if TYPE_CHECKING:
    from mvarena.registry.catalog import Catalog
    from mvarena.store.trials import Attempt


@dataclass(frozen=True, slots=True)
class Rerun:
    """Rule for stored trials to run again, as `RERUNS` names it.

    failed : ended in an error, out of memory among them. timeout, crashed, skipped : ended so. stale : run by other
    code of the algorithm than is here now. all : all of these; what is done by the same code stays.

    kinds : any of `RERUNS`; InvalidSetting for another. codes : algorithm -> the fingerprint of its code now
    (`codes_of`).
    """

    kinds: frozenset[str]
    codes: Mapping[str, str]

    def __post_init__(self) -> None:
        for kind in sorted(self.kinds - set(RERUNS)):
            raise InvalidSetting(f"'{kind}' cannot be run again; choose from {', '.join(RERUNS)}.", field="rerun")

    def wants(self, trial: Trial, attempt: Attempt) -> bool:
        """True if the trial is to be run again, whose current attempt that is."""
        requested = set(OUTCOMES) | {STALE} if ALL in self.kinds else self.kinds
        if any(attempt.status in OUTCOMES.get(kind, ()) for kind in requested):
            return True
        return STALE in requested and self.is_stale(trial, attempt)

    def is_stale(self, trial: Trial, attempt: Attempt) -> bool:
        """True if other code of its algorithm ran the trial, however that ended; never where either is not known."""
        return is_other_code(attempt.source_hash, self.codes.get(trial.algorithm, ""))


def codes_of(trials: Iterable[Trial], catalog: Catalog) -> dict[str, str]:
    """Algorithm -> the fingerprint of its code, for the algorithms of `trials`. Each is imported."""
    specs = {trial.algorithm: trial.spec for trial in trials}
    return {name: code_digest(catalog.load(spec or catalog.algorithm(name))) for name, spec in specs.items()}


class AfterLimit:
    """Methods that reached a limit on a data set as it is, by name, version and parameters: to be skipped on it."""

    def __init__(self) -> None:
        self._reached: set[tuple[str, str, str, str]] = set()

    def note(self, trial: Trial, status: Status) -> None:
        """Take in how a trial ended, now or earlier."""
        complete = all(step.name.startswith("missing-") and step.rate == 0 for step in trial.corruptions)
        if complete and status in (Status.TIMEOUT, Status.OUT_OF_MEMORY):
            self._reached.add(_point(trial))

    def skipped(self, trial: Trial) -> Outcome | None:
        """The outcome of a trial that is to be skipped; None for all others."""
        if _point(trial) not in self._reached:
            return None
        reason = f"Not run: {trial.algorithm} reached a limit on {trial.dataset} as it is."
        return Outcome(status=Status.SKIPPED, started_at=datetime.now(UTC), wall_s=0.0, reason=reason)


def _point(trial: Trial) -> tuple[str, str, str, str]:
    return trial.algorithm, trial.algorithm_version, canonical_json(dict(trial.params)), trial.content
