"""What an algorithm may leave running."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from mvarena_toys.deeds import deed, note


@deed("DONE", long=True)
def leaves_a_thread(_: Any) -> None:
    threading.Thread(target=time.sleep, args=(600,)).start()


@deed("DONE")
def leaves_a_daemon(_: Any) -> None:
    middle = os.fork()
    if middle == 0:
        os.setsid()
        daemon = os.fork()
        if daemon == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.environ.clear()
            time.sleep(600)
        note(daemon)
        os._exit(0)
    os.waitpid(middle, 0)


@deed("TIMEOUT", "longer than", long=True)
def leaves_a_daemon_and_holds_the_interpreter(data: Any) -> None:
    leaves_a_daemon(data)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    note(os.getpid())
    ctypes.PyDLL(None).sleep(600)  # a call that keeps the GIL


@deed("CRASHED", "", long=True)
def leaves_many_that_start_others(_: Any) -> None:
    for _number in range(20):
        if os.fork() == 0:
            os.setsid()
            for _more in range(3):
                os.fork()
            time.sleep(600)
    os._exit(1)


@deed("DONE", long=True)
def leaves_a_child_that_prints(_: Any) -> None:
    note(subprocess.Popen([sys.executable, "-c", "import os, time\nwhile True: os.write(1, b'mine')"]).pid)


@deed("CRASHED", "")
def leaves_a_daemon_and_kills_its_worker(data: Any) -> None:
    leaves_a_daemon(data)
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)
