"""The table of reports/speed on methods that are linear in the samples: time and memory up to 1,000,000 of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.speed_store import Measurements
from benchmarks.table import exponent
from mvarena.report.formats.pages import markdown_rows


def linear(store: Measurements) -> str:
    """One row per method: CPU seconds and resident memory at each size, and both as powers of n; wall seconds of the
    largest size, and on how many threads."""
    return _table(store.of("linear-scale"))


def mapped(store: Measurements) -> str:
    """The same of features in single precision that stay on disk."""
    return _table(store.of("mapped-scale"))


def _table(rows: Sequence[dict[str, Any]]) -> str:
    sizes = sorted({row["point"]["n"] for row in rows})
    if not sizes:
        return "No linear method is measured yet."
    told = [f"n = {n:,}" for n in sizes]
    head = ["method", "views", *(f"CPU s, {n}" for n in told), "exponent", f"wall s, {told[-1]}", "threads",
            *(f"GiB, {n}" for n in told), "exponent", "iterations", "ARI"]  # fmt: skip
    lines = []
    table = {(row["point"]["method"], row["point"]["n"]): row for row in rows}
    measured = {
        name: {n: table[name, n] for n in sizes if table.get((name, n), {}).get("rounds")}
        for name in {row["point"]["method"] for row in rows}
    }
    for name, of_method in sorted(
        measured.items(),
        key=lambda one: (-_seconds(list(one[1].values())[-1], "CPU") if one[1] else 0, one[0]),
    ):
        seconds, wall = ({n: _seconds(row, kind) for n, row in of_method.items()} for kind in ("CPU", "wall"))
        memory = {n: _memory(row) for n, row in of_method.items()}
        row = list(of_method.values())[-1] if of_method else {}
        last = row["rounds"][-1]["found"] if row else {}
        cells = [_cell(seconds, n, ".3g") for n in sizes] + [_growth(seconds)]
        cells += [_cell(wall, sizes[-1], ".3g"), str(row.get("threads", ""))]
        cells += [_cell(memory, n, ".2f") for n in sizes] + [_growth(memory)]
        agreement = f"{last['ARI']:.3f}" if last else ""
        lines.append([name, str(last.get("views", "")), *cells, str(last.get("iterations", "")), agreement])
    reasons = [
        f"- {row['point']['method']}, n = {row['point']['n']:,}: {row['reason']}." for row in rows if "reason" in row
    ]
    return "\n".join([markdown_rows(head, lines, "l" + "r" * (len(head) - 1)), "", *reasons]).rstrip()


def _seconds(row: dict[str, Any], kind: str) -> float:
    """CPU or wall seconds of preparing, representing and one k-means start, the least of all rounds."""
    return float(min(sum(step[kind] for step in each["steps"].values()) for each in row["rounds"]))


def _memory(row: dict[str, Any]) -> float:
    """GiB resident at most, data and libraries included."""
    return float(min(each["found"]["GiB with the data"] for each in row["rounds"]))


def _cell(values: dict[int, float], n: int, digits: str) -> str:
    return format(values[n], digits) if n in values else ""


def _growth(values: dict[int, float]) -> str:
    return f"{exponent(list(values), list(values.values())):.2f}" if len(values) > 1 else ""
