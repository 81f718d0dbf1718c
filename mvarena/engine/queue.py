"""Queue of the trials still to run, by their positions in the plan: a million take 8 MB."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable


class TrialQueue:
    """Places in a plan, taken from the front and put back at either end."""

    def __init__(self, places: array[int]) -> None:
        self._places = places
        self._head = 0
        self._back: deque[int] = deque()  # what was put back, for the front

    def __len__(self) -> int:
        return len(self._back) + len(self._places) - self._head

    def take(self, most: int) -> list[int]:
        """The first `most`, which are then no longer in it. O(most)."""
        taken = [self._back.popleft() for _ in range(min(most, len(self._back)))]
        more = self._places[self._head : self._head + most - len(taken)].tolist()
        self._head += len(more)
        return taken + more

    def put_back(self, places: Iterable[int]) -> None:
        """At the front, in this order."""
        self._back.extendleft(reversed(list(places)))

    def start_at(self, share: float) -> None:
        """Rotate the queue to start at fraction `share`. O(n); only before the first `take`."""
        first = int(share * len(self._places))
        self._places = self._places[first:] + self._places[:first]


def offset_of(number: int) -> float:
    """Starting point of run `number` of several: 0, 1/2, 1/4, 3/4, 1/8, ... of the way, far from all before it."""
    share, step = 0.0, 0.5
    while number:
        share += step * (number & 1)
        number >>= 1
        step /= 2
    return share
