"""Declares cases, and measures each in a process of its own, round after round."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_ROOT = Path(__file__).parents[1]
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
Values = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One benchmark.

    function : called with a `Watch` and the parameters; returns what else is worth telling (scores, iterations).
    version : numbers of different versions are not comparable.
    grid : parameter -> values, all combinations of which are measured. quick : the same for a quick run; None: no part.
    measures : which of "wall", "CPU" and "MiB" are shown.
    beside : parameters (and "case") of the measurement, in the same run, of whose time this one's is a share.
    over : the parameter of which time is a power; its exponents are fitted.
    threads : of linear algebra; None: as many as the run is given.
    package : the other package that is measured; its interpreter may be another one.
    """

    name: str
    function: Callable[..., Mapping[str, Any] | None]
    group: str
    version: str = "1"
    grid: Values = field(default_factory=dict)
    quick: Values | None = None
    measures: tuple[str, ...] = ("wall", "CPU")
    beside: Mapping[str, Any] = field(default_factory=dict)
    over: str | None = None
    threads: int | None = None
    package: str | None = None

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def parameters(self) -> list[str]:
        return list(inspect.signature(self.function).parameters)[1:]

    def points(self, quick: bool, chosen: Values) -> list[dict[str, Any]]:
        """The combinations to measure: the grid's, with the values of `chosen` in place of its own."""
        grid = {**(self.quick if quick and self.quick is not None else self.grid), **chosen}
        grid = {name: values for name, values in grid.items() if name in self.parameters}
        return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


CASES: dict[str, Case] = {}


def case(name: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares the function below as a case, with the other fields of `Case`."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES[name] = Case(name=name, function=function, **settings)
        return function

    return declare


@dataclass
class Row:
    """One case at one point: what each round found, or why there is nothing."""

    case: Case
    point: dict[str, Any]
    rounds: list[dict[str, Any]] = field(default_factory=list)
    reason: str = ""
    failed: bool = False
    late: bool = False

    def least(self, step: str, measure: str) -> float | None:
        values = [each["steps"][step][measure] for each in self.rounds if measure in each["steps"].get(step, {})]
        return min(values, default=None)

    @property
    def steps(self) -> list[str]:
        return list(self.rounds[0]["steps"]) if self.rounds else []

    @property
    def found(self) -> dict[str, Any]:
        return self.rounds[-1]["found"] if self.rounds else {}

    def total(self, measure: str) -> float:
        return sum(self.least(step, measure) or 0.0 for step in self.steps)

    def as_dict(self) -> dict[str, Any]:
        described = {"case": self.case.name, "version": self.case.version, "parameters": self.point}
        return described | ({"reason": self.reason} if self.reason else {"rounds": self.rounds})


def measure(
    rows: Sequence[Row],
    *,
    rounds: int,
    threads: int,
    interpreters: Mapping[str, str],
    say: Callable[[str], None],
    limit: float | None = None,
) -> None:
    """Fills the rows, round by round, so that what the machine does meanwhile falls on all of them alike.

    limit : seconds that one measurement may take.
    """
    for number in range(1, rounds + 1):
        for row in rows:
            if not row.reason:
                say(f"round {number}: {row.case.name} {told(row.point)}")
                _measure_once(row, threads, interpreters, limit)


def _measure_once(row: Row, threads: int, interpreters: Mapping[str, str], limit: float | None) -> None:
    package = row.case.package
    if package and package not in interpreters and find_spec(package) is None:
        row.reason = f"{package} is not installed here; name an interpreter that has it: --peer {package}=PYTHON"
        return
    # its temporary files go with it, also where it is killed
    with TemporaryDirectory() as folder:
        threads_each = dict.fromkeys(_THREAD_VARIABLES, str(row.case.threads or threads))
        _run_child(row, interpreters, os.environ | threads_each | {"TMPDIR": folder}, limit)


def _run_child(row: Row, interpreters: Mapping[str, str], environment: Mapping[str, str], limit: float | None) -> None:
    module = row.case.function.__module__.rpartition(".")[2]
    python = interpreters.get(row.case.package or "", sys.executable)
    command = [python, "-m", "benchmarks.child", module, row.case.name, json.dumps(row.point)]
    try:
        done = subprocess.run(
            command, cwd=_ROOT, env=environment, text=True, capture_output=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        row.reason, row.late = f"took more than {limit:g} s", True
        return
    if done.returncode != 0:
        row.reason, row.failed = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1], True
        return
    answer = json.loads(done.stdout.splitlines()[-1])
    if "skipped" in answer:
        row.reason = answer["skipped"]
    else:
        row.rounds.append(answer)


def told(point: Mapping[str, Any]) -> str:
    """'n=1000, method=mic'."""
    return ", ".join(f"{name}={value}" for name, value in point.items())
