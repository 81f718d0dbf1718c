"""The worker's side of a trial: its data are loaded and prepared here, then a fork of this process executes it.

What a trial does to its process ends with it: the next begins in a fork that has seen no other. Data, classes of
algorithms and metrics are here when a fork is made, so that no trial waits for what another has loaded or imported.
"""

from __future__ import annotations

import gc
import os
import pickle
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from mvarena.contracts.hooks import PROJECT
from mvarena.contracts.outcome import SPEED
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.execute import execute, failed, kind_of, seed_generators
from mvarena.engine.limits import Limits
from mvarena.engine.scoring import Material, values_of
from mvarena.engine.stages import LastStaged
from mvarena.engine.watch import FITTED, Watch
from mvarena.numerics.assignment import assign_embedding
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.facts import full_environment
from mvarena.registry.plugins import installed_plugins
from mvarena.system.environment import cpu_time, environment
from mvarena.system.forking import Fork, say
from mvarena.system.memory import allocated_bytes
from mvarena.system.processes import LINUX, children, die_with_parent, end_children, outlive_parent

Job: TypeAlias = tuple[Trial, Limits]


class TrialForks:
    """Runs trials in forks of this process.

    send : sends an outcome to the conductor. parent : the conductor's process. is_bound : whether this process ends
    with that. threads : of linear algebra and OpenMP, for the algorithm.
    """

    def __init__(self, send: Callable[[bytes], None], *, parent: int, is_bound: bool, threads: int) -> None:
        self._send = send
        self._parent, self._is_bound, self._threads = parent, is_bound, threads
        self._catalog = installed_catalog()
        self._data = LastStaged()
        self._pools = _bounded_pools(threads)
        self._allocated = allocated_bytes()
        self._limits: Limits | None = None  # which this process has
        self._kinds: list[Any] = []  # the classes whose code and parameters have been read
        self._next: Job | None = None  # which waits, and has all that it needs here
        self._next_fork: Fork | None = None  # of the job that waits
        self._last: Fork | None = None  # which has been killed, and is waited for while the next runs
        ours = Catalog(plugin for plugin in installed_plugins().loaded if plugin.distribution == PROJECT)
        _warm_up(ours)  # what others' metrics start would not live on in a fork

    def run(self, trial: Trial, limits: Limits, next_one: Callable[[], Job | None]) -> bool:
        """Send the outcome of `trial`. False where something that it started cannot be ended.

        next_one : gives the trial that waits, which comes next, and its limits. Its data may be made while this one
            runs, and its fork while this one is scored.
        """
        watch = Watch(trial, limits, self._parent)
        if limits != self._limits:
            _limit_memory(limits.memory_of_a_process, self._allocated)
            self._limits = limits
        if self._is_bound:
            outlive_parent()  # to end what the trial leaves
        fork, self._next, self._next_fork = self._next_fork, None, None
        if fork is None or not fork.go():
            self._prepare(trial)
            cpu_s = cpu_time() - watch.cpu_began
            gc.freeze()  # forks look at what is theirs alone
            fork = Fork(lambda: self._answer(trial, limits, watch, cpu_s))
        if self._last is not None:
            self._last.end()
        outcome = watch.outcome(fork, lambda: self._prepare_ahead(trial, next_one()), self._fork_ahead)
        self._send(outcome if isinstance(outcome, bytes) else pickle.dumps(outcome))
        is_ended = self._end(fork)
        if self._is_bound:
            die_with_parent(self._parent)
        return is_ended

    def _end(self, fork: Fork) -> bool:
        """End the fork and what its trial has started. False where something of that still lives.

        To end a process takes the system some milliseconds, which nobody waits for where it has started no other.
        """
        fork.kill()
        self._last = fork
        ours = {one.process for one in (fork, self._next_fork) if one}
        if LINUX and not children(fork.process) and ours.issuperset(children(os.getpid())):
            return True
        for one in filter(None, (fork, self._next_fork)):
            one.end()
        self._next_fork = None
        return end_children()

    def _prepare(self, trial: Trial) -> None:
        """Import and load here what the next trials need, too. What fails does so in the fork again, which tells it."""
        with suppress(Exception, SystemExit):
            kind: Any = kind_of(trial, self._catalog)
            if not any(kind is known for known in self._kinds):
                self._kinds.append(kind)
                code_digest(kind)
                kind._get_param_names()
                for parameter in parameters_of(kind).values():  # whose checks are made when they are first used
                    parameter.checked(parameter.default)
        with suppress(Exception, SystemExit):
            self._data.prepare(trial, self._catalog)

    def _prepare_ahead(self, trial: Trial, following: Job | None) -> None:
        """Make the data of the job that follows `trial`, where they take no time, and its fork can be made ahead."""
        if following is not None and self._data.prepare_ahead(following[0], self._catalog):
            is_alike = (following[0].algorithm, following[0].spec) == (trial.algorithm, trial.spec)
            self._next = following if is_alike and following[1] == self._limits else None

    def _fork_ahead(self) -> None:
        """Make the fork of the next trial, which waits for the outcome of this one."""
        if self._next is not None and self._next_fork is None and LINUX:
            trial, limits = self._next
            gc.freeze()
            self._next_fork = Fork(lambda: self._answer(trial, limits, None, 0.0), waits=True)

    def _answer(self, trial: Trial, limits: Limits, watch: Watch | None, cpu_s: float) -> bytes:
        """Execute the trial, in the fork.

        watch : since when it is measured; None: since now. cpu_s : CPU seconds that its data took before.
        """
        watch = watch or Watch(trial, limits, self._parent)
        gc.enable()
        if self._pools is not None:
            self._pools.limit(limits=self._threads)
        try:
            seed_generators(trial.algorithm_seed)
            outcome = execute(trial, self._catalog, self._data, partial(say, FITTED))
        except BaseException as error:  # nobody else presses Ctrl-C here, and clocks break where someone broke them
            outcome = failed(error)
        added: dict[str, Any] = {"trial_threads": self._threads}
        if limits.cpu_s is not None:
            added[SPEED] = limits.speed
        whole = replace(
            outcome,
            started_at=watch.began_at,
            wall_s=time.perf_counter() - watch.began,
            cpu_s=outcome.cpu_s + cpu_s,
            environment={**outcome.environment, **added},
        )
        return pickle.dumps(whole, pickle.HIGHEST_PROTOCOL)


