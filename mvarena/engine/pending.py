"""Selection of the trials that a run would execute, and of those that it would leave as stored."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, overload

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.code_fingerprint import code_fingerprint
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import FAILURES, SETTLED, current_attempts

if TYPE_CHECKING:
    from mvarena.registry.catalog import Catalog
    from mvarena.store.trials import Attempt


_TOGETHER = 5000  # trials that are looked at together


class Chosen(Sequence[Trial]):
    """Some of a plan's trials, in its order; each is made when it is asked for, so a million take 8 MB."""

    def __init__(self, trials: Sequence[Trial], places: array[int]) -> None:
        self._trials = trials
        self._places = places

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chosen) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as lists have none

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Trial]:
        if len(self._places) == len(self._trials):
            return iter(self._trials)
        return (self._trials[path] for path in self._places)

    @overload
    def __getitem__(self, place: int) -> Trial: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Trial, ...]: ...

    def __getitem__(self, place: int | slice) -> Trial | tuple[Trial, ...]:
        if isinstance(place, slice):
            return tuple(self._trials[item] for item in self._places[place])
        return self._trials[self._places[place]]


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
) -> Pending:
    """Select the trials that a run would execute, as `Conductor` decides it; all of them without a database.

    Imports the algorithms of what is stored. Raises InvalidSetting for what cannot be run again. Memory: some bytes for
    each trial, and some hundred for each that is stored.
    """
    codes: dict[str, str] = {}
    rule = Rerun(frozenset(rerun), timeout_s, codes, memory)
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


# Which stored trials are run again: those that someone asks for, and time-outs that may take longer now.

# what can be asked for -> the outcomes that it means
_OUTCOMES: Mapping[str, tuple[Status, ...]] = {
    "failed": (Status.FAILED, Status.OUT_OF_MEMORY),
    "timeout": (Status.TIMEOUT,),
    "crashed": (Status.CRASHED,),
    "skipped": (Status.SKIPPED,),
}
STALE, ALL = "stale", "all"
RERUNS = (*_OUTCOMES, STALE, ALL)
_LONGER_S = 1.0  # more than what a time-out is noticed late


@dataclass(frozen=True, slots=True)
class Rerun:
    """Rule for stored trials to run again, as `RERUNS` names it.

    failed : ended in an error, out of memory among them. timeout, crashed, skipped : ended so. stale : run by other
    code of the algorithm than is here now. all : all of these; what is done by the same code stays.
    A stored time-out is run again unasked where more time is allowed now than it took, by more than a second; and what
    ran out of memory, where more memory is allowed now than it had.

    kinds : any of `RERUNS`; InvalidSetting for another. timeout_s : seconds that a trial may take now, None: any.
    codes : algorithm -> the fingerprint of its code now (`codes_of`). memory : bytes that a trial may take now, None:
    any (`Limits.memory_of_a_process`).
    """

    kinds: frozenset[str]
    timeout_s: float | None
    codes: Mapping[str, str]
    memory: int | None = None

    def __post_init__(self) -> None:
        for kind in sorted(self.kinds - set(RERUNS)):
            raise InvalidSetting(f"'{kind}' cannot be run again; choose among {', '.join(RERUNS)}.", field="rerun")

    def wants(self, trial: Trial, attempt: Attempt) -> bool:
        """True if the trial is to be run again, whose current attempt that is."""
        if attempt.status is Status.TIMEOUT and self._may_take_longer(attempt):
            return True
        if attempt.status is Status.OUT_OF_MEMORY and self._may_take_more(attempt):
            return True
        requested = set(_OUTCOMES) | {STALE} if ALL in self.kinds else self.kinds
        if any(attempt.status in _OUTCOMES.get(kind, ()) for kind in requested):
            return True
        return STALE in requested and self.is_stale(trial, attempt)

    def is_stale(self, trial: Trial, attempt: Attempt) -> bool:
        """True if other code of its algorithm ran the trial, however that ended; never where either is not known."""
        now = self.codes.get(trial.algorithm, "")
        return "" not in (now, attempt.source_hash) and now != attempt.source_hash

    def _may_take_longer(self, attempt: Attempt) -> bool:
        return self.timeout_s is None or self.timeout_s > attempt.wall_s + _LONGER_S

    def _may_take_more(self, attempt: Attempt) -> bool:
        allowed = attempt.memory  # None: nobody limited it, or it is not known
        return allowed is not None and (self.memory is None or self.memory > allowed)


def codes_of(trials: Iterable[Trial], catalog: Catalog) -> dict[str, str]:
    """Algorithm -> the fingerprint of its code, for the algorithms of `trials`. Each is imported."""
    specs = {trial.algorithm: trial.spec for trial in trials}
    return {name: code_fingerprint(catalog.load(spec or catalog.algorithm(name))) for name, spec in specs.items()}


def rerun_of(status: Status) -> str:
    """Name of the rule that runs a trial with that outcome again; '' where there is none."""
    return next((kind for kind, outcomes in _OUTCOMES.items() if status in outcomes), "")
