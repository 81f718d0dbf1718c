"""The trials of a plan: a sequence that makes each trial when it is asked for, so that a million take no room."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, overload

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
class Block:
    """All trials on one data set: every entry at every point in every repeat, the entries varying fastest."""

    source: Source
    content: str
    points: tuple[Point, ...]
    entries: tuple[Entry, ...]


class TrialGrid(Sequence[Trial]):
    """The trials of `blocks` in order, each once: of two with one key, the later block's is kept.

    Memory: O(points + entries) for each block, whatever the number of repeats. A trial is made anew each time that it
    is asked for, in O(log blocks).
    """

    def __init__(self, blocks: Iterable[Block], n_repeats: int, protocol: Protocol, seed: int) -> None:
        self._n_repeats, self._protocol, self._seed = n_repeats, protocol, seed
        self._blocks = [block for block in self._distinct(list(blocks)) if block.points and block.entries]
        self._ends = list(accumulate(len(one.points) * n_repeats * len(one.entries) for one in self._blocks))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Trial]:
        for block in self._blocks:
            for point in block.points:
                for repeat in range(self._n_repeats):  # `product` would list them all first
                    for entry in block.entries:
                        yield self._trial(block, point, repeat, entry)

    @overload
    def __getitem__(self, place: int) -> Trial: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Trial, ...]: ...

    def __getitem__(self, place: int | slice) -> Trial | tuple[Trial, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(len(self))))
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are {len(self)} trials, and none at {place}.")
        place %= len(self)
        index = bisect_right(self._ends, place)
        block = self._blocks[index]
        rest, entry = divmod(place - (self._ends[index - 1] if index else 0), len(block.entries))
        point, repeat = divmod(rest, self._n_repeats)
        return self._trial(block, block.points[point], repeat, block.entries[entry])

    def samples(self) -> Iterator[Trial]:
        """One trial of each entry on each data set: what differs otherwise are the corruptions and the repeat."""
        for block in self._blocks:
            for entry in block.entries:
                yield self._trial(block, block.points[0], 0, entry)

    def _trial(self, block: Block, point: Point, repeat: int, entry: Entry) -> Trial:
        return Trial(
            algorithm=entry.spec.name,
            algorithm_version=entry.spec.version,
            spec=entry.spec if entry.own else None,
            params=entry.params,
            source=block.source,
            content=block.content,
            corruptions=point,
            prepare=entry.prepare,
            protocol=self._protocol,
            seed=self._seed,
            repeat=repeat,
            picks_by_labels=entry.spec.picks_by_labels,
        )

    def _distinct(self, blocks: list[Block]) -> list[Block]:
        """The blocks without what comes twice, in one block or in a later one on the same content."""
        kept: list[Block] = []
        later: dict[str, list[tuple[Block, set[str]]]] = {}
        for block in reversed(blocks):
            entries = {self._trial(block, (), 0, entry).key: entry for entry in block.entries}
            block = replace(block, points=tuple(dict.fromkeys(block.points)), entries=tuple(entries.values()))
            parts = [block]
            for other, keys in later.get(block.content, ()):
                left = {id(entry) for key, entry in entries.items() if key not in keys}
                parts = [part for one in parts for part in _without(one, other.points, left)]
            later.setdefault(block.content, []).append((block, set(entries)))
            kept += reversed(parts)
        return kept[::-1]


def _without(block: Block, points: Sequence[Point], left: set[int]) -> list[Block]:
    """The block, of which at `points` only the entries stay whose `id` is in `left`."""
    apart = tuple(point for point in block.points if point not in points)
    shared = tuple(point for point in block.points if point in points)
    entries = tuple(entry for entry in block.entries if id(entry) in left)
    return [replace(block, points=apart), replace(block, points=shared, entries=entries)]
