"""The trials of a plan: a sequence that makes each trial when it is asked for, so that a million take no room."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, overload

from mvarena.contracts.outcome import Status
from mvarena.contracts.protocol import Protocol
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.contracts.trial import Step, Trial
from mvarena.study.conditions import Point
from mvarena.text import plural


@dataclass(frozen=True, slots=True)
class Entry:
    """A contestant as it enters: its parameters and its preparation.

    own : whether no plugin announces it, so that a trial must carry its spec.
    """

    spec: AlgorithmSpec
    params: Mapping[str, Any]
    prepare: tuple[Step, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """All trials on one data set: every entry at every point in every repeat, the entries varying fastest."""

    source: Source
    content: str
    points: tuple[Point, ...]
    entries: tuple[Entry, ...]


class TrialGrid(Sequence[Trial]):
    """The trials of `parts` in order, each once: of two with one key, the later part's is kept.

    Memory: O(points + entries) for each part, whatever the number of repeats. A trial is made anew each time that it
    is asked for, in O(log parts).
    """

    def __init__(self, parts: Iterable[Part], n_repeats: int, protocol: Protocol, seed: int) -> None:
        self._n_repeats, self._protocol, self._seed = n_repeats, protocol, seed
        self._parts = [part for part in self._distinct(list(parts)) if part.points and part.entries]
        self._ends = list(accumulate(len(item.points) * n_repeats * len(item.entries) for item in self._parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Trial]:
        for part in self._parts:
            for point in part.points:
                for repeat in range(self._n_repeats):  # `product` would list them all first
                    for entry in part.entries:
                        yield self._trial(part, point, repeat, entry)

    @overload
    def __getitem__(self, place: int) -> Trial: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Trial, ...]: ...

    def __getitem__(self, place: int | slice) -> Trial | tuple[Trial, ...]:
        if isinstance(place, slice):
            return tuple(self[item] for item in range(*place.indices(len(self))))
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are {len(self)} trials, but none at {place}.")
        place %= len(self)
        index = bisect_right(self._ends, place)
        part = self._parts[index]
        rest, entry = divmod(place - (self._ends[index - 1] if index else 0), len(part.entries))
        point, repeat = divmod(rest, self._n_repeats)
        return self._trial(part, part.points[point], repeat, part.entries[entry])

    def samples(self) -> Iterator[Trial]:
        """One trial of each entry on each data set: what differs otherwise are the corruptions and the repeat."""
        for part in self._parts:
            for entry in part.entries:
                yield self._trial(part, part.points[0], 0, entry)

    def _trial(self, part: Part, point: Point, repeat: int, entry: Entry) -> Trial:
        return Trial(
            algorithm=entry.spec.name,
            algorithm_version=entry.spec.version,
            spec=entry.spec if entry.own else None,
            params=entry.params,
            source=part.source,
            content=part.content,
            corruptions=point,
            prepare=entry.prepare,
            protocol=self._protocol,
            seed=self._seed,
            repeat=repeat,
            picks_by_labels=entry.spec.picks_by_labels,
        )

    def _distinct(self, parts: list[Part]) -> list[Part]:
        """The parts without what comes twice, in one part or in a later one on the same content."""
        kept: list[Part] = []
        later: dict[str, list[tuple[Part, set[str]]]] = {}
        for part in reversed(parts):
            entries = {self._trial(part, (), 0, entry).key: entry for entry in part.entries}
            full = replace(part, points=tuple(dict.fromkeys(part.points)), entries=tuple(entries.values()))
            pieces = [full]
            for other, keys in later.get(part.content, ()):
                left = {id(entry) for key, entry in entries.items() if key not in keys}
                pieces = [piece for item in pieces for piece in _without(item, other.points, left)]
            later.setdefault(part.content, []).append((full, set(entries)))
            kept += reversed(pieces)
        return kept[::-1]


def _without(part: Part, points: Sequence[Point], left: set[int]) -> list[Part]:
    """The part, of which at `points` only the entries stay whose `id` is in `left`."""
    apart = tuple(point for point in part.points if point not in points)
    shared = tuple(point for point in part.points if point in points)
    entries = tuple(entry for entry in part.entries if id(entry) in left)
    return [replace(part, points=apart), replace(part, points=shared, entries=entries)]


class Chosen(Sequence[Trial]):
    """Some of a plan's trials, in its order; each is made when it is asked for, so a million take 8 MB."""

    def __init__(self, trials: Sequence[Trial], places: array[int]) -> None:
        self._trials = trials
        self._places = places

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


# Trials as users count them: one of a method that is picked by labels over its views counts once, not once a view.


class Counted:
    """Counts trials as they end; a trial of several parts ends with the last of them.

    trials : each once. total : how many there are. parts : how many fits they are made of.
    Of trials of one part nothing is held but their number.
    """

    def __init__(self, trials: Sequence[Trial]) -> None:
        self._of = {trial.key: whole(trial) for trial in trials if trial.picks_by_labels is not None}
        self._open = Counter(self._of.values())
        self.parts = len(trials)
        self.total = self.parts - len(self._of) + len(self._open)
        self.ended = 0

    def end(self, keys: Iterable[str]) -> None:
        """These have ended; each key is given once."""
        for key in keys:
            value = self._of.get(key)
            if value is not None:
                self._open[value] -= 1
            self.ended += value is None or self._open[value] == 0


def statuses(trials: Iterable[Trial], became: Mapping[str, Status]) -> dict[str, Status]:
    """Trial, as users count them -> what became of it, of those that have a part in `became` (key -> status).

    Where its parts did not end alike it is that of the first part that is not done.
    """
    result: dict[str, Status] = {}
    for trial in trials:
        if (status := became.get(trial.key)) and result.setdefault(item := whole(trial), status) is Status.DONE:
            result[item] = status
    return result


def whole(trial: Trial) -> str:
    """Identity that all parts of one trial share: everything but the parameter over which labels pick."""
    if trial.picks_by_labels is None:
        return trial.key
    identity = trial.identity()
    params = {name: value for name, value in identity["params"].items() if name != trial.picks_by_labels}
    return json.dumps(identity | {"params": params}, sort_keys=True)


def count_in_words(trials: Sequence[Trial]) -> str:
    """'10 trials', or '10 trials (25 fits: bsv-kmeans one for each view)'."""
    counted = Counted(trials)
    text = plural(counted.total, "trial")
    if counted.parts == counted.total:
        return text
    over = {trial.algorithm: trial.picks_by_labels for trial in trials if trial.picks_by_labels}
    settings = ", ".join(f"{name} one for each {parameter}" for name, parameter in over.items())
    return f"{text} ({counted.parts} fits: {settings})"
