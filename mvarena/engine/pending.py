"""Selection of the trials that a run would execute, and of those that it would leave as stored."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.rerun import Rerun, codes_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import FAILURES, SETTLED, current_attempts
from mvarena.study.grid import Chosen

_TOGETHER = 5000  # trials that are looked at together


@dataclass(frozen=True, slots=True)
class Pending:
    """trials : that would run, in order. kept : key -> the status of what is stored and stays. again : of the trials
    that would run, the keys of those that are stored already."""

    trials: Sequence[Trial]
    kept: Mapping[str, Status]
    again: frozenset[str] = frozenset()


def pending(
    db: Database | None,
    trials: Sequence[Trial],
    rerun: Iterable[str] = (),
    timeout_s: float | None = None,
    memory: int | None = None,
    cpu_s: float | None = None,
) -> Pending:
    """Select the trials that a run would execute, as `Conductor` decides it; all of them without a database.

    Imports the algorithms of what is stored. Raises InvalidSetting for what cannot be run again. Memory: some bytes for
    each trial, and some hundred for each that is stored.
    """
    codes: dict[str, str] = {}
    rule = Rerun(frozenset(rerun), timeout_s, codes, memory, cpu_s)
    places, kept, again = array("q"), dict[str, Status](), set[str]()
    rest, first = iter(trials), 0
    while batch := list(islice(rest, _TOGETHER)):
        stored = {} if db is None else current_attempts(db, [trial.key for trial in batch])
        known = [trial for trial in batch if trial.key in stored and trial.algorithm not in codes]
        codes.update(codes_of(known, installed_catalog()))
        for index, trial in enumerate(batch, first):
            attempt = stored.get(trial.key) if stored else None
            if attempt is not None and rule.wants(trial, attempt):
                again.add(trial.key)
            elif attempt is not None and attempt.status in (*SETTLED, *FAILURES):
                kept[trial.key] = attempt.status
                continue
            places.append(index)
        first += len(batch)
    return Pending(Chosen(trials, places), kept, frozenset(again))
