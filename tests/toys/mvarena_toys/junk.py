"""What an algorithm may write to the connection of its worker."""

from __future__ import annotations

import os
import pickle
import stat
import struct
import time
from typing import Any

from mvarena_toys.deeds import deed


def link() -> int:
    """Its end of the connection of the process that runs it: its only pipe but the streams."""
    found = [int(name) for name in os.listdir("/proc/self/fd")]
    return next(one for one in found if one > 2 and _is_pipe(one))


def _is_pipe(descriptor: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def frame(payload: bytes) -> bytes:
    return struct.pack(">4sQ", b"mva1", len(payload)) + payload


@deed("FAILED", "announced a message")
def announces_an_exabyte(_: Any) -> None:
    os.write(link(), struct.pack(">4sQ", b"mva1", 2**60))


@deed("FAILED", "cannot be read")
def answers_what_is_no_pickle(_: Any) -> None:
    os.write(link(), frame(b"[" * 1000))


@deed("FAILED", "it is a dict")
def answers_what_is_no_outcome(_: Any) -> None:
    os.write(link(), frame(pickle.dumps({"status": "DONE"})))


@deed("TIMEOUT", long=True)
def sends_half_a_message(_: Any) -> None:
    os.write(link(), frame(bytes(1000))[:100])
    time.sleep(600)
