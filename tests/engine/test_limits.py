"""How many threads each worker may use."""

from __future__ import annotations

import pytest

from mvarena.engine.local import threads_per_worker


@pytest.mark.parametrize(
    ("environment", "jobs", "threads"),
    [
        ({}, 1, 8),
        ({}, 3, 2),
        ({}, 20, 1),
        ({"OMP_NUM_THREADS": "3"}, 1, 3),
        ({"OMP_NUM_THREADS": "3"}, 4, 2),
        ({"OMP_NUM_THREADS": "5", "OPENBLAS_NUM_THREADS": "1"}, 1, 1),
        ({"OMP_NUM_THREADS": "4,2"}, 1, 8),
        ({"OMP_NUM_THREADS": "0"}, 1, 1),
    ],
)
def test_an_equal_share_of_the_cores_unless_the_user_asks_for_fewer(monkeypatch, environment, jobs, threads):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert threads_per_worker(jobs) == threads
