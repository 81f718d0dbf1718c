"""Independent tasks side by side, within the number of threads that linear algebra may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeAlias

from threadpoolctl import threadpool_info, threadpool_limits

Map: TypeAlias = Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]


def linear_algebra_threads() -> int:
    """How many threads BLAS may use here, limits that a caller has set included."""
    return max((int(pool["num_threads"]) for pool in threadpool_info() if pool["user_api"] == "blas"), default=1)


@contextmanager
def side_by_side_tasks(n_tasks: int) -> Iterator[Map]:
    """A `map` that runs up to `n_tasks` tasks at once and gives each its share of the BLAS threads.

    An eigenproblem hardly gains from a second thread, two eigenproblems do. With one thread it is the built-in `map`.
    Results come in the order of the tasks; the tasks must not write to what they share.
    """
    threads = linear_algebra_threads()
    workers = min(n_tasks, threads)
    if workers <= 1:
        yield map
        return
    with threadpool_limits(threads // workers, user_api="blas"), ThreadPoolExecutor(workers) as pool:
        yield pool.map
