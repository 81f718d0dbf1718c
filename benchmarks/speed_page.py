"""The tables of reports/speed/README.md, made of its measurements between markers; the prose around them stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed_linear import linear, mapped
from benchmarks.speed_store import Measurements
from benchmarks.table import exponent
from mvarena.report.formats.pages import filled, markdown_rows, marked, write_changed

_PARTS = ("about", "contestants", "linear", "mapped", "peers")
_BARE = "\n\n".join(["# Speed", *(marked("table", part) for part in _PARTS)]) + "\n"
_STEPS = ("prepare", "represent", "k-means, 20 starts")


def write_page(path: Path, store: Measurements) -> None:
    """Fill the parts of the page; a page that is not there gets the parts alone."""
    parts: dict[str, Callable[[Measurements], str]] = {
        "about": about,
        "contestants": contestants,
        "linear": linear,
        "mapped": mapped,
        "peers": peers,
    }

    def part(_: str, name: str) -> str:
        if name not in parts:
            raise SystemExit(f"{path}: there is no part '{name}'; there are {', '.join(parts)}.")
        return parts[name](store)

    write_changed({path: filled(path.read_text() if path.exists() else _BARE, part)})


def write_costs(path: Path, store: Measurements) -> None:
    """Write what a dry run estimates by where nothing is stored: CPU seconds and peak MiB of each contestant."""
    rows = sorted(
        (row for row in store.of("contestant") if row.get("rounds")),
        key=lambda row: (row["point"]["method"], row["point"]["n"]),
    )
    lines = ["algorithm,n,seconds,peak_mb"]
    for row in rows:
        seconds = sum(_least(row, step, "CPU") for step in _STEPS)
        peak = max(_least(row, step, "peak") for step in _STEPS)
        lines.append(f"{row['point']['method']},{row['point']['n']},{seconds:.3g},{peak:.0f}")
    path.write_text("\n".join(lines) + "\n")


def about(store: Measurements) -> str:
    """A sentence: on what the measurements were made."""
    told = store.told
    if not told or not store.rows:
        return "Nothing is measured yet."
    loads = [row["load"] for row in store.rows]
    numbers = sorted({row["threads"] for row in store.rows})
    threads = " or ".join({1: "one", 2: "two"}.get(number, str(number)) for number in numbers)
    threads += " thread" if numbers == [1] else " threads"
    return (
        f"mvarena {told['mvarena']}, Python {told['python']}, NumPy {told['numpy']}, SciPy {told['scipy']}, "
        f"scikit-learn {told['scikit-learn']}; {told['machine']}, {told['cpus']} CPUs, {threads} of linear algebra; "
        f"the least of {told['rounds']} rounds; between {min(loads)} and {max(loads)} processes were running."
    )


def contestants(store: Measurements) -> str:
    """One row per contestant: seconds at each size, memory, growth, clusters found."""
    rows = store.of("contestant")
    sizes = sorted({row["point"]["n"] for row in rows})
    if not sizes:
        return "No contestant is measured yet."
    head = ["contestant", *(f"n = {n:,}" for n in sizes), "k-means", "MiB", "exponent", "iterations",
            "ACC", "NMI"]  # fmt: skip
    lines = []
    methods = sorted({row["point"]["method"] for row in rows})
    table = {(row["point"]["method"], row["point"]["n"]): row for row in rows}
    slowest = {name: max((total_seconds(table.get((name, n))) or 0.0 for n in sizes), default=0.0) for name in methods}
    for name in sorted(methods, key=lambda one: -slowest[one]):
        of_method = [table.get((name, n)) for n in sizes]
        measured = [(n, row) for n, row in zip(sizes, of_method, strict=True) if row and row.get("rounds")]
        cells = [_seconds(row) for row in of_method]
        lines.append([name, *cells, *(_details(measured) if measured else [""] * 6)])
    reasons = [f"- {_whole(row)}" for row in rows if "reason" in row]
    return "\n".join([markdown_rows(head, lines, "l" + "r" * (len(head) - 1)), "", *reasons]).rstrip()


def _details(measured: Sequence[tuple[int, dict[str, Any]]]) -> list[str]:
    """What is told of the largest size that was measured, and how the seconds grow over the last two."""
    row = measured[-1][1]
    found = row["rounds"][-1]["found"]
    growth = [(n, _least(one, "represent", "CPU")) for n, one in measured[-2:]]
    fit = exponent([n for n, _ in growth], [value for _, value in growth]) if len(growth) > 1 else None
    return [
        f"{_least(row, 'k-means, 20 starts', 'wall'):.2f}", f"{_least(row, 'represent', 'MiB'):,.0f}",
        "" if fit is None else f"{fit:.1f}", str(found["iterations"]), f"{found['ACC']:.3f}", f"{found['NMI']:.3f}",
    ]  # fmt: skip


def peers(store: Measurements) -> str:
    """Ours beside methods of other packages, measured in turn on the same file."""
    heads = ("peer", "its s", "ours", "our s", "times as fast", "its ACC / NMI", "its runs", "ours", "our runs")
    lines = []
    missing = []
    for name in sorted({row["case"] for row in store.rows if "theirs" in row}):
        for row in store.of(name):
            theirs, ours = row["theirs"], row["ours"]
            if "reason" in theirs or "reason" in ours:
                missing.append(f"- {name}: {theirs.get('reason') or ours.get('reason')}.")
                continue
            its, own = (sum(_least(one, step, "wall") for step in one["rounds"][0]["steps"]) for one in (theirs, ours))
            scores = [text for one in (theirs, ours) for text in _scores(one["rounds"][-1]["found"])]
            cells = [name, f"{its:.1f}", row["point"]["own"], f"{own:.2f}", f"{its / own:.1f}", *scores]
            lines.append(cells)
    table = markdown_rows(heads, lines, "lrlrr") if lines else "No other package is measured yet."
    return "\n".join([table, "", *missing]).rstrip()


def _scores(found: dict[str, Any]) -> tuple[str, str]:
    """(ACC / NMI of the k-means run of lowest inertia, the range of ACC over the single runs)."""
    return f"{found['ACC at lowest inertia']:.3f} / {found['NMI at lowest inertia']:.3f}", str(found["ACC range"])


def total_seconds(row: dict[str, Any] | None) -> float | None:
    """Wall seconds to prepare, represent and cluster, the least of all rounds; None where it did not finish."""
    return sum(_least(row, step, "wall") for step in _STEPS) if row and row.get("rounds") else None


def _seconds(row: dict[str, Any] | None) -> str:
    total = total_seconds(row)
    return f"{total:.2f}" if total is not None else ("late" if row and row.get("late") else "")


def _whole(row: dict[str, Any]) -> str:
    return f"{row['point']['method']}, n = {row['point']['n']:,}: {row['reason']}."


def _least(row: dict[str, Any], step: str, measure: str) -> float:
    return float(min(each["steps"].get(step, {}).get(measure, 0.0) for each in row["rounds"]))
