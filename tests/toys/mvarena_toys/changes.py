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
from threadpoolctl import threadpool_limits

from mvarena.data import MultiViewData
from mvarena.engine import scoring
from mvarena.metrics import external
from mvarena_toys.deeds import deed


@deed("DONE")
def changes_the_folder(_: Any) -> None:
    os.chdir("/")


@deed("DONE")
def is_in_a_folder_that_is_gone(_: Any) -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


@deed("DONE")
def changes_the_environment(_: Any) -> None:
    os.environ["MVARENA_CACHE"] = "/nowhere"
    del os.environ["PATH"]
    os.environ["OMP_NUM_THREADS"] = "7"


@deed("DONE")
def draws_from_the_random_state_of_all(_: Any) -> None:
    np.random.seed(12)  # noqa: NPY002
    np.random.rand(7)  # noqa: NPY002
    random.seed(5)


@deed("DONE")
def replaces_the_bit_generator(_: Any) -> None:
    np.random.set_bit_generator(np.random.PCG64(3))


@deed("DONE")
def sets_signal_handlers(_: Any) -> None:
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGCHLD, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])


@deed("DONE")
def changes_threads_of_blas(_: Any) -> None:
    threadpool_limits(2)


@deed("DONE")
def makes_warnings_errors(_: Any) -> None:
    warnings.simplefilter("error")
    np.seterr(all="raise")


@deed("DONE")
def turns_the_collector_off(_: Any) -> None:
    gc.disable()
    sys.setrecursionlimit(200)
    sys.settrace(lambda *_: None)


@deed("DONE")
def changes_the_locale(_: Any) -> None:
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    socket.setdefaulttimeout(0.1)
    os.umask(0o777)
    sklearn.set_config(assume_finite=True)


@deed("DONE")
def sends_temporary_files_elsewhere(_: Any) -> None:
    tempfile.tempdir = "/nowhere"


@deed("DONE")
def makes_special_functions_raise(_: Any) -> None:
    special.seterr(all="raise")


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
def replaces_the_code_of_a_function(_: Any) -> None:
    scoring.values_of.__code__ = (lambda *_: ({}, {})).__code__
    MultiViewData.with_mask.__code__ = (lambda self, _: self).__code__


@deed("DONE")
def replaces_the_inputs_of_metrics(_: Any) -> None:
    scoring._INPUTS = {}
    vars(external).clear()


@deed("DONE", long=True)
def moves_to_one_core(_: Any) -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.nice(5)


@deed("DONE", long=True)
def lowers_its_limits(_: Any) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))


@deed("DONE", long=True)
def closes_standard_output(_: Any) -> None:
    sys.stdout.close()


@deed("DONE", long=True)
def turns_standard_error_elsewhere(_: Any) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


@deed("DONE")
def replaces_numpy_dot(_: Any) -> None:
    np.dot = lambda *_: np.zeros(1)  # type: ignore[assignment]
