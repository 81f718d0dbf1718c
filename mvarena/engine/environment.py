"""What a trial ran on: versions, machine, threads, peak memory."""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = ("mvarena", "numpy", "scipy", "scikit-learn")


@cache
def environment() -> dict[str, Any]:
    """Versions of Python, mvarena and the numerical packages, the machine, and the threads that BLAS and OpenMP use.

    git : {'commit': ..., 'dirty': ...} of the checkout that mvarena runs from; absent where it was installed.
    container : of what kind; absent where there is none.
    """
    from threadpoolctl import threadpool_info

    from mvarena.engine.machine import checkout, container, cpu_model, usable_cores

    found: dict[str, Any] = {"python": platform.python_version(), "platform": platform.platform(terse=True)}
    found |= {"machine": platform.machine(), "cpu": cpu_model()}
    found |= {"cores": os.cpu_count(), "usable_cores": usable_cores()}
    found |= {key: value for key, value in (("container", container()), ("git", checkout())) if value}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    pools = {f"{pool['internal_api']}": pool["num_threads"] for pool in threadpool_info()}
    return found | {"threads": pools}


class PeakMemory:
    """The peak resident memory (MiB) since `reset`, where the system can tell, else since the process began."""

    def __init__(self) -> None:
        self._resettable = sys.platform == "linux" and os.access("/proc/self/clear_refs", os.W_OK)

    def reset(self) -> None:
        """Start anew from what is resident now."""
        if self._resettable:
            try:
                Path("/proc/self/clear_refs").write_text("5")
            except OSError:
                self._resettable = False

    def read(self) -> float:
        """The peak in MiB; 0 where the system does not tell."""
        if self._resettable:
            for line in Path("/proc/self/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
        try:
            import resource
        except ImportError:
            return 0.0
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
