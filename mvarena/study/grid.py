"""The trials of a plan: every contestant at every condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mvarena.contracts.protocol import Protocol
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.contracts.trial import Step, Trial
from mvarena.study.conditions import Point


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
