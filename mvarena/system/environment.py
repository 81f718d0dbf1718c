"""Environment of a trial: versions, machine, threads, peak memory."""

from __future__ import annotations

import os
import platform
import sys
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mvarena.system.openblas import routines_in_use
from mvarena.system.processes import status_bytes

_PACKAGES = ("mvarena", "numpy", "scipy", "scikit-learn")


@cache
def environment() -> dict[str, Any]:
    """Versions of Python, mvarena and the numerical packages, the machine, and the threads that BLAS and OpenMP use.

    openblas : kind of processor whose routines OpenBLAS uses, such as 'Haswell'; absent with another library.
    """
    from threadpoolctl import threadpool_info

    values: dict[str, Any] = {"python": platform.python_version(), "platform": platform.platform(terse=True)}
    values |= {"machine": platform.machine(), "cpu": cpu_model()}
    values |= {"cores": os.cpu_count(), "usable_cores": usable_cores()}
    for package in _PACKAGES:
        try:
            values[package] = version(package)
        except PackageNotFoundError:
            values[package] = "not installed"
    pools = {f"{pool['internal_api']}": pool["num_threads"] for pool in threadpool_info()}
    values |= {"openblas": routines} if (routines := routines_in_use()) else {}
    return values | {"threads": pools}


def cpu_time() -> float:
    """CPU seconds of this process and of the programs that it ran and waited for (POSIX)."""
    import resource

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def reset_peak_memory() -> None:
    """Have `peak_memory_mb` begin anew from what is resident now, where the system can (Linux)."""
    with suppress(OSError), open("/proc/self/clear_refs", "wb", buffering=0) as file:
        file.write(b"5")


def peak_memory_mb() -> float:
    """Peak resident memory (MiB) of this process since `reset_peak_memory`, or since it began (POSIX)."""
    peak = status_bytes("self", "VmHWM")
    return _largest_mb(of_programs=False) if peak is None else peak / 2**20


def peak_of_programs_mb() -> float:
    """Peak resident memory (MiB) of the largest program that this process ran and waited for; 0: none (POSIX).

    On Linux it is at least that of this process when the program was started, of which it is a copy at first.
    """
    return _largest_mb(of_programs=True)


def _largest_mb(*, of_programs: bool) -> float:
    import resource

    largest = resource.getrusage(resource.RUSAGE_CHILDREN if of_programs else resource.RUSAGE_SELF).ru_maxrss
    return largest / (1024 * 1024 if sys.platform == "darwin" else 1024)


# What kind of machine this is: facts that do not change while it runs.


def cpu_model() -> str:
    """'AMD EPYC 7B13 64-Core Processor', or what Python says where the system does not tell."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    told = (line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() in ("model name", "cpu"))
    return next(told, "") or platform.processor() or platform.machine()


def usable_cores() -> int:
    """Number of cores this process may run on, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
