"""The forks of a worker in which algorithms run, each in one that has seen no other and holds no classes.

The worker imports what its trials need and runs nothing else. Its first fork holds the data with their classes
(`mvarena.engine.data_process`); what an algorithm gets are views and masks that this fork has prepared, and this fork
scores what the algorithm answers. So that no trial waits for the system to copy a process, the next fork is made while
a trial runs, and rehearses while it waits.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import numpy as np

from mvarena.cache.handed_over import handed_over, open_memory, taken_over
from mvarena.contracts.outcome import MEMORY_AT_START, Outcome, Status
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.data_process import DataProcess, Job, rehearsal
from mvarena.engine.execute import Clock, clustered, ended_so, failed, kind_of, own_facts
from mvarena.engine.messages import Checkpoints, decoded, encoded_outcome
from mvarena.engine.validation import said
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.facts import full_environment
from mvarena.system.channel import Channel, close_all
from mvarena.system.forking import Fork, private
from mvarena.system.processes import LINUX, children, end_children, end_likewise

_SEEDS = 2**32  # NumPy's old generator takes seeds below


class TrialForks:
    """Runs trials in forks of this process.

    link : of the process that holds the data to the conductor; send : takes messages to it there. threads : of linear
    algebra and OpenMP, for the algorithm; before it there is one, since threads do not live on in a fork. memory :
    bytes that a process may allocate; None: any.
    """

    def __init__(self, link: int, send: Callable[[bytes], None], threads: int, memory: int | None) -> None:
        self._threads = threads
        self._catalog = installed_catalog()
        self._imported: dict[Any, Any] = {}  # an algorithm -> its class, and the digest of its code
        full_environment()  # as it is said of every trial: read before threads are bounded
        self._pools: Any = None
        if threads > 1:
            from threadpoolctl import ThreadpoolController

            self._pools = ThreadpoolController()
            self._pools.limit(limits=1)
        self._channel, theirs = Channel.pair()
        private.append(self._channel.fileno())
        data = DataProcess(theirs, send, self._catalog, threads, memory)
        self._data = Fork(lambda _: data.serve(), keep=(link, theirs.fileno()))
        theirs.close()
        self._rehearse()
        self._next = self._waiting()
        self._last: Fork | None = None  # the one before, which has been killed

    def run(self, number: int, trial: Trial) -> bool:
        """Have the outcome of `trial`, the job of that number, sent. False where something of it cannot be ended."""
        started_at, started = datetime.now(UTC), time.perf_counter()
        code, own = self._import(trial)
        message, files = self._ask(Job(number, trial, code, own, started_at, started))
        if not message:
            return True  # its data cannot be had
        fork, jobs = self._next
        with suppress(OSError):  # of one that has ended, it is heard later
            jobs.send(pickle.dumps((trial, message), pickle.HIGHEST_PROTOCOL), files)
        close_all(files)
        _close(jobs)
        if self._last is not None:
            self._last.end()  # only now: the system takes its time to end a process
        self._last, self._next = fork, self._waiting()
        ended = fork.heard()
        fork.kill()
        if not self._is_alone_with(fork):
            fork.end()
            if not end_children(but={self._data.process, self._next[0].process}):
                return False
        self._ask(ended)
        return True

    def _ask(self, request: Any) -> tuple[bytes, list[int]]:
        """The answer of the process that holds the data; where that ends, this one ends likewise."""
        try:
            self._channel.send(pickle.dumps(request, pickle.HIGHEST_PROTOCOL))
            return self._channel.receive()
        except (EOFError, OSError):
            end_likewise(self._data.heard().code)

    def _waiting(self) -> tuple[Fork, Channel]:
        """A fork that waits for a trial, and where to send that."""
        gc.freeze()  # forks look at what is theirs alone
        ours, theirs = Channel.pair()
        private.append(ours.fileno())
        fork = Fork(lambda _: self._answer(theirs))
        theirs.close()
        return fork, ours

    def _is_alone_with(self, fork: Fork) -> bool:
        """True if no process is left of a trial but `fork`."""
        known = {fork.process, self._next[0].process, self._data.process}
        return LINUX and not children(fork.process) and known.issuperset(children(os.getpid()))

    def _import(self, trial: Trial) -> tuple[str, dict[str, Any]]:
        """Import the algorithm of `trial` for all forks; its code's digest and `own_facts`. What fails, it tells."""
        key: Any = trial.algorithm, trial.spec
        if key not in self._imported:
            self._imported[key] = None, ""
            with suppress(Exception):
                kind: Any = kind_of(trial, self._catalog)
                self._imported[key] = kind, code_digest(kind)
                for parameter in parameters_of(kind).values():
                    parameter.checked(parameter.default)
            self._next[0].end()
            _close(self._next[1])
            self._next = self._waiting()
        kind, code = self._imported[key]
        with suppress(Exception):
            return code, own_facts(trial, kind)
        return code, {}

    def _rehearse(self) -> None:
        """Run an algorithm of mvarena's own on data of no classes, as the forks will run theirs."""
        description, files = handed_over(MultiViewData.from_arrays([np.eye(6)], n_clusters=2), open_memory())
        data = taken_over(description, files)
        close_all(files)
        trial: Trial = pickle.loads(pickle.dumps(rehearsal(self._catalog)))
        answer = decoded(self._run(trial, lambda: (data, True)))
        assert answer is not None
        assert answer.outcome.status is Status.DONE, answer.outcome.reason

    # in its forks -----------------------------------------------------------------------------------------

    def _answer(self, jobs: Channel) -> bytes:
        """Wait for a trial, and run it."""
        self._rehearse()  # once more: the system copies memory that forks share when it is first used
        message, files = jobs.receive()
        jobs.close()
        trial, prepared = pickle.loads(message)
        gc.enable()
        if self._pools is not None:
            self._pools.limit(limits=self._threads)

        def data() -> tuple[MultiViewData, bool]:
            description, is_classed = pickle.loads(prepared)
            taken = taken_over(description, files)
            close_all(files)
            return taken, is_classed

        return self._run(trial, data)

    def _run(self, trial: Trial, data: Callable[[], tuple[MultiViewData, bool]]) -> bytes:
        """The outcome of `trial`, unscored. data : gives what its algorithm gets, and whether classes are known."""
        clock = Clock(anew=False)
        at_start = {MEMORY_AT_START: round(clock.memory.read(), 1)}
        random.seed(trial.algorithm_seed)
        np.random.seed(trial.algorithm_seed % _SEEDS)  # noqa: NPY002  the old generator, for those who use it
        more: dict[str, Any] = {}

        def run() -> dict[str, Any]:
            seen, is_classed = data()
            found = clustered(trial, kind_of(trial, self._catalog), seen)
            more["embedding"] = None if is_classed else found.embedding
            more["checkpoints"] = _kept(found.checkpoints) if is_classed else None
            return found.fields | {"achieved": at_start}

        try:
            return encoded_outcome(0, Outcome(**(ended_so(trial, run) | clock.readings())), **more)
        except BaseException as error:  # nobody else presses Ctrl-C here, and clocks break where someone broke them
            return encoded_outcome(0, failed(error))


def _kept(checkpoints: Callable[[], Checkpoints] | None) -> Checkpoints | str | None:
    """The labels of checkpoints, or why there are none; None of an algorithm that keeps none."""
    if checkpoints is None:
        return None
    try:
        return checkpoints()
    except Exception as error:  # a missing score: the labels at the end are kept
        return said(error)


def _close(jobs: Channel) -> None:
    private.remove(jobs.fileno())
    jobs.close()
