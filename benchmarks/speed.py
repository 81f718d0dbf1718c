"""python -m benchmarks.speed: every contestant's seconds, memory and growth, as one report.

Writes FOLDER/measurements.json after each measurement, and from it the tables and the figure of FOLDER/README.md. What
is measured already (the same version of the method, the same size) is kept, so that the command can be stopped and
started again.

    python -m benchmarks.speed --quick                        # sizes 200 and 400, in a folder of their own
    python -m benchmarks.speed                                # reports/speed: about an hour on a quiet machine
    python -m benchmarks.speed --again ecmsc mvgl --rounds 3  # measures these anew
    python -m benchmarks.speed --peer imml=PYTHON-WITH-IMML polyview=PYTHON-WITH-POLYVIEW
    python -m benchmarks.speed --linear --threads 2           # what is linear in n, up to 1,000,000 samples
    python -m benchmarks.speed --linear --threads 2 --limit 1200   # and mapped from disk, up to 10,000,000
    python -m benchmarks.speed --only-page                    # the tables and the figure from what is measured
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import contestants, peers, scale
from benchmarks.__main__ import _pair as pair
from benchmarks.harness import CASES, Row, measure, told
from benchmarks.speed_figure import write_figure
from benchmarks.speed_page import write_costs, write_page
from benchmarks.speed_store import Measurements

_ROOT = Path(__file__).parents[1]
_REPORT, _COSTS = _ROOT / "reports/speed", _ROOT / "mvarena/analysis/measured_costs.csv"
SIZES, QUICK_SIZES = (500, 1000, 2000), (200, 400)
_PEERS = {"peer-coreg": "coreg-pairwise", "peer-mvlearn-coreg": "coreg-pairwise", "peer-daimc": "daimc"}


def main() -> None:
    given = _arguments()
    folder = given.folder or (_REPORT if not given.quick else Path("speed-quick"))
    store = Measurements(folder / "measurements.json")
    if not given.only_page:
        store.about(threads=given.threads, rounds=given.rounds)
        if given.linear:
            _measure_linear(given, store)
        else:
            _measure_contestants(given, store)
        if not given.only and not given.linear:
            _measure_peers(given, store)
    write_page(folder / "README.md", store)
    write_figure(folder, store)
    if folder == _REPORT:
        write_costs(_COSTS, store)
    print(folder / "README.md")


def _measure_contestants(given: argparse.Namespace, store: Measurements) -> None:
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    specs = {name: catalog.algorithm(name) for name in catalog.names("algorithm")}
    specs = {name: spec for name, spec in specs.items() if spec.target.startswith("mvarena.")}
    _check_names(given, specs)
    sizes = QUICK_SIZES if given.quick else tuple(given.sizes)
    for name in given.only or specs:
        late = False
        for n in sorted(sizes):
            point = {"method": name, "n": n}
            if late:
                store.add("contestant", specs[name].version, point, {"reason": "a smaller size took too long"})
                continue
            _measure_unless_kept("contestant", point, specs[name].version, given, store)
            late = store.is_late("contestant", point)


def _measure_linear(given: argparse.Namespace, store: Measurements) -> None:
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    _check_names(given, scale.LINEAR)
    for case in ("linear-scale", "mapped-scale"):
        for point in CASES[case].points(given.quick, {}):
            if not given.only or point["method"] in given.only:
                _measure_unless_kept(case, point, catalog.algorithm(point["method"]).version, given, store)


def _check_names(given: argparse.Namespace, known: Iterable[str]) -> None:
    if unknown := {*given.only, *(given.again or [])} - set(known):
        sys.exit(f"there is no contestant {', '.join(sorted(unknown))} here; there are {', '.join(known)}.")


def _measure_unless_kept(
    case: str, point: dict[str, Any], version: str, given: argparse.Namespace, store: Measurements
) -> None:
    anew = given.again is not None and (not given.again or point["method"] in given.again)
    if anew or not store.has(case, version, point):
        _run([Row(CASES[case], point)], given, store, version)


def _measure_peers(given: argparse.Namespace, store: Measurements) -> None:
    """Each peer and ours in turn, in one run, on one file of samples by features."""
    n = QUICK_SIZES[-1] if given.quick else max(given.sizes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "incomplete.npz")
        data = contestants.incomplete("digits", n, None)
        arrays = {f"X{v}": array for v, array in enumerate(data.to_arrays())}
        np.savez(path, y=data.labels, **arrays)
        for name, own in _PEERS.items():
            point = {"data": f"digits, n={n}", "own": own}
            if given.again is None and store.has(name, CASES[name].version, point):
                continue
            seed = {"seed": 42} if "seed" in CASES[name].parameters else {}
            theirs = Row(CASES[name], {"data": str(path), **seed})
            ours = Row(CASES["peer-own"], {"data": str(path), "method": own})
            # in turn, so that what the machine does meanwhile falls on both alike
            measure_rows([theirs, ours] if _is_there(theirs, given) else [theirs], given)
            store.add(name, CASES[name].version, point, {"theirs": _without_path(theirs), "ours": _without_path(ours)})


def _is_there(row: Row, given: argparse.Namespace) -> bool:
    package = row.case.package or ""
    return package in dict(given.peer) or find_spec(package) is not None


def measure_rows(rows: list[Row], given: argparse.Namespace) -> None:
    measure(
        rows, rounds=given.rounds, threads=given.threads, interpreters=dict(given.peer), limit=given.limit,
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )  # fmt: skip


def _run(rows: list[Row], given: argparse.Namespace, store: Measurements, version: str) -> None:
    measure_rows(rows, given)
    for row in rows:
        outcome: dict[str, Any] = {"reason": row.reason, "late": row.late} if row.reason else {"rounds": row.rounds}
        store.add(row.case.name, version, row.point, outcome)
        if row.failed:
            print(f"{told(row.point)} failed: {row.reason}", file=sys.stderr)


def _without_path(row: Row) -> dict[str, Any]:
    return {"reason": row.reason} if row.reason else {"rounds": row.rounds}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, help="default: reports/speed; with --quick, speed-quick here")
    parser.add_argument("--quick", action="store_true", help=f"sizes {QUICK_SIZES} alone")
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES), help="samples of digits, 2000 at most")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these contestants; by default all")
    parser.add_argument("--again", nargs="*", metavar="NAME", help="measure anew: all, or these")
    parser.add_argument("--rounds", type=int, default=1, help="how often each is measured; the least time counts")
    parser.add_argument("--threads", type=int, default=1, help="of linear algebra")
    parser.add_argument("--limit", type=float, default=300.0, metavar="SECONDS", help="of one measurement")
    parser.add_argument("--peer", nargs="+", default=[], type=pair, metavar="PACKAGE=PYTHON", help="its interpreter")
    parser.add_argument("--linear", action="store_true", help="those that are linear in n alone, in growing sizes")
    parser.add_argument("--only-page", action="store_true", help="measure nothing")
    return parser.parse_args()


assert peers  # declares the cases of other packages

if __name__ == "__main__":
    main()
