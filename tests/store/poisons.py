"""Results databases that somebody has spoilt, each in a few lines, and what commands must do with them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

from store_examples import example_outcome, example_trial

from mvarena.cli.main import main
from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Step, Trial
from mvarena.store import open_database, record
from mvarena.store.integrity import faults
from mvarena.store.readonly import open_to_read
from mvarena.store.runs import asked_run
from mvarena.store.trials import counts
from mvarena.study.request import Asked

FIXTURES = Path(__file__).parent / "fixtures"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key FROM n"


@cache
def bomb() -> bytes:
    """Labels: 150 kB for 160 MB."""
    return b"8" + zlib.compress(bytes(8 * 20_000_000), 9)


def bomb_of_ids() -> bytes:
    return zlib.compress(b"[" + b" " * 2**28, 9)


def bomb_of_floats() -> bytes:
    return zlib.compress(bytes(2**28), 1)


def trial(repeat: int = 0) -> Trial:
    return example_trial(repeat, corruptions=(Step("missing-even", "1", 0.1 + 0.2 * repeat),))


def key(repeat: int = 0) -> str:
    return trial(repeat).key


def write_good(path: Path) -> Path:
    """A small database with nothing wrong: two trials that are done and one that failed, and the run of them."""
    with open_database(path) as db:
        for repeat, status in enumerate((Status.DONE, Status.DONE, Status.FAILED)):
            record(db, trial(repeat), example_outcome(status))
        with asked_run(db, Asked("mvarena run"), {"python": "3"}) as run:
            run.wants([key(0), key(1), key(2)])
    return path


def sql(*statements: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return spoil


def with_bytes(statement: str, value: Callable[[], bytes]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement, (value(),))
            connection.commit()

    return spoil


def in_schema(*changes: tuple[str, str]) -> Callable[[Path], None]:
    """Replace parts of the texts that define the tables."""

    def spoil(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for old, new in changes:
                assert connection.execute(
                    "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE instr(sql, ?)", (old, new, old)
                ).rowcount
            connection.commit()

    return spoil


def cut_off(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_to_a_page(path: Path) -> None:
    os.truncate(path, 4096)


def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * 4096 * 4)


def no_database(path: Path) -> None:
    path.write_bytes(b"\x00" * 5000)


def another_programs(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE places (url TEXT)")(path)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def old_and_broken(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FIXTURES / "v1.sql").read_text())
        connection.execute("UPDATE labellings SET labels = ?", (bomb(),))
        connection.commit()


def nested(path: Path) -> None:
    text = "[" * 100_000 + "]" * 100_000
    sql(f"UPDATE trials SET identity = '{text}', params = '{text}'", f"UPDATE attempts SET achieved = '{text}'")(path)


POISONS: dict[str, Callable[[Path], None]] = {
    "cut off": cut_off,
    "one page": cut_to_a_page,
    "pages overwritten": overwritten,
    "zeros": no_database,
    "of another program": another_programs,
    "empty": empty,
    "old and broken": old_and_broken,
    "a future schema": sql("UPDATE mvarena_schema SET version_num = '9999'"),
    "no schema": sql("DELETE FROM mvarena_schema"),
    "a number as schema": sql("UPDATE mvarena_schema SET version_num = 8"),
    "an older schema claimed": sql("UPDATE mvarena_schema SET version_num = '0005'"),
    "a trigger": sql("CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END"),
    "a view": sql("CREATE VIEW v AS SELECT 1"),
    "an endless view": sql("DROP VIEW results", f"CREATE VIEW results AS {ENDLESS}"),
    "a view for a table": sql("DROP TABLE contents", f"CREATE VIEW contents AS {ENDLESS}"),
    "an endless schema": sql("DROP TABLE mvarena_schema", f"CREATE VIEW mvarena_schema AS {ENDLESS}"),
    "a virtual table": sql("CREATE VIRTUAL TABLE v USING fts5(x)"),
    "a table more": sql("CREATE TABLE more (x)"),
    "a table less": sql("DROP TABLE scores"),
    "a column more": sql("ALTER TABLE trials ADD COLUMN more TEXT"),
    "a column less": sql("DROP VIEW results", "ALTER TABLE attempts DROP COLUMN stdout_tail"),
    "a generated column": sql("ALTER TABLE trials ADD COLUMN more AS (zeroblob(100000000))"),
    "an index of an expression": sql("CREATE INDEX i ON trials (length(zeroblob(10)) + rate)"),
    "an index of a part": sql("CREATE INDEX i ON trials (rate) WHERE length(params) > 1"),
    "a constraint": in_schema(("algorithm VARCHAR(100) NOT NULL", "algorithm VARCHAR(100) NOT NULL CHECK (1)")),
    "a collation": in_schema(("params TEXT NOT NULL", "params TEXT COLLATE odd NOT NULL")),
    "a schema that is none": in_schema(("CREATE TABLE trials", "CREATE NOTHING trials")),
    "a bomb of labels": with_bytes("UPDATE labellings SET labels = ?", bomb),
    "a bomb of classes": with_bytes("UPDATE truths SET labels = ?", bomb),
    "a bomb of ids": with_bytes("INSERT INTO sample_ids SELECT DISTINCT content, ? FROM trials", bomb_of_ids),
    "a bomb of an objective": with_bytes("UPDATE attempts SET objective = ?", bomb_of_floats),
    "labels that are none": sql("UPDATE labellings SET labels = x'0102'"),
    "labels as text": sql("UPDATE labellings SET labels = 'abc'"),
    "labels of other length": sql("UPDATE truths SET n_samples = 4000000000"),
    "negative samples": sql("UPDATE truths SET n_samples = -1"),
    "texts for seconds": sql("UPDATE attempts SET wall_s = 'long', fit_s = 'longer', cpu_s = ''"),
    "a text for a score": sql("UPDATE scores SET value = 'best'"),
    "a text for a rate": sql("UPDATE trials SET rate = 'many'"),
    "no number": sql("UPDATE attempts SET wall_s = x'00'"),
    "a text for a repeat": sql("UPDATE trials SET repeat = 'often'"),
    "times that are none": sql("UPDATE attempts SET started_at = 'yesterday'"),
    "times of another age": sql("UPDATE attempts SET started_at = '0001-01-01 00:00:00.000000'"),
    "no text": sql("UPDATE attempts SET reason = CAST(x'ff41' AS TEXT), status = CAST(x'ff' AS TEXT)"),
    "an unknown status": sql("UPDATE attempts SET status = 'GONE'"),
    "params that are no JSON": sql("UPDATE trials SET params = '{'"),
    "params that are a list": sql("UPDATE trials SET params = '[1]'"),
    "nested without end": nested,
    "an identity without parts": sql("UPDATE trials SET identity = '{}'"),
    "achieved that is a list": sql("UPDATE attempts SET achieved = '[1]'"),
    "achieved of other parts": sql('UPDATE attempts SET achieved = \'{"views": {"fou": 3}}\''),
    "an environment that is none": sql("UPDATE environments SET json = '['"),
    "a source that is none": sql("UPDATE names SET source = '{\"paths\": 3}'"),
    "rows of nothing": sql("DELETE FROM trials"),
    "attempts without environment": sql("DELETE FROM environments"),
    "keys that are others'": sql("PRAGMA foreign_keys = OFF", "UPDATE trials SET key = 'x' || key"),
    "keys twice": in_schema(("CONSTRAINT uq_attempts_key_number UNIQUE", "CONSTRAINT u FOREIGN KEY (a) REFERENCES b")),
    "runs that ended oddly": sql("UPDATE runs SET ended = 'well'"),
    "runs at no time": sql("UPDATE runs SET began_at = 'once'"),
    "keys of runs cut off": sql("UPDATE key_sets SET packed = x'00'"),
}
COMMANDS = {
    "report": ["report", "--table", "aggregated", "--out", "pages", "--db", "bad.db"],
    "list": ["results", "list", "--trials", "--db", "bad.db"],
    "by data": ["results", "list", "--db", "bad.db"],
    "failures": ["results", "failures", "--db", "bad.db"],
    "runs": ["results", "runs", "--db", "bad.db"],
    "show": ["results", "show", key()[:16], "--db", "bad.db"],
    "export": ["export", "--db", "bad.db"],
    "check": ["results", "check", "--db", "bad.db"],
    "merge": ["results", "merge", "bad.db", "--db", "mine.db"],
}


def ended(arguments: list[str]) -> tuple[int, str, str]:
    """The exit code of a command, and what it says; an error that would be a traceback is raised."""
    out, err = StringIO(), StringIO()
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def wrong_with(poison: str, good: Path) -> Iterator[str]:
    """What commands do wrong with a poisoned copy of `good`, in the current folder, where `mine.db` is another copy."""
    path = Path("bad.db")
    shutil.copy(good, path)
    POISONS[poison](path)
    before = path.read_bytes()
    shutil.copy(good, "mine.db")
    for name, arguments in COMMANDS.items():
        try:
            code, out, err = ended(arguments)
        except Exception as error:
            yield f"{name}: {error!r}"
            continue
        must_fail = name in ("check", "merge")
        if code not in ((1,) if must_fail else (0, 1)):
            yield f"{name}: exit code {code}"
        if not must_fail and name != "show" and (code == 1) != err.startswith("Error: "):
            yield f"{name}: exit code {code} with: {err}"
        if "Traceback" in err or (must_fail and not out + err):
            yield f"{name}: no sentence: {err}"
        if path.read_bytes() != before:
            yield f"{name}: it writes into the file"
    with open_to_read("mine.db") as db:
        if list(faults(db)) or counts(db) != {Status.DONE: 2, Status.FAILED: 1}:
            yield "merge: broken rows came in"
