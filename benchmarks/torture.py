"""Everything that may go wrong in a run, many times: python -m benchmarks.torture [--only NAME ...] [--short]

Hostile algorithms between healthy ones, workers and conductors that are killed, several conductors on one database, a
full disk, a clock that jumps, files that are not what they say. After each, what is stored must equal what a run in
peace stores. Prints one table; exit code 1 if any line of it is not as it must be. `make torture` runs all of it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import ordeals_of_code, ordeals_of_crashes, ordeals_of_files  # noqa: F401  they declare the ordeals
from benchmarks.ordeals import ORDEALS, TESTS, Line
from benchmarks.ordeals_of_files import LIES

BEGINS, ENDS = "<!-- torture -->", "<!-- end of torture -->"


sys.path[:0] = [str(TESTS / "toys"), str(TESTS / "shared"), str(TESTS / "store")]


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torture", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=ORDEALS, default=list(ORDEALS))
    parser.add_argument("--out", type=Path, metavar="PAGE", help="write the table into it, between its markers, too")
    parser.add_argument("--short", action="store_true", help="a few of each")
    given = parser.parse_args()
    if given.out:
        parts_of(given.out)  # before minutes have gone by
    os.environ["PYTHONPATH"] = os.pathsep.join([str(TESTS / "toys"), os.environ.get("PYTHONPATH", "")])
    lines = []
    for name in given.only:
        print(f"{name} ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="mvarena-torture-") as folder:
            os.environ["MVARENA_CACHE"] = str(Path(folder) / "cache")
            started = time.monotonic()
            line = ORDEALS[name](Path(folder), given.short)
            lines.append((line, time.monotonic() - started))
            print(f"  {line.times}: {line.found}", file=sys.stderr, flush=True)  # kept if a later one breaks
    written = table(lines)
    print(written)
    if given.out:
        write(given.out, written)
    sys.exit(any(line.good is False for line, _ in lines))


def table(lines: Sequence[tuple[Line, float]]) -> str:
    """One row for each line, with the seconds that it took."""
    marks = {True: "yes", False: "NO", None: "not tried"}
    rows = (f"| {one.what} | {one.times} | {one.found} | {marks[one.good]} | {took:.0f} |" for one, took in lines)
    return "\n".join(["| what | times | what came of it | as it must be | seconds |", "|---|--:|---|---|--:|", *rows])


def write(path: Path, written: str) -> None:
    """Put a table between the markers of a page, and leave the rest."""
    before, after = parts_of(path)
    path.write_text(f"{before}{BEGINS}\n{written}\n{ENDS}{after}", encoding="utf-8")


def parts_of(path: Path) -> tuple[str, str]:
    """What stands before and after the table of a page; exits with a sentence where there is no place for one."""
    if not path.is_file():
        sys.exit(f"{path} is no page to write the table into; name one that has {BEGINS} and {ENDS}")
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    if not ends:
        sys.exit(f"{path} has no {BEGINS} and {ENDS} to write between")
    return before, after


def declared() -> dict[str, list[str]]:
    """The names of all deeds, by what does them."""
    from mvarena_toys.hostile import DEEDS

    return {
        "algorithm": list(DEEDS), "file": list(LIES),
        "torture": list(ORDEALS),
    }  # fmt: skip


if __name__ == "__main__":
    main()
