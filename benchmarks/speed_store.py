"""The measurements of `benchmarks.speed`, kept in one JSON file that is whole after each of them."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any


class Measurements:
    """What was measured, by case, version and point; `path` holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        kept = json.loads(path.read_text()) if path.exists() else {"about": {}, "measurements": []}
        self.told: dict[str, Any] = kept["about"]
        self.rows: list[dict[str, Any]] = kept["measurements"]
        for row in self.rows:
            row.setdefault("threads", self.told.get("threads"))  # where they are told once, they are those of all

    def about(self, *, threads: int, rounds: int) -> None:
        """Note what the measurements from here on are made with."""
        packages = {name: version(name) for name in ("mvarena", "numpy", "scipy", "scikit-learn")}
        machine = {"python": platform.python_version(), "cpus": os.cpu_count(), "machine": platform.machine()}
        self.told = {**packages, **machine, "threads": threads, "rounds": rounds}

    def has(self, case: str, case_version: str, point: dict[str, Any]) -> bool:
        """Whether there is a measurement of it that did not fail."""
        row = self.row(case, point)
        return row is not None and row["version"] == case_version and (bool(row.get("rounds")) or "theirs" in row)

    def is_late(self, case: str, point: dict[str, Any]) -> bool:
        row = self.row(case, point)
        return row is not None and bool(row.get("late"))

    def row(self, case: str, point: dict[str, Any]) -> dict[str, Any] | None:
        """The measurement of this case at this point."""
        return next((row for row in self.rows if row["case"] == case and row["point"] == point), None)

    def of(self, case: str) -> list[dict[str, Any]]:
        """All measurements of a case."""
        return [row for row in self.rows if row["case"] == case]

    def add(self, case: str, case_version: str, point: dict[str, Any], outcome: dict[str, Any]) -> None:
        """Keep one in place of what there was, and write the file."""
        load = round(os.getloadavg()[0], 1)
        measured = {"load": load, "threads": self.told.get("threads")}
        row = {"case": case, "version": case_version, "point": point, **measured, **outcome}
        self.rows = [old for old in self.rows if (old["case"], old["point"]) != (case, point)]
        self.rows.append(row)
        self.rows.sort(key=lambda one: (one["case"], json.dumps(one["point"], sort_keys=True)))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_suffix(".partial")
        text = json.dumps({"about": self.told, "measurements": self.rows}, indent=1, default=float)
        partial.write_text(text + "\n")
        partial.replace(self.path)
