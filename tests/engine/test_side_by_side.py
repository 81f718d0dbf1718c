"""How many workers a run takes that nobody told how many: cores, memory and trials bound them."""

from __future__ import annotations

import pytest

from mvarena.api import run
from mvarena.engine import limits
from mvarena.engine.limits import Limits, workers_for

GIB = 2**30


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "usable_cores", lambda: 16)
    monkeypatch.setattr(limits, "memory_limit", lambda: 64 * GIB)


@pytest.mark.parametrize(
    ("n_trials", "limits", "samples", "expected", "workers"),
    [
        (1000, {}, 500, 0.0, 16),
        (1000, {"threads": 4}, 500, 0.0, 4),
        (1000, {"threads": 64}, 500, 0.0, 1),
        (1000, {"memory": 8 * GIB}, 500, 0.0, 8),
        (1000, {"memory": 128 * GIB}, 500, 0.0, 1),
        (1000, {}, 10_000, 0.0, 13),
        (1000, {}, 100_000, 0.0, 1),
        (1000, {}, 100_000, GIB, 1),
        (1000, {}, 500, 32.0 * GIB, 2),
        (7, {}, 500, 0.0, 3),
        (1, {}, 500, 0.0, 1),
        (0, {}, 0, 0.0, 1),
    ],
)
def test_cores_memory_and_trials_bound_the_workers(n_trials, limits, samples, expected, workers):
    assert workers_for(n_trials, Limits(**limits), most_samples=samples, expected_bytes=expected) == workers


@pytest.mark.slow
def test_results_do_not_depend_on_how_many(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "usable_cores", lambda: 3)
    one, three = (
        run("toy-quick", "toy-blobs", repeats=6, restarts=2, jobs=jobs, db=tmp_path / f"{jobs}.db")
        for jobs in (1, "auto")
    )
    columns = ["key", "metric", "value", "status"]
    assert one.scores[columns].equals(three.scores[columns])
