"""The workers of a Dask scheduler, and whether trials can run on them: the same Python, the same mvarena."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version

from mvarena.engine.dask_engine import connected

_NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Node:
    """One Dask worker. threads : trials that it runs at once. fault : why none can run there; '' where they can."""

    address: str
    threads: int
    fault: str


def nodes_of(scheduler: str) -> list[Node]:
    """The workers of the scheduler at that address, each asked what it has.

    Raises InvalidSetting where Dask is not installed, or nobody answers there.
    """
    here = _versions()
    with ExitStack() as stack:
        client = connected(stack, scheduler, 1)
        threads: Mapping[str, int] = client.nthreads()
        run: Mapping[str, dict[str, str]] = client.run(_versions, on_error="return") if threads else {}
        return [Node(address, count, _fault(run.get(address), here)) for address, count in sorted(threads.items())]


def _fault(there: object, here: Mapping[str, str]) -> str:
    if not isinstance(there, Mapping):  # what went wrong there
        return f"has no working installation of mvarena ({type(there).__name__}: {there})"
    other = [
        f"{name} {there.get(name, _NOTHING)} (here {mine})" for name, mine in here.items() if there.get(name) != mine
    ]
    return f"has {', '.join(other)}; install the same there" if other else ""


def _versions() -> dict[str, str]:
    """Versions that must agree on all machines, since trials are sent as Python's own bytes."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"Python": python, "mvarena": version("mvarena")}
