"""The process of a worker that holds the data with their classes, beside the forks that run algorithms.

It loads, corrupts and prepares the data of a trial, hands them over without the classes, and scores what the algorithm
found in them. So the processes
in which algorithms run, and the worker from which these are forked, never hold a class.
"""

from __future__ import annotations

import pickle
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from mvarena.cache.handed_over import close_memory, handed_over, open_memory
from mvarena.contracts.outcome import MEMORY_ALLOWED, MEMORY_AT_START, Outcome, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.engine.execute import Clock, ended_so, facts_of, failed, material_of, reads_labels, scored
from mvarena.engine.messages import Checkpoints, Facts, decoded, encoded_outcome
from mvarena.engine.scoring import import_metrics
from mvarena.engine.stages import forget_data, staged
from mvarena.engine.validation import plain_labellings
from mvarena.errors import InvalidData
from mvarena.registry.catalog import Catalog
from mvarena.study.protocols import PROTOCOLS
from mvarena.study.sources import data_source
from mvarena.system import forking
from mvarena.system.channel import Channel, close_all
from mvarena.system.environment import cpu_time
from mvarena.system.forking import Ended
from mvarena.system.framing import Junk
from mvarena.system.processes import hide_memory, told_crash


@dataclass(frozen=True, slots=True)
class Job:
    """A trial to prepare data for: its number, the digest of its algorithm's code, `execute.own_facts`, and when it
    began, by the clock and by `time.perf_counter`."""

    number: int
    trial: Trial
    code: str
    own: Mapping[str, Any]
    started_at: datetime
    started: float


@dataclass(frozen=True, slots=True)
class _Handed:
    """Data that are handed over: the description, the files, the facts, and what it all follows from (None: it is for
    one trial)."""

    description: bytes
    files: list[int]
    facts: Facts
    key: Any = None