def _warm_up(catalog: Catalog) -> None:
    """Have this process find out what is the same for all trials, so that forks need not."""
    points, labels = np.eye(4), np.array([0, 0, 1, 1])
    assign_embedding(points, 2, [0])
    data = MultiViewData.from_arrays([points])
    for classes in (labels, None):
        values_of(Material(labels=[labels], truth=partial(_same, classes), views=partial(_same, data)), catalog)


def _same(value: Any) -> Any:
    return value


def _bounded_pools(threads: int) -> Any:
    """Have this process use one thread, as threads do not live on in a fork; what gives a fork more; None: none is due.

    The environment that outcomes tell is read with `threads`.
    """
    from threadpoolctl import ThreadpoolController

    pools = ThreadpoolController()
    pools.limit(limits=threads)
    full_environment.cache_clear()  # that of the command
    environment.cache_clear()
    full_environment()
    if threads == 1:
        return None
    pools.limit(limits=1)
    return pools


def _limit_memory(memory: int | None, before: int) -> None:
    """Let an allocation of more than `memory` bytes beyond what was allocated `before` fail with MemoryError."""
    if memory is None:
        return
    import resource

    # what the process allocates, and not what it maps: data sets are mapped, and shared by all workers
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    bound = memory + before if hard == resource.RLIM_INFINITY else min(memory + before, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))
