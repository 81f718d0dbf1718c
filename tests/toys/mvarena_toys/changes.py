"""What an algorithm may change in its process, to be found by the next."""

from __future__ import annotations

import ctypes
import gc
import locale
import os
import platform
import random
import resource
import signal
import socket
import sys
import tempfile
import warnings
from typing import Any

import numpy as np
import sklearn
from scipy import special
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from mvarena.data import MultiViewData
from mvarena.engine import scoring
from mvarena.metrics import external
from mvarena_toys.deeds import deed


@deed("DONE")
def changes_what_the_system_keeps_of_a_process(_: Any) -> None:
    os.chdir(tempfile.mkdtemp())
    os.rmdir(os.getcwd())
    os.environ["MVARENA_CACHE"] = "/nowhere"
    os.environ["OMP_NUM_THREADS"] = "7"
    del os.environ["PATH"]
    os.umask(0o777)
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])


@deed("DONE")
def changes_what_libraries_keep_of_a_process(_: Any) -> None:
    np.random.set_bit_generator(np.random.PCG64(3))
    np.random.rand(7)  # noqa: NPY002
    random.seed(5)
    np.seterr(all="raise")
    special.seterr(all="raise")
    sklearn.set_config(assume_finite=True)
    threadpool_limits(2)
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    socket.setdefaulttimeout(0.1)
    tempfile.tempdir = "/nowhere"


@deed("DONE")
def changes_what_python_keeps_of_a_process(_: Any) -> None:
    warnings.simplefilter("error")
    gc.disable()
    sys.setrecursionlimit(200)
    sys.settrace(lambda *_: None)


@deed("DONE")
def rounds_small_numbers_to_zero(_: Any) -> None:
    """As a library does that was built with -ffast-math."""
    library = ctypes.CDLL(None)
    state = (ctypes.c_uint32 * 8)()
    if platform.machine() == "x86_64" and hasattr(library, "fegetenv"):
        library.fegetenv(state)
        state[7] |= 0x8040  # of MXCSR: flush to zero, and denormals are zeros
        library.fesetenv(state)


@deed("DONE")
def replaces_functions(_: Any) -> None:
    scoring.values_of.__code__ = (lambda *_: ({}, {})).__code__
    MultiViewData.with_mask.__code__ = (lambda self, _: self).__code__
    scoring._INPUTS = {}
    vars(external).clear()
    np.dot = lambda *_: np.zeros(1)  # type: ignore[assignment]
    KMeans.fit = lambda *_, **__: None
    os.write = lambda *_: 0  # type: ignore[assignment]


@deed("DONE", long=True)
def lowers_its_limits(_: Any) -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.nice(5)
    for kind, limit in ((resource.RLIMIT_CPU, 5), (resource.RLIMIT_NOFILE, 0), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(kind, (limit, limit))


@deed("DONE", long=True)
def closes_standard_output(_: Any) -> None:
    sys.stdout.close()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
