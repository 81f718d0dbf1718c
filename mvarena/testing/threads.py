"""Linear algebra on several threads, for as long as that is bearable."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController, threadpool_limits

_AGAIN_S = 0.2


@contextmanager
def threads_for(threads: int, cpu_seconds: float) -> Iterator[None]:
    """Linear algebra in the block uses so many threads until it has computed so long, and one from then on.

    Where all cores are busy, each of OpenBLAS's calls waits for a thread that has no core: what takes a second on cores
    of its own takes minutes there. What threads change, they change from the first iterations on. In another than the
    main thread, and on systems without timers, it uses so many to the end.
    """
    with threadpool_limits(threads, user_api="blas"):
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return
        libraries = ThreadpoolController().select(user_api="blas").lib_controllers

        # in this thread, for OpenBLAS keeps the number by thread; a timer of CPU time, for tests use that of the clock
        def lower(number: int, frame: Any) -> None:
            del number, frame
            for library in libraries:
                library.set_num_threads(1)

        before = signal.signal(signal.SIGPROF, lower)
        # again and again: who lowers the number for a while himself sets it back to what he found
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds, _AGAIN_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, before)
