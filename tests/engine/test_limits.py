"""Limits of a trial: what is refused, memory of control groups, the speed of a machine, and workers side by side."""

from __future__ import annotations

import os
import sys
import time

import pytest
from own_processes import workers_of
from toy_trials import one_trial, outcome_there

from mvarena.contracts.outcome import SPEED, Status
from mvarena.engine import limits as module
from mvarena.engine.limits import LEAST_MEMORY, Limits, workers_for
from mvarena.errors import InvalidSetting
from mvarena.system.memory import control_group_limit
from mvarena.system.speed import machine_speed


@pytest.mark.parametrize(("field", "value"), [("memory", LEAST_MEMORY - 1), ("threads", 0)])
def test_what_cannot_be_a_limit_is_refused(field, value):
    with pytest.raises(InvalidSetting) as caught:
        Limits(**{field: value})
    assert caught.value.field == field


GIB = 2**30
VERSION_1 = "5:cpu:/elsewhere\n4:memory:/a/b\n0::/\n"


@pytest.mark.parametrize(
    ("lines", "limits", "expected"),
    [
        (
            "0::/user/session/run\n",
            {
                "user/memory.max": 3 * GIB,
                "user/session/memory.max": "max",
                "user/session/run/memory.max": 5 * GIB,
                "user/another/memory.max": 2**20,
            },
            3 * GIB,
        ),
        (VERSION_1, {"memory/a/memory.limit_in_bytes": 2**63 - 4096}, None),
        (VERSION_1, {"memory/a/memory.limit_in_bytes": 7 * GIB}, 7 * GIB),
        ("0::/docker/0123/inner\n", {"memory.max": 2 * GIB}, 2 * GIB),
    ],
    ids=["the least along the path", "version 1 without a limit", "version 1", "inside a container"],
)
def test_the_limit_of_control_groups(tmp_path, lines, limits, expected):
    (tmp_path / "cgroup").write_text(lines)
    for name, value in limits.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(f"{value}\n")
    assert control_group_limit(tmp_path, tmp_path / "groups") == expected


@pytest.mark.parametrize("groups", ["", "no colon", "::", "0:memory", "0::/\0", "0::/../..", "4:memory:\ud800", "\n\n"])
def test_whatever_the_file_of_groups_holds_nothing_is_raised(tmp_path, groups):
    (tmp_path / "cgroup").write_text(groups, "utf-8", "surrogatepass")
    assert control_group_limit(tmp_path, tmp_path) is None


def test_a_worker_may_allocate_no_more_than_its_group_allows(monkeypatch):
    monkeypatch.setattr("mvarena.engine.limits.control_group_limit", lambda: 3 * GIB)
    assert Limits().memory_of_a_process == 3 * GIB
    assert Limits(memory=2 * GIB).memory_of_a_process == 2 * GIB
    assert Limits(memory=8 * GIB).memory_of_a_process == 3 * GIB


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_cpu_time_is_counted_in_seconds_of_the_reference_machine():
    outcome = outcome_there(one_trial("toy-burns"), Limits(cpu_s=100.0, speed=200.0))
    assert (outcome.status, outcome.cpu_s, outcome.environment[SPEED]) == (Status.TIMEOUT, 100.0, 200.0)
    assert outcome.reason == "toy-burns took longer than the 100 s of CPU time allowed."
    assert outcome.wall_s < 60
    assert not workers_of(os.getpid()), "its children are ended"


def test_the_speed_of_this_machine():
    began = time.thread_time()
    speed = machine_speed.__wrapped__()
    assert time.thread_time() - began < 1.0
    assert 0.02 < speed < 20, "of a machine that runs tests"


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
def test_cores_memory_and_trials_bound_the_workers(monkeypatch, n_trials, limits, samples, expected, workers):
    monkeypatch.setattr(module, "usable_cores", lambda: 16)
    monkeypatch.setattr(module, "memory_limit", lambda: 64 * GIB)
    assert workers_for(n_trials, Limits(**limits), most_samples=samples, expected_bytes=expected) == workers
