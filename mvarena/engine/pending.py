"""Selection of the trials that a run would execute, and of those that it would leave as stored."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, overload

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.rerun import Rerun, codes_of
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.store.trials import FAILURES, SETTLED, current_attempts

if TYPE_CHECKING:
    pass


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
