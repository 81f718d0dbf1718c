"""A worker that lives on from one run of a test module to the next: to start one takes longer than most trials."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine

_OF_PYTEST = "PYTEST_CURRENT_TEST"  # another value in each test


class KeptWorkers:
    """Stands for `LocalEngine` where a run makes one: gives the one of the run before, with its worker.

    There is one worker, however many are asked for. A run whose worker has other limits or another environment gets an
    engine of its own, as does one after a run that left trials.
    """

    def __init__(self) -> None:
        self._engine: LocalEngine | None = None
        self._how: tuple[Any, ...] = ()

    @contextmanager
    def __call__(self, jobs: int, *, limits: Limits, ahead: int = 0, queues: bool = False) -> Iterator[LocalEngine]:
        """The engine, to be entered as a `LocalEngine`."""
        environment = {name: value for name, value in os.environ.items() if name != _OF_PYTEST}
        how = (replace(limits, timeout_s=None), environment, tuple(sys.path))
        if self._engine is None or how != self._how:
            self.close()
            self._how = how
            self._engine = LocalEngine(limits=limits, ahead=ahead).__enter__()
        self._engine.limits, self._engine.queues = limits, queues
        try:
            yield self._engine
        finally:
            if self._engine.running:
                self.close()

    def close(self) -> None:
        """End the workers."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None
