"""Data are loaded once: in planning, and in each worker, however many methods a study has."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from study_runs import run_study
from toy_trials import planned

from mvarena.data import MultiViewData
from mvarena.engine import stages, worker_process
from mvarena.engine.execute import execute
from mvarena.engine.stages import LastStaged
from mvarena.readers.npz import write_npz
from mvarena.registry.catalog import installed_catalog
from mvarena.study import sources
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.testing import blobs

SETS = 6
# run by each process at its start: it notes which data files are opened, with the number of the process
NOTES_OPENED = """
import os, sys

notes = os.open({notes!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def noted(event, args):
    name = args[0] if event == "open" else None
    if isinstance(name, (str, os.PathLike)) and os.fspath(name).endswith((".npz", "manifest.json")):
        os.write(notes, f"{{os.getpid()}} {{os.fspath(name)}}\\n".encode())


sys.addaudithook(noted)
"""


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Data set -> how often it was read."""
    found: Counter[str] = Counter()
    load = sources.NamedData.load

    def counted(self: sources.NamedData, seed: int) -> MultiViewData:
        found[self.source.name] += 1
        return load(self, seed)

    monkeypatch.setattr(sources.NamedData, "load", counted)
    sources.forget_sources()
    yield found
    sources.forget_sources()


@pytest.mark.slow
def test_a_run_plans_in_one_process_and_two_workers_open_what_is_mapped_once_each_and_no_original(
    loads: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two methods, each with two rates of missing samples, on more sets than a process keeps."""
    for number in range(SETS):
        write_npz(blobs(20, n_clusters=2, seed=number), tmp_path / f"set-{number}.npz")
    study = Study(
        algorithms=("toy-quick",), datasets=(str(tmp_path / "*.npz"),), rates=(0.1, 0.3), repeats=1, restarts=1,
        params={"toy-quick": {"scale": (1.0, 2.0)}},
    )  # fmt: skip
    notes, start = tmp_path / "notes", tmp_path / "start"
    start.mkdir()
    (start / "sitecustomize.py").write_text(NOTES_OPENED.format(notes=str(notes)))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(start), os.environ["PYTHONPATH"]]))
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(worker_process, "can_be_forked", lambda _: False)  # a fork has what its parent has opened
    run_study(study, db=tmp_path / "r.db", jobs=2)
    assert (len(loads), set(loads.values())) == (SETS, {1}), "in planning, and nothing else there"
    opened = Counter(tuple(line.split(" ", 1)) for line in notes.read_text().splitlines())
    assert set(opened.values()) == {1}
    assert len({process for process, _ in opened}) <= 2  # one may be done before the other has started
    assert len({path for _, path in opened}) == SETS
    assert all(path.endswith("manifest.json") for _, path in opened)


@pytest.fixture
def prepares(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The data sets that were prepared, in turn."""
    found: list[str] = []
    before = stages.staged
    monkeypatch.setattr(stages, "staged", lambda trial, catalog: found.append(trial.dataset) or before(trial, catalog))
    return found


def test_a_worker_prepares_once_for_all_trials_on_the_same_data(prepares: list[str]) -> None:
    study = Study(
        algorithms=("toy-quick",), datasets=("toy-blobs", "toy-words"), repeats=2, restarts=1,
        corruptions=("missing-even",), params={"toy-quick": {"scale": (1.0, 2.0, 3.0)}},
    )  # fmt: skip
    catalog = installed_catalog()
    trials = sorted(plan_study(study, catalog).trials, key=lambda trial: (trial.dataset, trial.repeat))
    data = LastStaged()
    for trial in trials:
        outcome, alone = execute(trial, catalog, data), execute(trial, catalog)
        assert str(outcome.scores) == str(alone.scores)  # NaN among them
    assert len(trials) == 12
    assert prepares == ["toy-blobs"] * 2 + ["toy-words"] * 2


def test_data_that_cannot_be_had_are_asked_for_once(prepares: list[str]) -> None:
    data = LastStaged()
    trials = [replace(trial, content="0" * 64) for trial in planned(repeats=2, corruptions=("none",))]
    reasons = [execute(trial, stages=data).reason for trial in (*trials, *trials)]
    assert set(reasons) == {"toy-blobs has changed since this trial was planned; run the same command again."}
    assert prepares == ["toy-blobs"]
