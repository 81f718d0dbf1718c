"""Execution of one trial on a Dask worker: start a killable process of ours and wait for it.

So an abort, a leak or a time-out never takes the Dask worker along, nor the trials beside it; and a trial that nobody
waits for any more is ended, which Dask cannot do with a task that runs.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from threading import Lock

from mvarena.contracts.outcome import Outcome
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.study.sources import located
from mvarena.system.speed import machine_speed

_LOOK_S = 0.5  # how often it is asked whether somebody still waits for the trial
_idle: dict[Limits, list[LocalEngine]] = {}  # warm, for the next trials of this Dask worker, with which they end
_lock = Lock()


def run_trial(trial: Trial, limits: Limits) -> Outcome | None:
    """The outcome of `trial`, on a user's files where this machine has them; None where nobody waits for it."""
    with suppress(MvarenaError):  # the trial itself says what is not there
        trial = replace(trial, source=located(trial.source, trial.content, installed_catalog()))
    if limits.cpu_s is not None:
        limits = replace(limits, speed=machine_speed())  # that of this machine
    engine = _borrow(limits)
    try:
        engine.submit(trial)
        while not (ended := engine.finished(_LOOK_S)):
            if not _is_wanted():
                engine.interrupt()
                return None
    except BaseException:
        engine.close()
        raise
    with _lock:
        _idle.setdefault(limits, []).append(engine)
    return ended[0][1]


def _borrow(limits: Limits) -> LocalEngine:
    with _lock:
        waiting = _idle.get(limits)
        return waiting.pop() if waiting else LocalEngine(1, limits=limits)


def _is_wanted() -> bool:
    """True if the client of this task is still there and has not given it up."""
    from distributed import get_worker

    try:
        worker = get_worker()
        task = worker.state.tasks.get(worker.get_current_task())
    except (ValueError, AttributeError):  # not in a task: nobody can give it up
        return True
    return task is not None and task.state != "cancelled"
