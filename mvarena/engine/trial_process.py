"""The forks of a worker in which trials run, each in one that has seen no other.

A fork loads, corrupts and prepares the data, sends the worker what is known of them, lets go of the classes, and runs
the algorithm; the worker scores what it answers. The worker itself imports what its trials need, loads the data that
mvarena's own code reads, and computes mvarena's metrics; it runs nothing else. So that no trial waits for the system to
copy a process, the next fork is made while a trial runs.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np

from mvarena.contracts.outcome import MEMORY_ALLOWED, MEMORY_AT_START, Outcome, Status
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.source import Source
from mvarena.contracts.specs import Spec
from mvarena.contracts.trial import Step, Trial
from mvarena.engine.execute import Clock, clustered, ended_so, facts_of, failed, kind_of, material_of, scored, seen_by
from mvarena.engine.messages import Checkpoints, Facts, decoded, decoded_facts, encoded_facts, encoded_outcome
from mvarena.engine.scoring import import_metrics
from mvarena.engine.stages import forget_data, loaded, staged
from mvarena.engine.validation import plain_labellings, said
from mvarena.errors import InvalidData
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.facts import full_environment
from mvarena.study.protocols import PROTOCOLS
from mvarena.study.sources import is_read_by_own_code
from mvarena.system.environment import PeakMemory, cpu_time
from mvarena.system.forking import Ended, Fork, private
from mvarena.system.framing import Frames, Junk, framed
from mvarena.system.processes import LINUX, children, end_children, told_crash

_SEEDS = 2**32  # NumPy's old generator takes seeds below
_MOST_JOB = 1 << 40
_PIECE = 1 << 20


class TrialForks:
    """Runs trials in forks of this process.

    send : takes messages to the conductor. threads : of linear algebra and OpenMP, for the algorithm; before it there
    is one, since threads do not live on in a fork. memory : bytes that a process may allocate; None: any.
    """

    def __init__(self, send: Callable[[bytes], None], threads: int, memory: int | None) -> None:
        self._send, self._threads, self._memory = send, threads, memory
        self._catalog = installed_catalog()
        self._prepared: set[Any] = set()
        full_environment()  # as it is said of every trial: read before threads are bounded
        self._pools: Any = None
        if threads > 1:
            from threadpoolctl import ThreadpoolController

            self._pools = ThreadpoolController()
            self._pools.limit(limits=1)
        self._rehearse()
        import_metrics(self._catalog)
        self._next = self._waiting()

    def run(self, number: int, trial: Trial) -> bool:
        """Send the outcome of `trial`, the job of that number. False where something of it cannot be ended."""
        started_at, started = datetime.now(UTC), time.perf_counter()
        if self._prepare(trial):
            self._next[0].end()
            os.close(self._next[1])
            self._next = self._waiting()
        fork, jobs = self._next
        _send_job(jobs, pickle.dumps(trial, pickle.HIGHEST_PROTOCOL))
        self._next = self._waiting()

        def send(outcome: Outcome, *, is_last: bool = False) -> None:
            environment = {**outcome.environment, "trial_threads": self._threads}
            if outcome.status is Status.OUT_OF_MEMORY and self._memory is not None:
                environment[MEMORY_ALLOWED] = self._memory
            clock = {"started_at": started_at, "wall_s": time.perf_counter() - started}
            self._send(
                encoded_outcome(number, replace(outcome, environment=environment, **clock), is_last=is_last)  # type: ignore[arg-type]
            )

        try:
            outcome = self._outcome(trial, fork, send)
        except Exception as error:
            outcome = failed(error)
        fork.kill()
        if self._is_alone_with(fork):
            send(outcome, is_last=True)
            fork.end()
            return True
        fork.end()
        if not end_children(but=self._next[0].process):
            return False
        send(outcome, is_last=True)
        return True

    def _waiting(self) -> tuple[Fork, int]:
        """A fork that waits for a trial, and where to write that."""
        gc.freeze()  # forks look at what is theirs alone
        reading, writing = os.pipe()
        private.append(writing)
        try:
            return Fork(lambda tell: self._answer(reading, tell)), writing
        finally:
            private.remove(writing)
            os.close(reading)

    def _is_alone_with(self, fork: Fork) -> bool:
        """True if no process is left of a trial but `fork`."""
        known = {fork.process, self._next[0].process}
        return LINUX and not children(fork.process) and known.issuperset(children(os.getpid()))

    # in the worker ----------------------------------------------------------------------------------------

    def _prepare(self, trial: Trial) -> bool:
        """Import the components of `trial` and load its data, for all forks; whether there was something to do.

        What fails, the trial tells.
        """
        catalog = self._catalog
        sought: list[tuple[Any, Callable[[], Any]]] = [
            ((trial.algorithm, trial.spec), lambda: self._import(trial.spec or catalog.algorithm(trial.algorithm)))
        ]
        for step in trial.corruptions:
            sought.append((("c", step.name), lambda name=step.name: self._import(catalog.corruption(name))))  # type: ignore[misc]
        for step in trial.prepare:
            sought.append((("t", step.name), lambda name=step.name: self._import(catalog.transform(name))))  # type: ignore[misc]
        sought.append(((trial.source, trial.content), lambda: self._load(trial)))
        new = [(key, deed) for key, deed in sought if key not in self._prepared]
        for key, deed in new:
            self._prepared.add(key)
            with suppress(Exception):
                deed()
        return bool(new)

    def _import(self, spec: Spec) -> None:
        target = self._catalog.load(spec)
        code_digest(target)
        for parameter in parameters_of(target).values():
            parameter.checked(parameter.default)

    def _load(self, trial: Trial) -> None:
        if is_read_by_own_code(trial.source, self._catalog):
            loaded(trial, self._catalog)

    def _outcome(self, trial: Trial, fork: Fork, labelled: Callable[[Outcome], None]) -> Outcome:
        """The outcome of `trial`, of which `fork` runs the algorithm; it may live on."""
        first = fork.heard()
        last = first if first.answer is None else fork.heard()
        if first.answer is None or last.answer is None:
            return _unanswered(trial, last)
        try:
            answer = decoded(last.answer)
            if answer is None:
                raise Junk("the worker sent a message that nobody asked for")
            outcome = answer.outcome
            if outcome.status is not Status.DONE:
                return outcome
            facts = decoded_facts(first.answer)
        except Junk as error:
            return _unanswered(trial, Ended(None, str(error), is_junk=True))
        labellings = plain_labellings(trial.algorithm, outcome.labellings, facts.n_samples, trial.protocol.restarts)
        begun = cpu_time()
        if facts.truth is not None:
            outcome = replace(outcome, labellings=labellings)
            checkpoints = None if answer.checkpoints is None else partial(_checkpoints, answer.checkpoints)
            material = material_of(
                outcome, facts, lambda: staged(trial, self._catalog).corrupted, checkpoints=checkpoints
            )
            result = scored(outcome, facts, material, self._catalog, labelled)
        else:
            result = self._scored_apart(trial, outcome, facts, answer.embedding, labelled)
        return replace(result, cpu_s=result.cpu_s + cpu_time() - begun)

    def _scored_apart(
        self, trial: Trial, outcome: Outcome, facts: Facts, embedding: Any, labelled: Callable[[Outcome], None]
    ) -> Outcome:
        """`outcome` with scores by metrics that look at the data, which a fork of its own makes again."""

        def deed(tell: Callable[[bytes], None]) -> bytes:
            def so_far(early: Outcome) -> None:
                tell(encoded_outcome(0, early, is_last=False))

            material = material_of(outcome, facts, lambda: staged(trial, self._catalog).corrupted, embedding=embedding)
            result = scored(outcome, facts, material, self._catalog, so_far)
            peak = max(result.peak_rss_mb, PeakMemory().read())
            return encoded_outcome(0, replace(result, peak_rss_mb=peak))

        fork = Fork(deed)
        kept: Outcome | None = None
        try:
            while message := fork.heard().answer:
                if answer := decoded(message):
                    kept = answer.outcome
                    if answer.is_last:
                        return kept
                    labelled(kept)
        finally:
            fork.end()
        return kept or outcome

    # in its forks -----------------------------------------------------------------------------------------

    def _answer(self, jobs: int, tell: Callable[[bytes], None]) -> bytes:
        """Wait for a trial, and run it."""
        trial: Trial = pickle.loads(_received_job(jobs))
        gc.enable()
        return self._run(trial, tell, self._leave)

    def _leave(self) -> None:
        """Let go of the classes, and take the threads that the algorithm may have."""
        forget_data()
        if self._pools is not None:
            self._pools.limit(limits=self._threads)

    def _rehearse(self) -> None:
        """Run a trial of mvarena's own, so that no fork has to find out again what is the same for all trials."""
        catalog = self._catalog
        corruption, filling = catalog.corruption("missing-per-view"), catalog.transform("fill-mean")
        data = catalog.dataset("synthetic-apmc")
        trial = Trial(
            algorithm="concat",
            algorithm_version=catalog.algorithm("concat").version,
            params={},
            source=Source(dataset=data.name),
            content=f"generated:{data.name}:{data.version}",
            corruptions=(Step(corruption.name, corruption.version, 0.5),),
            prepare=(Step(filling.name, filling.version),),
            protocol=PROTOCOLS["fair"].with_restarts(1),
            seed=0,
            repeat=0,
        )
        outcome = decoded(self._run(trial, lambda _: None, lambda: None))
        assert outcome is not None
        assert outcome.outcome.status is Status.DONE, outcome.outcome.reason

    def _run(self, trial: Trial, tell: Callable[[bytes], None], leave: Callable[[], None]) -> bytes:
        """Run a trial: tell its facts, and return its outcome without scores.

        leave : called before the algorithm runs, to let go of what it is not to find.
        """
        clock = Clock()
        at_start = clock.memory.read()
        random.seed(trial.algorithm_seed)
        np.random.seed(trial.algorithm_seed % _SEEDS)  # noqa: NPY002  the old generator, for those who use it
        told: list[bool] = []
        more: dict[str, Any] = {}

        def run() -> dict[str, Any]:
            held = [staged(trial, self._catalog)]
            kind, is_classed = kind_of(trial, self._catalog), held[0].whole.labels is not None
            message = encoded_facts(_with_start(facts_of(trial, kind, held[0]), at_start))
            seen = [seen_by(kind, held.pop())]
            leave()
            told.append(True)
            tell(message)
            del message
            found = clustered(trial, kind, seen.pop())
            more["embedding"] = None if is_classed else found.embedding
            more["checkpoints"] = _kept(found.checkpoints) if is_classed else None
            return found.fields

        try:
            fields = ended_so(trial, run)
            if not told:
                tell(b"")
            return encoded_outcome(0, Outcome(**(fields | clock.readings())), **more)
        except BaseException as error:  # nobody else presses Ctrl-C here, and clocks break where someone broke them
            if not told:
                tell(b"")
            return encoded_outcome(0, failed(error))


