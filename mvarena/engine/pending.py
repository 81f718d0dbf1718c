"""What a run would execute now, and what it would leave as it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.rerun import Rerun, codes_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import FAILURES, SETTLED, current_attempts


@dataclass(frozen=True, slots=True)
class Pending:
    """trials : that would run, in order. kept : key -> the status of what is stored and stays. again : of the trials
    that would run, the keys of those that are stored already."""

    trials: tuple[Trial, ...]
    kept: Mapping[str, Status]
    again: frozenset[str] = frozenset()


def pending(
    db: Database | None,
    trials: Sequence[Trial],
    rerun: Iterable[str] = (),
    timeout_s: float | None = None,
    memory: int | None = None,
) -> Pending:
    """Which of `trials` a run would execute, as `Conductor` decides it; all of them where there is no database.

    Imports the algorithms of what is stored. Raises InvalidSetting for what cannot be run again.
    """
    stored = {} if db is None else current_attempts(db, [trial.key for trial in trials])
    known = [trial for trial in trials if trial.key in stored]
    rule = Rerun(frozenset(rerun), timeout_s, codes_of(known, installed_catalog()), memory)
    again = {trial.key for trial in known if rule.wants(trial, stored[trial.key])}
    ended = (*SETTLED, *FAILURES)
    kept = {key: one.status for key, one in stored.items() if key not in again and one.status in ended}
    return Pending(tuple(trial for trial in trials if trial.key not in kept), kept, frozenset(again))
