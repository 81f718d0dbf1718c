"""State of the process around a trial, restored after each.

Settings of the process are put back. What cannot be put back (a thread that still runs, a function of NumPy that was
replaced) wears the worker out: the next trial gets a fresh one. Cost: about 0.6 ms for each trial.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `getsignal` here makes no enumeration: 20 times as fast
import faulthandler
import gc
import locale
import os
import random
import resource
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
from numpy.random import mtrand

from mvarena.engine.patched_functions import PatchGuard
from mvarena.system.processes import LINUX

_LEFTOVER = 1 << 30  # bytes more than at the start that a trial may leave, or a quarter of what is allowed
_SEEDS = 2**32  # NumPy's old generator takes seeds below

_RESOURCES = sorted(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_"))
_SIGNALS = sorted(signal.valid_signals())


class ProcessState:
    """Takes note of the process as it is now, and puts it back after each trial.

    threads : of linear algebra and OpenMP. memory : bytes that the process may allocate; None: any number.
    """

    def __init__(self, threads: int, memory: int | None = None) -> None:
        self._leftover = min(_LEFTOVER, (memory or _LEFTOVER * 4) // 4)
        self._threads = threads
        self._modules_seen = 0
        self._pools: list[Any] = []
        self._untouched = PatchGuard()
        self._settings = tuple((read, write, read()) for read, write in _SETTINGS)
        self._handlers = [(number, _signal.getsignal(number)) for number in _SIGNALS]
        self._path = list(sys.path)
        self._streams = _streams()
        self._n_threads = len(sys._current_frames())
        self._memory = _own_bytes()
        gc.freeze()

    def begin(self, seed: int) -> None:
        """The random state that everybody shares is the same whenever a trial of that seed runs."""
        random.seed(seed)
        np.random.seed(seed % _SEEDS)  # noqa: NPY002  what is seeded is the old generator, for those who use it

    def restore(self) -> str:
        """Put everything back; why this process is worn out, as a sentence, or '' where it is as good as new."""
        try:
            _collect()
            return self._restore()
        except Exception as error:  # whatever a contestant made of the functions that look after it
            return f"it cannot be told what the trial left behind ({type(error).__name__})"

    def _restore(self) -> str:
        for read, write, before in self._settings:
            if read() != before:
                write(before)
                if read() != before:
                    return f"{write.__name__.strip('_')} cannot be put back"
        for number, handler in self._handlers:
            if _signal.getsignal(number) is not handler:
                if handler is None:
                    return "a signal's handler cannot be put back"
                signal.signal(number, handler)
        sys.path[:] = [*self._path, *(item for item in sys.path if item not in self._path)]
        faulthandler.cancel_dump_traceback_later()  # which may end the process, and nothing tells whether it is to
        self._set_threads()
        return self._left_behind() or self._untouched.changed()

    def _set_threads(self) -> None:
        """BLAS and OpenMP as they were, those libraries as well that the trial was the first to load."""
        if len(sys.modules) != self._modules_seen:
            from threadpoolctl import ThreadpoolController

            self._modules_seen = len(sys.modules)
            self._pools = list(ThreadpoolController().lib_controllers)
        for pool in self._pools:
            if pool.get_num_threads() != self._threads:
                pool.set_num_threads(self._threads)

    def _left_behind(self) -> str:
        if len(sys._current_frames()) > self._n_threads:
            return "threads of the trial still run"
        if _has_children():
            return "processes that the trial started still run"
        if _streams() != self._streams:
            return "the trial replaced the standard streams"
        if LINUX and len(os.listdir("/proc/self/fd")) > resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2:
            return "the trial left many files open"
        if _own_bytes() > self._memory + self._leftover:
            return "the trial left much memory in use"
        return ""


# what can be read, compared and written back ----------------------------------------------------------------


def _environment() -> dict[Any, Any]:
    return dict(os.environ._data)  # type: ignore[attr-defined]  # as they are kept: decoding takes 20 times as long


def _set_environment(before: dict[Any, Any]) -> None:
    texts = {os.environ.decodekey(name): os.environ.decodevalue(value) for name, value in before.items()}
    for name in set(os.environ) - set(texts):
        del os.environ[name]
    os.environ.update(texts)


def _folder() -> str:
    with suppress(OSError):  # it was removed
        return os.getcwd()
    return ""


def _set_folder(before: str) -> None:
    os.chdir(before or "/")


def _umask() -> int:
    before = os.umask(0o77)
    os.umask(before)
    return before


def _set_umask(before: int) -> None:
    os.umask(before)


def _filters() -> list[Any]:
    return [*warnings.filters, warnings.showwarning]


def _set_filters(before: list[Any]) -> None:
    warnings.filters[:] = before[:-1]  # type: ignore[index]  # documented as a list
    warnings.showwarning = before[-1]


def _collector() -> tuple[Any, ...]:
    return gc.isenabled(), gc.get_threshold(), gc.get_debug(), len(gc.callbacks)


def _set_collector(before: tuple[Any, ...]) -> None:
    (gc.enable if before[0] else gc.disable)()
    gc.set_threshold(*before[1])
    gc.set_debug(before[2])
    del gc.callbacks[before[3] :]


def _hooks() -> tuple[Any, ...]:
    return (
        sys.excepthook, sys.unraisablehook, sys.displayhook, threading.excepthook, sys.gettrace(), sys.getprofile(),
        sys.getrecursionlimit(), sys.getswitchinterval(), tuple(sys.meta_path), tuple(sys.path_hooks),
    )  # fmt: skip


def _set_hooks(before: tuple[Any, ...]) -> None:
    sys.excepthook, sys.unraisablehook, sys.displayhook, threading.excepthook = before[:4]
    sys.settrace(before[4])
    sys.setprofile(before[5])
    sys.setrecursionlimit(before[6])
    sys.setswitchinterval(before[7])
    sys.meta_path[:], sys.path_hooks[:] = before[8:]


def _resources() -> list[tuple[int, int]]:
    return [resource.getrlimit(number) for number in _RESOURCES]


def _set_resources(before: list[tuple[int, int]]) -> None:
    for number, limits in zip(_RESOURCES, before, strict=True):
        with suppress(OSError, ValueError):  # what was lowered for good is seen afterwards
            resource.setrlimit(number, limits)


def _place() -> tuple[Any, ...]:
    affinity = os.sched_getaffinity(0) if LINUX else set()
    return os.getpriority(os.PRIO_PROCESS, 0), affinity


def _set_place(before: tuple[Any, ...]) -> None:
    with suppress(OSError):
        if before[1]:
            os.sched_setaffinity(0, before[1])
        os.setpriority(os.PRIO_PROCESS, 0, before[0])


def _timers() -> tuple[Any, ...]:
    running = [signal.getitimer(item)[0] for item in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
    return any(running), signal.pthread_sigmask(signal.SIG_BLOCK, []), socket.getdefaulttimeout()


def _set_timers(before: tuple[Any, ...]) -> None:
    for item in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(item, 0)
    signal.pthread_sigmask(signal.SIG_SETMASK, before[1])
    socket.setdefaulttimeout(before[2])


def _numpy() -> tuple[Any, ...]:
    return np.geterr(), np.geterrcall(), np.getbufsize(), repr(np.get_printoptions())


def _set_numpy(before: tuple[Any, ...]) -> None:
    np.seterr(**before[0])
    np.seterrcall(before[1])
    np.setbufsize(before[2])
    np.set_printoptions(**_PRINTED)


def _generator() -> int:
    return id(mtrand.get_bit_generator())


def _set_generator(before: int) -> None:
    if id(_BITS) == before:
        mtrand.set_bit_generator(_BITS)


def _locale() -> str:
    return locale.setlocale(locale.LC_ALL)


def _set_locale(before: str) -> None:
    locale.setlocale(locale.LC_ALL, before)


def _sklearn() -> dict[str, Any]:
    module = sys.modules.get("sklearn")
    return dict(module.get_config()) if isinstance(module, ModuleType) else {}


def _set_sklearn(before: dict[str, Any]) -> None:
    sys.modules["sklearn"].set_config(**before)


_PRINTED: dict[str, Any] = {name: value for name, value in np.get_printoptions().items() if name != "override_repr"}
_BITS = mtrand.get_bit_generator()
_SETTINGS: tuple[tuple[Callable[[], Any], Callable[[Any], None]], ...] = (
    (_environment, _set_environment),
    (_folder, _set_folder),
    (_umask, _set_umask),
    (_filters, _set_filters),
    (_collector, _set_collector),
    (_hooks, _set_hooks),
    (_resources, _set_resources),
    (_place, _set_place),
    (_timers, _set_timers),
    (_numpy, _set_numpy),
    (_generator, _set_generator),
    (_locale, _set_locale),
    (_sklearn, _set_sklearn),
)


# what is only looked at -------------------------------------------------------------------------------------


def _streams() -> tuple[Any, ...]:
    """The standard streams: the objects, and the files behind their numbers."""
    files = tuple((stat.st_dev, stat.st_ino) for stat in map(os.fstat, (0, 1, 2)))
    return id(sys.stdin), id(sys.stdout), id(sys.stderr), files, sys.stdout.closed, sys.stderr.closed


def _has_children() -> bool:
    """True if a process lives that this one started, or that one of those left behind (Linux)."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass  # it has ended
    except ChildProcessError:
        return False
    return True


def _collect() -> None:
    """Let what the trial left in cycles end now, with whatever it does then, and not in the middle of the next.

    What is in use now is not looked at again, which would take 70 ms for each trial.
    """
    gc.collect()
    gc.freeze()


def _own_bytes() -> int:
    """Bytes of memory that are this process's alone; 0 where the system does not say."""
    if not LINUX:
        return 0
    with open("/proc/self/statm", "rb") as file:
        resident, shared = file.read().split()[1:3]
    return (int(resident) - int(shared)) * resource.getpagesize()
