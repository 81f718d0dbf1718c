"""The benchmarks' harness: what is declared can be measured, and the table says what was."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import benchmarks  # noqa: E402
from benchmarks.harness import CASES, Case, Row, measure  # noqa: E402
from benchmarks.table import exponent, seconds, table  # noqa: E402

for module in benchmarks.CASE_MODULES:
    import_module(f"benchmarks.{module}")


@pytest.mark.parametrize("one", CASES.values(), ids=CASES)
def test_the_points_of_a_case_call_its_function(one):
    points = [*one.points(quick=True, chosen={}), *one.points(quick=False, chosen={})]
    assert points
    for point in points:
        inspect.signature(one.function).bind("watch", **point)
    assert set(one.beside) - {"case"} <= set(CASES[one.beside.get("case", one.name)].parameters)
    assert one.over is None or one.over in one.parameters


def fake(way: str, seconds_taken: list[float]) -> Row:
    one = Case(name="fake", function=lambda *_: None, group="none", beside={"way": "slow"})
    return Row(one, {"way": way}, [{"steps": {"run": {"wall": t, "CPU": t}}, "found": {}} for t in seconds_taken])


def test_a_row_tells_the_least_time_and_the_share_of_its_partner_round_by_round():
    slow, fast = table([fake("slow", [2.0, 4.0]), fake("fast", [1.0, 1.0])]).splitlines()[2:]
    assert "| 2 s | 2 s |" in slow
    assert "of way" not in slow
    # the median of 1/2 and 1/4
    assert "0.38 (wall), 0.38 (CPU) of way=slow" in fast


def test_a_power_law_gives_its_exponent():
    assert exponent([10, 100, 1000], [3 * n**1.5 for n in (10, 100, 1000)]) == pytest.approx(1.5)
    assert [seconds(value) for value in (12.3456, 0.0123, 0.0000123)] == ["12.3 s", "12.3 ms", "12.3 µs"]


@pytest.mark.slow
@pytest.mark.skipif(sys.flags.safe_path, reason="benchmarks start in a checkout, which is not on the path here")
def test_a_case_that_cannot_be_measured_says_why_and_the_others_go_on():
    asked = [("start-up", {"times": "often"}), ("peer-coreg", {"data": "a.npz"}), ("start-up", {"times": 1})]
    rows = [Row(CASES[name], point) for name, point in asked]
    interpreters = {"polyview": sys.executable}
    measure(rows, rounds=2, threads=1, interpreters=interpreters, say=lambda _: None)
    assert [row.failed for row in rows] == [True, True, False]
    assert "TypeError" in rows[0].reason
    assert "polyview" in rows[1].reason
    assert len(rows[2].rounds) == 2
    assert "| import mvarena |" in table(rows)


@pytest.mark.skipif(sys.flags.safe_path, reason="benchmarks start in a checkout, which is not on the path here")
def test_the_command_prints_a_table_and_writes_what_was_measured(tmp_path):
    out = tmp_path / "found.json"
    command = [sys.executable, "-m", "benchmarks", "start-up", "peer-daimc", "--rounds", "1", "--json", str(out)]
    command += ["--set", "times=1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "skipped: imml is not installed here" in done.stdout
    measured, skipped = json.loads(out.read_text())["rows"]
    assert measured["rounds"][0]["steps"]["import mvarena"]["CPU"] > 0
    assert "imml" in skipped["reason"]


@pytest.mark.slow
def test_what_a_killed_measurement_wrote_to_the_temporary_folder_is_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    writes = tmp_path / "python"
    writes.write_text('#!/bin/sh\necho data > "$TMPDIR/views.npy"\nls "$TMPDIR" > "$0.seen"\nexec sleep 60\n')
    writes.chmod(0o755)
    row = Row(Case(name="fake", function=lambda *_: None, group="none", package="another"), {})
    measure([row], rounds=1, threads=1, interpreters={"another": str(writes)}, say=lambda _: None, limit=3)
    assert row.late
    assert (tmp_path / "python.seen").read_text() == "views.npy\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["python", "python.seen"]
