"""The trials of a plan: every contestant at every condition, and how they are counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


def trials_of(parts: Iterable[Part], n_repeats: int, protocol: Protocol, seed: int) -> list[Trial]:
    """The trials of `parts` in order, each once: of two with one key, the later part's is kept.

    Memory: about half a kilobyte for each. Cost: the key of each, some 10 us.
    """
    every = [
        Trial(
            algorithm=entry.spec.name,
            algorithm_version=entry.spec.version,
            spec=entry.spec if entry.own else None,
            params=entry.params,
            source=part.source,
            content=part.content,
            corruptions=point,
            prepare=entry.prepare,
            protocol=protocol,
            seed=seed,
            repeat=repeat,
            picks_by_labels=entry.spec.picks_by_labels,
        )
        for part in parts
        for point in part.points
        for repeat in range(n_repeats)
        for entry in part.entries
    ]
    last = {trial.key: trial for trial in every}
    return every if len(last) == len(every) else [trial for trial in every if last[trial.key] is trial]


# Trials as users count them: one of a method that is picked by labels over its views counts once, not once a view.


class TrialCounter:
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
    counted = TrialCounter(trials)
    text = plural(counted.total, "trial")
    if counted.parts == counted.total:
        return text
    over = {trial.algorithm: trial.picks_by_labels for trial in trials if trial.picks_by_labels}
    settings = ", ".join(f"{name} one for each {parameter}" for name, parameter in over.items())
    return f"{text} ({counted.parts} fits: {settings})"
