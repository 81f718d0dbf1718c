"""Data are loaded once: in planning, and in each worker, however many methods a study has."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mvarena.arena import run_study
from mvarena.data import MultiViewData
from mvarena.engine import stages
from mvarena.engine.execute import execute
from mvarena.loaders.userfile.npzform import write_npz
from mvarena.registry.catalog import installed_catalog
from mvarena.study import sources
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

METHODS, SETS = 35, 10


def blobs(seed: int) -> MultiViewData:
    rng = np.random.default_rng(seed)
    labels = np.arange(20) % 2
    return MultiViewData.from_arrays([rng.normal(size=(20, 3)) + labels[:, None] for _ in range(2)], labels=labels)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """35 methods on 10 files, two rates of missing samples each."""
    for number in range(SETS):
        write_npz(blobs(number), tmp_path / f"set-{number}.npz")
    return Study(
        algorithms=("toy-quick",), datasets=(str(tmp_path / "*.npz"),), rates=(0.1, 0.3), repeats=1, restarts=1,
        params={"toy-quick": {"scale": tuple(1.0 + one for one in range(METHODS))}},
    )  # fmt: skip


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Data set -> how often it was read."""
    found: Counter[str] = Counter()
    load = sources.NamedData.load

    def counted(self: sources.NamedData, seed: int) -> MultiViewData:
        found[self.source.name] += 1
        return load(self, seed)

    monkeypatch.setattr(sources.NamedData, "load", counted)
    forget()
    yield found
    forget()


def forget() -> None:
    """As in a process that has just started."""
    sources._load.cache_clear()
    stages._shared.cache_clear()


def test_a_plan_and_each_worker_load_each_data_set_once(study: Study, loads: Counter[str]) -> None:
    trials = list(plan_study(study, installed_catalog()).trials)
    assert len(trials) == METHODS * SETS * 2
    assert (len(loads), set(loads.values())) == (SETS, {1})
    for worker in range(2):  # which get every other trial
        forget()
        loads.clear()
        for trial in trials[worker::2]:
            assert execute(trial).status == "DONE"
        assert (len(loads), set(loads.values())) == (SETS, {1})


def test_a_run_plans_in_one_process_and_loads_nothing_else_there(study: Study, loads: Counter[str], tmp_path) -> None:
    run_study(study, db=tmp_path / "r.db", jobs=2)
    assert set(loads.values()) == {1}
