"""Execution of one trial on a Dask worker: start a killable process of ours and wait for it.

So an abort, a leak or a time-out never takes the Dask worker along, nor the trials beside it; and a trial that nobody
waits for any more is ended, which Dask cannot do with a task that runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock

from mvarena.cache.folder import cache_root
from mvarena.contracts.outcome import Outcome
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.files import write_atomically
from mvarena.system.speed import machine_speed

_LOOK_S = 0.5  # how often it is asked whether somebody still waits for the trial
_idle: dict[Limits, list[LocalEngine]] = {}  # warm, for the next trials of this Dask worker, with which they end
_lock = Lock()

Files = Mapping[str, bytes]


def run_trial(trial: Trial, limits: Limits, files: Files | None) -> Outcome | None:
    """The outcome of `trial`; None where nobody waits for it any more.

    files : a user's files by their paths, for a machine on which there are none at these paths.
    """
    if limits.cpu_s is not None:
        limits = replace(limits, speed=machine_speed())  # that of this machine
    engine = _borrow(limits)
    try:
        engine.submit(_with_files(trial, files) if files else trial)
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


def _with_files(trial: Trial, files: Files) -> Trial:
    """The trial on copies of its files, made once for each machine, where it has none of its own."""
    if all(path.is_file() for path in trial.source.files):
        return trial
    here = {path: str(_kept(path, content)) for path, content in files.items()}
    source = trial.source
    labels = source.options.labels
    options = replace(source.options, labels=None if labels is None else here[labels])
    return replace(trial, source=replace(source, paths=tuple(here[path] for path in source.paths), options=options))


def _kept(path: str, content: bytes) -> Path:
    """A copy in this machine's cache, under a name that tells its content and keeps the file's ending."""
    name = Path(path).name[-100:]
    copy = cache_root() / "moved" / hashlib.sha256(content).hexdigest()[:32] / name
    if not copy.is_file():
        write_atomically(copy, content)
    return copy
