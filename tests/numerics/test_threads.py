"""Tasks side by side: in order, within the limit that is set, and errors are not lost."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from mvarena.system.threads import linear_algebra_threads, side_by_side_tasks


def test_one_thread_means_the_calling_one():
    with threadpool_limits(1, user_api="blas"), side_by_side_tasks(4) as each:
        assert set(each(lambda _: threading.get_ident(), range(4))) == {threading.get_ident()}


def test_two_threads_meet():
    np.eye(2) @ np.eye(2)
    with threadpool_limits(2, user_api="blas"):
        if linear_algebra_threads() < 2:
            pytest.skip("this BLAS was built for one thread")
        barrier = threading.Barrier(2, timeout=30)

        def meet(i: int) -> int:
            barrier.wait()  # two tasks one after the other would never pass
            assert linear_algebra_threads() == 1
            return i

        with side_by_side_tasks(2) as each:
            assert list(each(meet, range(2))) == [0, 1]
        assert linear_algebra_threads() == 2


def test_an_error_in_a_task_arrives():
    def fail(i: int) -> int:
        raise ValueError(f"task {i}")

    for limit in (1, 2):
        with (
            threadpool_limits(limit, user_api="blas"),
            side_by_side_tasks(2) as each,
            pytest.raises(ValueError, match="task 0"),
        ):
            list(each(fail, range(2)))
