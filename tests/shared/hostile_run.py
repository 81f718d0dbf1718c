"""Runs hostile deeds, each between two trials of a healthy algorithm, and tells what became of all of them."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mvarena_toys.deeds import Deed
from own_processes import lives
from toy_trials import planned

from mvarena.contracts.outcome import MEMORY_AT_START, Outcome
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Conductor
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import pending
from mvarena.store.database import open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.system.forking import Fork

MEMORY = 768 * 2**20


@dataclass(frozen=True)
class Ordeal:
    """What became of a deed, of the healthy trial right after it, and of the same healthy trial in peace."""

    deed: Outcome
    witness: Outcome
    in_peace: Outcome


def run_deeds(deeds: Sequence[Deed], folder: Path) -> dict[str, Ordeal]:
    """Each of `deeds` by name. Two runs on one worker each: without them, and with them."""
    hostile = {one.name: _planned("toy-hostile", one.dataset, 1, deed=one.name)[0] for one in deeds}
    witnesses = {name: _planned("toy-witness", name, len(deeds) + 1) for name in ("toy-blobs", "toy-words")}
    after = {one.name: witnesses[one.dataset][number + 1] for number, one in enumerate(deeds)}
    mixed = [trial for one in deeds for trial in (hostile[one.name], after[one.name])]
    without = _outcomes(list(after.values()), folder / "without.db", Limits(memory=MEMORY, threads=1))
    limits = limits_beside(without.values(), waiting=all(map(_waits, deeds)))
    with_them = _outcomes([witnesses["toy-blobs"][0], *mixed], folder / "with.db", limits)
    return {
        name: Ordeal(with_them[hostile[name].key], with_them[after[name].key], without[after[name].key])
        for name in hostile
    }


def run_deeds_at_once(deeds: Sequence[Deed], folder: Path) -> dict[str, Ordeal]:
    """The same in four processes, and in one more for each of those deeds that only wait for the limit of time."""
    forks: list[Fork] = []
    found: dict[str, Ordeal] = {}
    others = [one for one in deeds if not _waits(one)]
    groups = [*([one] for one in deeds if _waits(one)), *(others[number::4] for number in range(4))]
    try:
        for number, group in enumerate(filter(None, groups)):
            place = folder / str(number)
            place.mkdir()
            forks.append(Fork(partial(_pickled, group, place)))
        for fork in forks:
            ended = fork.heard()
            assert ended.answer is not None, ended.code
            found |= pickle.loads(ended.answer)
    finally:
        for fork in forks:
            fork.end()
    return found


def _waits(deed: Deed) -> bool:
    return deed.status == "TIMEOUT"


def _pickled(deeds: Sequence[Deed], folder: Path) -> bytes:
    return pickle.dumps(run_deeds(deeds, folder))


def limits_beside(healthy: Iterable[Outcome], *, waiting: bool) -> Limits:
    """Limits of time that no healthy trial reaches on a machine as busy as it was for those given.

    The first of them ran in a fresh worker, as each does that follows a deed. Memory that is touched for the first
    time may cost a virtual machine two seconds for MEMORY, and then nearly nothing: where deeds are not `waiting` for
    the limit, time enough for that is left, even on an eighth of a core.
    """
    walls, seconds = zip(*((one.wall_s, one.cpu_s or 0.0) for one in healthy), strict=True)
    cpu_s = max(4.0, 3 * max(seconds))
    timeout_s = max(4.0, 20 * max(walls)) if waiting else max(10.0, 8 * cpu_s, 5 * max(walls))
    return Limits(timeout_s=timeout_s, cpu_s=cpu_s, memory=MEMORY, threads=1)


def _planned(algorithm: str, dataset: str, repeats: int, **params: Any) -> Sequence[Trial]:
    return planned(algorithm, dataset, params=params, corruptions=("none",), prepare=("none",), repeats=repeats)


def _outcomes(trials: Sequence[Trial], path: Path, limits: Limits) -> dict[str, Outcome]:
    with open_database(path) as db, LocalEngine(limits=limits) as engine, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* has no score by")  # of deeds against metrics
        Conductor(db, engine).run(pending(db, trials))
        found = {trial.key: outcome_of(db, trial.key) for trial in trials}
    return {key: one for key, one in found.items() if one is not None}


def same_result(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes hold the same labels, scores and account."""
    labels = [[labelling.labels.tolist() for labelling in each.labellings] for each in (one, other)]
    achieved = [dict(each.achieved) | {MEMORY_AT_START: 0} for each in (one, other)]
    # as text: a spread that is NaN is equal to itself there
    plain = [(each.status, repr(each.scores), each.objective, each.n_iter) for each in (one, other)]
    plain = list(zip(plain, achieved, strict=True))
    return labels[0] == labels[1] and plain[0] == plain[1]


def survivors(notes: Path) -> list[int]:
    """The processes that deeds have written down and that live."""
    numbers = [int(line) for line in notes.read_text().split()] if notes.exists() else []
    return [number for number in numbers if _lives(number)]


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return sys.platform != "linux" or lives(number)  # what was killed may be listed for a while
