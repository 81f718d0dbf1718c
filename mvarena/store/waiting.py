"""Waiting for a database: while another program writes to a file, and until a server answers again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def patiently(
    work: Callable[[], T],
    is_passing: Callable[[Exception], bool],
    for_s: float,
    pauses_s: Iterable[float],
    on_wait: Callable[[Exception], None] | None = None,
) -> T:
    """The result of `work`, which is tried again as long as its errors pass; at least once.

    work : harmless to repeat. is_passing : true for an error after which trying again may help.
    pauses_s : the pauses between the attempts; the last is repeated. on_wait : called before the first pause.
    Raises the error of `work` that does not pass, and any when the next attempt would come after `for_s` seconds.
    """
    began = time.monotonic()
    for pause in _lasting(pauses_s):
        try:
            return work()
        except Exception as error:
            if not is_passing(error) or time.monotonic() - began + pause > for_s:
                raise
            if on_wait is not None:
                on_wait(error)
                on_wait = None
        time.sleep(pause)
    raise AssertionError


def _lasting(pauses_s: Iterable[float]) -> Iterator[float]:
    for pause in pauses_s:
        yield pause
    while True:
        yield pause
