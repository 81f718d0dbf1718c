"""Routines of OpenBLAS: which are in use, and how processes started from here take those of another processor.

OpenBLAS has routines for each kind of processor (Haswell, SkylakeX, Zen, ...) and takes those of the one it runs on.
They round differently, and some methods amplify that to other labels.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_VARIABLE = "OPENBLAS_CORETYPE"  # read by OpenBLAS when it is loaded
_loaded_with = os.environ.get(_VARIABLE)  # as far as this process loads it after this module
_TRIAL_S = 60
# a product and an eigenproblem: instructions that the processor lacks end the process
_TRIAL = """
import numpy
from mvarena.system.openblas import routines_in_use
numpy.linalg.eigh(numpy.ones((200, 200)) @ numpy.ones((200, 200)))
print(routines_in_use())
"""


def routines_in_use() -> str:
    """'Haswell', 'SkylakeX', ...; '' where numpy and scipy use another library, several joined by ', '."""
    from threadpoolctl import threadpool_info

    pools = [pool for pool in threadpool_info() if pool["internal_api"] == "openblas"]
    return ", ".join(sorted({pool.get("architecture") or "" for pool in pools}))


@cache
def can_use(routines: str) -> bool:
    """True if these routines run on this processor. Cost: a process, half a second."""
    if not routines.isalnum():
        return False
    command = [sys.executable, "-c", _TRIAL]
    variables = os.environ | {_VARIABLE: routines}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TRIAL_S, env=variables, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and done.stdout.strip() == routines


def has_other_routines() -> bool:
    """True if a process that starts now uses other routines than this one."""
    return os.environ.get(_VARIABLE) != _loaded_with


@contextmanager
def processes_use(routines: str) -> Iterator[None]:
    """Have processes that start within it use these routines; '': those of the processor."""
    before = os.environ.get(_VARIABLE)
    if routines:
        os.environ[_VARIABLE] = routines
    try:
        yield
    finally:
        if routines:
            os.environ.pop(_VARIABLE)
            if before is not None:
                os.environ[_VARIABLE] = before
