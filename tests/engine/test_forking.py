"""A fork of a process answers, keeps its changes to itself, and ends with what it started."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np

from mvarena.system.forking import forked


def test_a_fork_answers_whatever_its_length():
    assert forked(lambda: b"").answer == b""
    assert forked(lambda: bytes(3_000_000)).answer == bytes(3_000_000)


def test_what_a_fork_changes_stays_its_own():
    kept = np.zeros(3)

    def deed() -> bytes:
        kept[:] = 1.0
        return kept.tobytes()

    assert forked(deed).answer == np.ones(3).tobytes()
    assert not kept.any()


def test_a_fork_ends_with_what_it_started(tmp_path):
    def deed() -> bytes:
        child = os.fork()
        if child == 0:
            time.sleep(60)
        (tmp_path / "child").write_text(str(child))
        os._exit(0)

    started = time.monotonic()
    assert forked(deed).fault == "it exited with code 0"
    assert time.monotonic() - started < 20
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and _lives(child):
        time.sleep(0.02)
    assert not _lives(child)


def test_the_end_of_a_fork_is_told_where_the_system_has_no_waitid(monkeypatch):
    monkeypatch.delattr(os, "waitid", raising=False)
    assert forked(lambda: os._exit(3)).fault == "it exited with code 3"
    assert forked(lambda: os.kill(os.getpid(), signal.SIGSEGV)).code == -signal.SIGSEGV


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
