"""The threads of linear algebra: tasks side by side within their number, and short steps on one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from threadpoolctl import ThreadpoolController

Map: TypeAlias = Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]


@cache
def _libraries() -> ThreadpoolController:
    # found once, as that takes 20 ms, and so after SciPy's own library has been loaded
    import_module("scipy.linalg")
    return ThreadpoolController()


def linear_algebra_threads() -> int:
    """Number of threads BLAS may use here, limits set by a caller included."""
    return max((int(pool["num_threads"]) for pool in _libraries().info() if pool["user_api"] == "blas"), default=1)


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
    with _libraries().limit(limits=threads // workers, user_api="blas"), ThreadPoolExecutor(workers) as pool:
        yield pool.map


@contextmanager
def one_linear_algebra_thread() -> Iterator[None]:
    """BLAS on one thread meanwhile.

    For many short steps, such as a QR decomposition of a few columns, where threads wait for one another at each
    column: beside one other process on two cores it took 150 times as long with two threads. Costs 0.05 ms.
    """
    with _libraries().limit(limits=1, user_api="blas"):
        yield
