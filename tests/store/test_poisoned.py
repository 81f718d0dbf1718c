"""Databases that somebody has spoilt on purpose: each command ends with a sentence, soon, and writes nothing."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from poisons import COMMANDS, POISONS, bomb, ended, key, sql, write_good, wrong_with

from mvarena.errors import StoreError
from mvarena.store import open_database
from mvarena.store.encoding import MOST_LABELS, unpack_floats, unpack_labels
from mvarena.store.integrity import faults
from mvarena.store.merge import merge
from mvarena.store.readonly import open_to_read

LONGEST_S = 20  # of CPU time, which is the same on a busy machine


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_good(tmp_path_factory.mktemp("good") / "good.db")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, and an end to what takes too long."""

    def too_long(*_: object) -> None:
        pytest.fail(f"it took more than {LONGEST_S} s")

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("poison", POISONS)
def test_commands_end_with_a_sentence_and_write_nothing(good: Path, folder: Path, poison: str) -> None:
    assert list(wrong_with(poison, good)) == []


def test_a_good_one_passes(good: Path, folder: Path) -> None:
    shutil.copy(good, "bad.db")
    for name, arguments in COMMANDS.items():
        assert ended(arguments)[0] == 0, name


def test_what_is_broken_stays_out_of_a_merge_and_the_rest_comes_in(good: Path, folder: Path) -> None:
    shutil.copy(good, "bad.db")
    sql(f"UPDATE attempts SET wall_s = 'long' WHERE key = '{key(1)}'")(Path("bad.db"))
    with open_to_read("bad.db") as other, open_database("mine.db") as db:
        done = merge(db, other)
        assert (done.added, done.refused, done.runs) == (2, 1, 1)
        assert done.faults == [f"trial {key(1)[:12]}, attempt 1: its wall_s is not a number."]
        assert list(faults(db)) == []
    code, out, _ = ended(["results", "merge", "bad.db", "--db", "mine.db"])
    assert code == 1
    assert "1 trial of OTHER is broken and not added" in out


def test_a_check_ends_in_time(good: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.store.checks._OPS", 1)
    with open_to_read(good) as db:
        assert [fault.whole for fault in faults(db, limit_s=0.0)][-1:] == [True]
        assert list(faults(db)) == []


def test_a_log_that_was_left_over_is_read(good: Path, folder: Path) -> None:
    shutil.copy(good, "bad.db")
    with closing(sqlite3.connect("bad.db")) as connection:
        connection.execute("UPDATE attempts SET reason = 'it is late' WHERE status = 'FAILED'")
        connection.commit()
        for ending in ("", "-wal"):
            shutil.copy(f"bad.db{ending}", f"left.db{ending}")
    assert ended(["results", "check", "--db", "left.db"])[0] == 0
    assert ended(["results", "list", "--db", "left.db"])[0] == 0


def test_no_more_is_unpacked_than_there_may_be() -> None:
    with pytest.raises(StoreError, match="more than 6 packed numbers"):
        unpack_labels(bomb(), 6)
    with pytest.raises(StoreError, match=f"more than {MOST_LABELS} packed"):
        unpack_labels(b"1" + zlib.compress(bytes(MOST_LABELS + 1), 1))
    with pytest.raises(StoreError, match="packed numbers are cut off"):
        unpack_labels(b"8" + zlib.compress(bytes(16))[:-3])
    with pytest.raises(StoreError, match="more than"):
        unpack_floats(zlib.compress(bytes(8 * (2**24 + 1)), 1))


def test_what_a_terminal_obeys_is_written_out(good: Path, folder: Path) -> None:
    shutil.copy(good, "bad.db")
    clear = "\x1b[2J"
    sql(f"UPDATE attempts SET reason = 'it {clear}' WHERE status = 'FAILED'", f"UPDATE names SET dataset = '{clear}'")(
        Path("bad.db")
    )
    for arguments in (["results", "failures"], ["results", "list"], ["results", "show", key()[:12]]):
        code, said, _ = ended([*arguments, "--db", "bad.db"])
        assert code == 0
        assert "\\x1b[2J" in said
        assert "\x1b" not in said


def test_a_command_that_writes_says_what_is_broken(good: Path, folder: Path) -> None:
    shutil.copy(good, "bad.db")
    sql("UPDATE trials SET identity = '{'")(Path("bad.db"))
    code, _, said = ended(["score", "--metric", "ari", "--db", "bad.db"])
    assert code == 1
    assert "bad.db holds broken rows: trial" in said
    assert "its description cannot be read" in said
