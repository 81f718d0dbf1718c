"""Forks of a process: their answer, whatever they do, and their end with what they started; and messages in pieces."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from mvarena.engine.worker_process import Tail
from mvarena.system import forking
from mvarena.system.forking import Fork, ForkEnd
from mvarena.system.framing import Frames, framed


def ended(deed: Callable[[], object]) -> ForkEnd:
    fork = Fork(deed)  # type: ignore[arg-type]
    try:
        return fork.heard()
    finally:
        fork.end()


def test_a_fork_answers_whatever_its_length():
    assert ended(lambda: b"").answer == b""
    assert ended(lambda: bytes(3_000_000)).answer == bytes(3_000_000)


def test_a_fork_that_closes_the_pipe_of_its_answer_and_goes_on_is_told_after_some_time(monkeypatch):
    monkeypatch.setattr(forking, "_MUTE_S", 0.5)
    began = time.monotonic()
    assert ended(lambda: os.closerange(3, 1000) or time.sleep(60)) == ForkEnd(is_mute=True)
    assert 0.5 < time.monotonic() - began < 30


def test_the_end_of_a_fork_is_told_where_the_system_has_no_waitid(monkeypatch):
    monkeypatch.delattr(os, "waitid", raising=False)
    assert ended(lambda: os._exit(3)).code == 3
    assert ended(lambda: os.kill(os.getpid(), signal.SIGSEGV)).code == -signal.SIGSEGV


@given(st.lists(st.binary(max_size=40), max_size=6), st.integers(1, 50))
def test_messages_come_out_whole_however_they_are_cut(messages, step):
    stream = b"".join(map(framed, messages))
    frames = Frames()
    found = [one for start in range(0, len(stream), step) for one in frames.add(stream[start : start + step])]
    assert found == messages
    assert not list(frames.add(b""))


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_a_tail_is_the_end_of_the_stream(pieces):
    tail = Tail(16)
    for piece in pieces:
        tail.add(piece)
    whole = b"".join(pieces)
    note = f"[{len(whole) - 16} bytes before this are left out]\n" if len(whole) > 16 else ""
    assert tail.taken() == note + whole[-16:].decode("utf-8", "backslashreplace")
    assert tail.taken() == ""
