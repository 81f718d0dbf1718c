"""The report on speed: measurements are kept, a page is made of them alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import speed  # noqa: E402
from benchmarks.speed_figure import MARKED, STEM, seconds_points  # noqa: E402
from benchmarks.speed_page import write_costs, write_page  # noqa: E402
from benchmarks.speed_store import Measurements  # noqa: E402


def measured(seconds: float, mib: float = 10.0) -> dict:
    found = {"iterations": 7, "ACC": 0.5, "NMI": 0.4}
    steps = {
        name: {"wall": seconds, "CPU": seconds, "MiB": mib} for name in ("prepare", "represent", "k-means, 20 starts")
    }
    return {"rounds": [{"steps": steps, "found": found}]}


def test_the_page_of_the_repository_is_what_its_measurements_give(tmp_path):
    folder = ROOT / "reports/speed"
    page = tmp_path / "README.md"
    page.write_text((folder / "README.md").read_text())
    write_page(page, Measurements(folder / "measurements.json"))
    assert page.read_text() == (folder / "README.md").read_text()


def test_the_figure_shows_the_seconds_of_the_table_and_the_numbers_of_the_title():
    folder = ROOT / "reports/speed"
    page = (folder / "README.md").read_text("utf-8")
    points = seconds_points(Measurements(folder / "measurements.json"))
    pd.testing.assert_frame_equal(pd.read_csv(folder / f"{STEM}.csv"), points.round(4), check_dtype=False)
    for name, seconds in points.groupby("method")["seconds"]:
        assert f"| {name} | {' | '.join(f'{value:.2f}' for value in seconds)} |" in page
    largest = points.loc[points["n"] == 2000, "seconds"]
    second, minute = (int((largest <= limit).sum()) for limit in MARKED)
    assert page.startswith(
        f"# All methods but imsc-agl cluster 2,000 digits within a minute, {second} of {minute + 1} "
    )
    assert f"]({STEM}.png)" in page
    assert (folder / f"{STEM}.png").stat().st_size < 80_000


def test_the_costs_that_estimates_go_by_are_what_the_measurements_give(tmp_path):
    write_costs(tmp_path / "costs.csv", Measurements(ROOT / "reports/speed/measurements.json"))
    kept = ROOT / "mvarena/analysis/measured_costs.csv"
    assert (tmp_path / "costs.csv").read_text() == kept.read_text(), "run python -m benchmarks.speed --only-page"


def test_measurements_are_kept_and_those_of_an_older_version_are_not(tmp_path):
    store = Measurements(tmp_path / "kept" / "measurements.json")
    point = {"method": "apmc", "n": 500}
    store.about(threads=1, rounds=1)
    store.add("contestant", "1", point, measured(1.0))
    again = Measurements(store.path)
    assert again.has("contestant", "1", point)
    assert not again.has("contestant", "2", point)
    assert not again.has("contestant", "1", {"method": "apmc", "n": 1000})
    again.add("contestant", "2", point, {"reason": "took more than 5 s", "late": True})
    assert len(Measurements(store.path).rows) == 1
    assert not again.has("contestant", "2", point)
    assert again.is_late("contestant", point)
    kept = json.loads(store.path.read_text())
    del kept["measurements"][0]["threads"]  # which older files tell once
    store.path.write_text(json.dumps(kept))
    later = Measurements(store.path)
    later.about(threads=2, rounds=1)
    assert [row["threads"] for row in later.rows] == [1]


def test_a_row_tells_seconds_and_growth_and_the_slowest_come_first(tmp_path):
    store = Measurements(tmp_path / "measurements.json")
    store.about(threads=1, rounds=1)
    for n, seconds in ((500, 1.0), (1000, 4.0)):
        store.add("contestant", "1", {"method": "slow", "n": n}, measured(seconds))
        store.add("contestant", "1", {"method": "quick", "n": n}, measured(seconds / 100))
    store.add("contestant", "1", {"method": "late", "n": 500}, {"reason": "took more than 5 s", "late": True})
    page = tmp_path / "README.md"
    page.write_text("Prose.\n\n<!-- mvarena:table contestants -->\nold\n<!-- end -->\n\nMore prose.\n")
    write_page(page, store)
    text = page.read_text()
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows[1:]] == ["| slow", "| quick", "| late"]
    assert rows[1][1:6] == ["3.00", "12.00", "4.00", "10", "2.0"]
    assert "late, n = 500: took more than 5 s." in text
    assert text.startswith("Prose.\n")
    assert text.endswith("More prose.\n")


def test_an_unknown_part_of_a_page_is_refused(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- mvarena:table contestant -->\n<!-- end -->\n")
    with pytest.raises(SystemExit, match="no part 'contestant'"):
        write_page(page, Measurements(tmp_path / "measurements.json"))


@pytest.mark.slow
@pytest.mark.skipif(sys.flags.safe_path, reason="benchmarks start in a checkout, which is not on the path here")
def test_one_command_measures_keeps_and_writes(tmp_path, monkeypatch, capsys):
    command = ["speed", "--folder", str(tmp_path), "--only", "sc-concat", "--sizes", "60", "80"]
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", command)
        speed.main()
    told = capsys.readouterr().err
    # the second time there is nothing left to measure
    assert told.count("round 1: contestant") == 2
    kept = json.loads((tmp_path / "measurements.json").read_text())
    assert [row["point"]["n"] for row in kept["measurements"]] == [60, 80]
    assert kept["measurements"][0]["rounds"][0]["found"]["ACC"] > 0
    assert "| sc-concat |" in (tmp_path / "README.md").read_text()
    monkeypatch.setattr(sys, "argv", ["speed", "--folder", str(tmp_path), "--only", "nobody"])
    with pytest.raises(SystemExit, match="no contestant nobody"):
        speed.main()


def test_linear_methods_are_told_by_growth_and_one_that_failed_says_why(tmp_path):
    store = Measurements(tmp_path / "measurements.json")
    store.about(threads=1, rounds=1)
    for n in (10_000, 100_000):
        row = measured(n / 10_000, mib=0.0)
        row["rounds"][0]["found"] = {"iterations": 7, "ARI": 0.5, "GiB with the data": 0.25, "views": 3}
        for step in row["rounds"][0]["steps"].values():
            step["wall"] *= 0.6
        store.about(threads=2 if n == 100_000 else 1, rounds=1)
        store.add("linear-scale", "1", {"method": "quick", "n": n}, row)
    store.add("linear-scale", "1", {"method": "greedy", "n": 10_000}, {"reason": "MemoryError"})
    write_page(tmp_path / "README.md", store)
    page = (tmp_path / "README.md").read_text()
    assert "| quick | 3 | 3 | 30 | 1.00 | 18 | 2 | 0.25 | 0.25 | 0.00 | 7 | 0.500 |" in page
    assert "- greedy, n = 10,000: MemoryError." in page
    assert "one or two threads of linear algebra" in page
