"""What an algorithm may write to the connection of its worker."""

from __future__ import annotations

import json
import os
import pickle
import stat
import struct
import time
from typing import Any

from mvarena_toys.deeds import deed
from mvarena_toys.results import Command


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


def message(header: Any, rest: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return frame(struct.pack(">I", len(text)) + text + rest)


@deed("FAILED", "is not a message", long=True)
def sends_noise(_: Any) -> None:
    os.write(link(), os.urandom(4000))


@deed("FAILED", "cannot be stored")
def sends_a_pickled_command(_: Any) -> None:
    os.write(link(), frame(pickle.dumps(Command())))


@deed("FAILED", "cannot be stored", long=True)
def sends_the_pickle_that_was_sent_before_there_were_frames(_: Any) -> None:
    pickled = pickle.dumps(Command())
    os.write(link(), struct.pack("!i", len(pickled)) + pickled)


@deed("FAILED", "announced a message")
def announces_an_exabyte(_: Any) -> None:
    os.write(link(), struct.pack(">4sQ", b"mva1", 2**60))


@deed("FAILED", "nobody asked for", long=True)
def says_ready_again(_: Any) -> None:
    os.write(link(), message({"kind": "ready"}))


@deed("FAILED", "cannot be stored", long=True)
def nests_a_million_lists(_: Any) -> None:
    text = b"[" * 10**6
    rest = memoryview(frame(struct.pack(">I", len(text)) + text))
    while rest:
        rest = rest[os.write(link(), rest) :]


@deed("FAILED", "cannot be stored", long=True)
def answers_what_is_no_outcome(_: Any) -> None:
    os.write(link(), message({"kind": "outcome", "status": "DONE", "labels": [{"dtype": "O", "size": 3}]}, bytes(24)))


@deed("FAILED", "cannot be stored", long=True)
def answers_with_half_of_its_arrays(_: Any) -> None:
    os.write(link(), message({"kind": "outcome", "status": "DONE", "labels": [{"dtype": "<i8", "size": 2**40}]}))


@deed("TIMEOUT", long=True)
def sends_half_a_message(_: Any) -> None:
    os.write(link(), frame(bytes(1000))[:100])
    time.sleep(600)
