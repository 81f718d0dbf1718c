"""Ways to end a worker, or to keep it from ending."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from typing import Any

from mvarena_toys.deeds import deed, note


@deed("CRASHED", "ended with exit code")
def leaves_its_connection_to_a_child(_: Any) -> None:
    child = os.fork()
    if child == 0:
        time.sleep(600)
    note(child)
    os._exit(0)


@deed("CRASHED", "closed the pipe for its result", long=True)
def closes_every_file_and_hangs(_: Any) -> None:
    os.closerange(0, 1000)
    time.sleep(3600)


@deed("CRASHED", "ended by SIGKILL")
def kills_itself(_: Any) -> None:
    print("the last words", file=sys.stderr)
    os.kill(os.getpid(), signal.SIGKILL)


@deed("CRASHED", f"ended by {signal.SIGRTMIN + 1}")
def is_ended_by_a_signal_without_a_name(_: Any) -> None:
    os.kill(os.getpid(), signal.SIGRTMIN + 1)


@deed("CRASHED", "ended by SIGSEGV")
def reads_address_0(_: Any) -> None:
    ctypes.string_at(0)


@deed("CRASHED", "", long=True)
def kills_its_process_group(_: Any) -> None:
    os.killpg(0, signal.SIGKILL)


@deed("TIMEOUT", "longer than", long=True)
def stops_its_worker(_: Any) -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(600)
