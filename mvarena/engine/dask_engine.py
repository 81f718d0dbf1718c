"""Many machines: Dask places the trials, and a process of ours runs each trial inside the Dask workers.

A node that is lost has its trials run elsewhere. Nothing but the conductor writes into the store. Needs the extra
`dask`.
"""

from __future__ import annotations

import queue
import re
import time
import uuid
import warnings
from concurrent.futures import CancelledError
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any, Self

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.dask_trial import run_trial
from mvarena.engine.limits import Limits
from mvarena.engine.validation import said
from mvarena.errors import EngineError, InvalidSetting

_CONNECT_S = 20.0
_COUNT_S = 2.0  # how often the workers are counted
_SPARE = 1  # trials that wait at each machine's door, so that none stands idle
_ADDRESS = re.compile(r"(?:\w+://)?(?:\[[0-9a-fA-F:.]+\]|[^\s/:]+):\d{1,5}")


class DaskEngine:
    """Up to as many trials at once as the Dask workers have threads.

    scheduler : its address, as tcp://host:8786.
    limits : what a trial may take, held to by the process that runs it.

    Raises InvalidSetting where Dask is not installed, or nobody answers at the address.
    """

    def __init__(self, scheduler: str, *, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._under_way: dict[Any, tuple[Trial, datetime]] = {}  # a future -> its trial, since when
        self._threads, self._counted = 0, float("-inf")
        with ExitStack() as stack:
            self._client = connected(stack, scheduler)
            self._where = f"at {self._client.scheduler.address}"
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def has_room(self) -> bool:
        """True if another trial can be submitted now; one always can, to wait for the first worker."""
        if time.monotonic() - self._counted > _COUNT_S:
            self._count()
        return len(self._under_way) < max(1, self._threads)

    @property
    def running(self) -> list[Trial]:
        """The trials under way."""
        return [trial for trial, _ in self._under_way.values()]

    def submit(self, trial: Trial) -> None:
        """Send `trial` to the scheduler; call only when there is room."""
        key = f"trial-{trial.key[:16]}-{uuid.uuid4().hex}"
        future = self._client.submit(run_trial, trial, self.limits, key=key)
        self._under_way[future] = (trial, datetime.now(UTC))
        future.add_done_callback(self._ended.put)

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        """The trials that end within `patience_s` seconds (at the first, all that have ended by then)."""
        deadline = time.monotonic() + patience_s
        result: list[tuple[Trial, Outcome]] = []
        while self._under_way and not result:
            try:
                future = self._ended.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            while future is not None:
                result += self._outcome(future)
                future = None if self._ended.empty() else self._ended.get()
        return result

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        """Give up all trials, which ends their processes; they end INTERRUPTED."""
        now = datetime.now(UTC)
        ended = [
            (trial, _ended_badly(Status.INTERRUPTED, "The run was interrupted.", since, now))
            for trial, since in self._under_way.values()
        ]
        self._give_up()
        return ended

    def close(self) -> None:
        """Give up what is under way and let go of the scheduler."""
        self._give_up()
        self._open.close()

    def _give_up(self) -> None:
        """Nobody waits for what is under way, which ends its processes on the nodes."""
        if self._under_way and self._client.status == "running":
            self._client.cancel(list(self._under_way))
        self._under_way.clear()

    def _lost(self) -> EngineError:
        return EngineError(
            f"the connection to the Dask scheduler {self._where} was lost; start it again and run the same command "
            "again: finished trials are stored."
        )

    def _count(self) -> None:
        if self._client.status != "running":
            raise self._lost()
        known = self._client.nthreads()
        if not known and self._counted == float("-inf"):
            warnings.warn("The scheduler has no worker yet; the trials wait until one connects.", stacklevel=3)
        self._threads = sum(known.values()) + _SPARE * len(known)
        self._counted = time.monotonic()

    def _outcome(self, future: Any) -> list[tuple[Trial, Outcome]]:
        """Outcome of the trial; nothing where it was given up. Raises EngineError where it was lost on the way."""
        if future not in self._under_way:
            return []
        trial, since = self._under_way.pop(future)
        outcome = future.result() if future.status == "finished" else None
        if outcome is not None:
            return [(trial, outcome)]
        error = future.exception() if future.status == "error" else None
        if type(error).__name__ == "KilledWorker":  # Dask has tried it on several
            reason = f"Several Dask workers were lost while they ran {trial.algorithm} on {trial.dataset}."
            return [(trial, _ended_badly(Status.CRASHED, reason, since, datetime.now(UTC)))]
        if error is None or isinstance(error, CancelledError):
            raise self._lost()
        raise EngineError(
            f"a Dask worker cannot run trials ({said(error)}); install the same mvarena, with its plugins, on every "
            "machine."
        ) from error


def connected(stack: ExitStack, scheduler: str) -> Any:
    """A client of the scheduler, closed by `stack`."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InvalidSetting("Dask is not installed; run: pip install 'mvarena[dask]'.", field="scheduler") from error
    try:
        if not _ADDRESS.fullmatch(scheduler):  # a client that is given no address hangs when it ends
            raise ValueError("this is not an address")
        return stack.enter_context(Client(scheduler, timeout=_CONNECT_S, set_as_default=False))
    except (OSError, ValueError, TimeoutError) as error:
        raise InvalidSetting(
            f"no Dask scheduler answers at '{scheduler}' ({said(error)}); start one with 'dask scheduler' and give "
            "its address, as tcp://host:8786.",
            field="scheduler",
            value=scheduler,
        ) from error


def _ended_badly(status: Status, reason: str, since: datetime, now: datetime) -> Outcome:
    return Outcome(status=status, started_at=since, wall_s=(now - since).total_seconds(), reason=reason)