class DataProcess:
    """Answers a worker through `channel`, in a fork of it.

    To a pickled `Job` it answers with what an algorithm is to get, a pickled pair of the description of the data and
    whether there are classes, and their files; or with nothing, where the trial has ended already. To the pickled
    `Ended` of the process that got it, it answers when the outcome is on its way. send : takes messages to the
    conductor. threads, memory : as for `TrialForks`.
    """

    def __init__(
        self, channel: Channel, send: Callable[[bytes], None], catalog: Catalog, threads: int, memory: int | None
    ) -> None:
        self._channel, self._send, self._catalog = channel, send, catalog
        self._threads, self._memory = threads, memory
        self._handed: _Handed | None = None
        self._content, self._generated = "", False  # of the data that are held

    def serve(self) -> bytes:
        """Until the worker ends."""
        forking.is_fork = False  # forks of this process are what plugins' code runs in
        hide_memory()
        try:
            self._answer_all()
        except BaseException:
            traceback.print_exc()  # the worker ends, too, and with it the trial, which shows this
            raise
        return b""

    def _answer_all(self) -> None:
        import_metrics(self._catalog)
        rehearsed = self._handed_over(rehearsal(self._catalog))
        assert isinstance(rehearsed, _Handed), rehearsed.reason
        with suppress(EOFError):
            while True:
                request = pickle.loads(self._channel.receive()[0])
                with warnings.catch_warnings():  # each trial gets those of its own, as in a fresh process
                    self._prepare(request) if isinstance(request, Job) else self._finish(request)

    def _prepare(self, job: Job) -> None:
        self._job, self._begun = job, cpu_time()
        try:
            handed = self._handed_over(job.trial)
        except Exception as error:
            handed = failed(error)
        if isinstance(handed, Outcome):
            self._tell(handed, is_last=True)
            self._channel.send(b"")
            return
        self._facts = handed.facts
        self._channel.send(pickle.dumps((handed.description, handed.facts.truth is not None)), handed.files)
        if handed.key is None:
            close_all(handed.files)
        self._prepared_s = cpu_time() - self._begun

    def _handed_over(self, trial: Trial) -> _Handed | Outcome:
        """The data of `trial`, or its outcome where these cannot be had."""
        key = self._key(trial)
        if self._handed is not None and self._handed.key == key and not reads_labels(trial, self._catalog):
            return self._handed
        self._forget(trial.content)

        def deed() -> dict[str, Any]:
            return {"handed": self._made(trial, None, key)}

        clock = Clock()
        fields = ended_so(trial, deed)
        if "handed" not in fields:
            return Outcome(**(fields | clock.readings()))
        handed: _Handed = fields["handed"]
        # where somebody might write to them, the next trial gets others
        if reads_labels(trial, self._catalog) or not close_memory(handed.files[0]):
            return replace(handed, key=None)
        self._handed = handed
        return handed

    def _key(self, trial: Trial) -> tuple[Any, ...]:
        """All that the prepared data of `trial` follow from."""
        if trial.content != self._content:
            self._generated = data_source(trial.source, self._catalog).generated
        drawn = (trial.seed, trial.repeat) if self._generated or trial.corruptions else None
        return trial.source, trial.content, drawn, trial.corruptions, trial.prepare

    def _made(self, trial: Trial, memory: int | None, key: Any) -> _Handed:
        """The data of `trial`, copied to the file `memory`, or to one of their own where there is none."""
        data = staged(trial, self._catalog)
        labels = data.whole.labels if reads_labels(trial, self._catalog) else None
        into = open_memory() if memory is None else memory
        description, files = handed_over(data.seen, into, labels=labels, maps=memory is None)
        return _Handed(description, files, facts_of(data), key)

    def _forget(self, content: str) -> None:
        """Let go of what was handed over, and of data of another content."""
        if content != self._content:
            forget_data()
        self._content = content
        if self._handed is not None:
            close_all(self._handed.files)
            self._handed = None

    def _tell(self, outcome: Outcome, *, is_last: bool = False) -> None:
        job = self._job
        environment = {**outcome.environment, "trial_threads": self._threads}
        if outcome.status is Status.OUT_OF_MEMORY and self._memory is not None:
            environment[MEMORY_ALLOWED] = self._memory
        told = replace(
            outcome, environment=environment, started_at=job.started_at, wall_s=time.perf_counter() - job.started
        )
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self._send(encoded_outcome(job.number, told, is_last=is_last))

    def _finish(self, ended: Ended) -> None:
        """Tell the outcome of the trial whose algorithm ended so."""
        self._begun = cpu_time()
        try:
            outcome = self._outcome(self._job.trial, ended)
        except Exception as error:
            outcome = failed(error)
        self._tell(outcome, is_last=True)
        self._channel.send(b"")

    def _outcome(self, trial: Trial, ended: Ended) -> Outcome:
        if ended.answer is None:
            return _unanswered(trial, ended)
        try:
            answer = decoded(ended.answer)
            if answer is None:
                raise Junk("the worker sent a message that nobody asked for")
        except Junk as error:
            return _unanswered(trial, Ended(None, str(error), is_junk=True))
        outcome = answer.outcome
        if outcome.status is not Status.DONE:
            return outcome
        facts = self._facts_with(outcome)
        labellings = plain_labellings(trial.algorithm, outcome.labellings, facts.n_samples, trial.protocol.restarts)
        outcome = replace(outcome, labellings=labellings)
        checkpoints = None if answer.checkpoints is None else partial(_checkpoints, answer.checkpoints)
        material = material_of(
            outcome,
            facts,
            lambda: staged(trial, self._catalog).corrupted,
            embedding=answer.embedding,
            checkpoints=checkpoints,
        )
        result = scored(outcome, facts, material, self._catalog, self._tell)
        return replace(result, cpu_s=result.cpu_s + self._prepared_s + cpu_time() - self._begun)

    def _facts_with(self, outcome: Outcome) -> Facts:
        """The facts of the trial, with what its algorithm's process held at its start, where that tells."""
        held = outcome.achieved.get(MEMORY_AT_START)
        more = {MEMORY_AT_START: held} if type(held) is float and held > 0 else {}
        job, achieved = self._job, self._facts.achieved
        return replace(self._facts, achieved={**achieved, **job.own, **more}, source_hash=job.code)


def rehearsal(catalog: Catalog) -> Trial:
    """A trial of mvarena's own that nobody asks for. Who runs parts of it before forking spares the forks to find out
    what is the same for all trials."""
    corruption, filling = catalog.corruption("missing-per-view"), catalog.transform("fill-mean")
    data, algorithm = catalog.dataset("synthetic-apmc"), catalog.algorithm("concat")
    return Trial(
        algorithm=algorithm.name,
        algorithm_version=algorithm.version,
        params={},
        source=Source(dataset=data.name),
        content=f"generated:{data.name}:{data.version}",
        corruptions=(Step(corruption.name, corruption.version, 0.5),),
        prepare=(Step(filling.name, filling.version),),
        protocol=PROTOCOLS["fair"].with_restarts(1),
        seed=0,
        repeat=0,
    )


def _checkpoints(kept: Checkpoints | str) -> Checkpoints:
    """`kept`. Raises InvalidData with the reason where it is one."""
    if isinstance(kept, str):
        raise InvalidData(kept)
    return kept


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