def _kept(checkpoints: Callable[[], Checkpoints] | None) -> Checkpoints | str | None:
    """The labels of checkpoints, or why there are none; None of an algorithm that keeps none."""
    if checkpoints is None:
        return None
    try:
        return checkpoints()
    except Exception as error:  # a missing score: the labels at the end are kept
        return said(error)


def _checkpoints(kept: Checkpoints | str) -> Checkpoints:
    """`kept`. Raises InvalidData with the reason where it is one."""
    if isinstance(kept, str):
        raise InvalidData(kept)
    return kept


def _with_start(facts: Facts, at_start: float) -> Facts:
    """`facts`, with the memory that the process held at its start, where the system tells."""
    held = {MEMORY_AT_START: round(at_start, 1)} if at_start > 0 else {}
    return replace(facts, achieved=facts.achieved | held)


def _send_job(jobs: int, payload: bytes) -> None:
    """Write a trial for the fork that waits for it; of one that has ended, it is heard later."""
    rest = memoryview(framed(payload))
    with suppress(OSError):
        while rest:
            rest = rest[os.write(jobs, rest) :]
    os.close(jobs)


def _received_job(jobs: int) -> bytes:
    frames = Frames(_MOST_JOB)
    while not (messages := frames.add(os.read(jobs, _PIECE))):
        pass
    os.close(jobs)
    return messages[0]


def _unanswered(trial: Trial, ended: Ended) -> Outcome:
    """The outcome where the fork of a trial gave no answer."""
    now: dict[str, Any] = {"started_at": datetime.now(UTC), "wall_s": 0.0}
    if ended.is_junk:
        reason = f"The result of {trial.algorithm} cannot be stored: {ended.fault}."
        return Outcome(status=Status.FAILED, reason=reason, **now)
    if ended.code is None:
        return Outcome(
            status=Status.CRASHED, reason=f"The worker {ended.fault.removeprefix('it ')}; it was ended.", **now
        )
    number = -ended.code if ended.code < 0 else None
    return Outcome(status=Status.CRASHED, reason=told_crash(ended.code), signal=number, **now)
