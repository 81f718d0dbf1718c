"""python -m benchmarks: measure cases and print one table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import benchmarks
from benchmarks.harness import CASES, Case, Row, measure
from benchmarks.table import table


def main() -> None:
    for name in benchmarks.CASE_MODULES:
        import_module(f"benchmarks.{name}")
    given = _arguments()
    named = [CASES[name] for name in given.names] or CASES.values()
    cases = [one for one in named if _is_asked(one, given)]
    chosen = _chosen(given.set, cases)
    if given.list:
        for one in cases:
            print(f"{one.name:<20} {one.group:<12} {'quick' if one.quick is not None else '     '}  {one.summary}")
        return
    rows = [Row(one, point) for one in cases for point in one.points(given.quick, chosen)]
    heading = (
        f"mvarena {version('mvarena')}, Python {platform.python_version()}, NumPy {version('numpy')}, SciPy "
        f"{version('scipy')}; {os.cpu_count()} CPUs, {given.threads} threads of linear algebra unless a case says "
        f"otherwise, load {os.getloadavg()[0]:.1f} before; the least of {given.rounds} rounds"
    )
    measure(
        rows, rounds=given.rounds, threads=given.threads, interpreters=dict(given.peer),
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )  # fmt: skip
    print(f"{heading}\n\n{table(rows)}")
    if given.json:
        text = json.dumps({"about": heading, "rows": [row.as_dict() for row in rows]}, indent=1)
        given.json.write_text(text + "\n")
    sys.exit(any(row.failed for row in rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks", description=benchmarks.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases; by default all")
    parser.add_argument("--list", action="store_true", help="list the cases and measure nothing")
    parser.add_argument("--group", choices=sorted({one.group for one in CASES.values()}))
    parser.add_argument("--quick", action="store_true", help="the quick cases, on little data")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (default 3)")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1), help="of linear algebra")
    parser.add_argument("--set", nargs="+", default=[], metavar="PARAMETER=VALUE", help="twice makes a grid")
    parser.add_argument("--peer", nargs="+", default=[], type=_pair, metavar="PACKAGE=PYTHON", help="its interpreter")
    parser.add_argument("--json", type=Path, metavar="FILE", help="every round of every measurement")
    given = parser.parse_args()
    if unknown := set(given.names) - set(CASES):
        parser.error(f"there is no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}.")
    return given


def _is_asked(one: Case, given: argparse.Namespace) -> bool:
    quick_enough = given.names or one.quick is not None or not given.quick
    return bool(quick_enough) and given.group in (None, one.group)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=VALUE")
    return name, value


def _chosen(settings: Sequence[str], cases: Sequence[Case]) -> dict[str, list[Any]]:
    """The values of --set by parameter, read as JSON where they are JSON."""
    chosen: dict[str, list[Any]] = {}
    for name, text in map(_pair, settings):
        if not any(name in one.parameters for one in cases):
            sys.exit(f"None of {', '.join(one.name for one in cases)} has a parameter '{name}'.")
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            value = text
        chosen.setdefault(name, []).append(value)
    return chosen


if __name__ == "__main__":
    main()
