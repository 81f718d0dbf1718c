"""What was measured, as one Markdown table, and the exponents of time in the size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.harness import Row, told
from mvarena.report.formats.pages import markdown_rows


def table(rows: Sequence[Row]) -> str:
    """Markdown: a row for each step of each measurement, the least of all rounds; then the exponents."""
    lines: list[list[str]] = []
    for row in rows:
        heading = [row.case.name, told(row.point)]
        if row.reason:
            ended = "failed" if row.failed else "skipped"
            lines.append([*heading, "", "", "", "", "", f"{ended}: {row.reason}"])
        for step in row.steps:
            cells = [_cell(row, step, name) for name in ("wall", "CPU", "MiB")]
            lines.append([*heading, step, *cells, _beside(row, step, rows), _found(row) if heading[0] else ""])
            heading = ["", ""]
    heads = ("case", "parameters", "step", "wall", "CPU", "MiB", "beside", "found")
    return "\n\n".join(filter(None, [markdown_rows(heads, lines, "lllrrr"), _exponents(rows)]))


def _cell(row: Row, step: str, name: str) -> str:
    value = row.least(step, name) if name in row.case.measures else None
    if value is None:
        return ""
    return f"{value:,.1f}" if name == "MiB" else seconds(value)


def seconds(value: float) -> str:
    """Three digits in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}" if value < 1000 * size else f"{value / size:.0f} {unit}"
    return f"{1e6 * value:.3g} µs"


def _beside(row: Row, step: str, rows: Sequence[Row]) -> str:
    """This step's time as a share of the same step's of the other measurement, or the total's of the total."""
    wanted = {"case": row.case.name, **row.point, **row.case.beside}
    partner = next((other for other in rows if other is not row and _matches(other, wanted)), None)
    if not row.case.beside or partner is None or not partner.rounds:
        return ""
    shares = []
    for name in ("wall", "CPU"):
        if not all(name in each for one in (row, partner) for each in one.rounds[0]["steps"].values()):
            continue
        both = zip(row.rounds, partner.rounds, strict=False)
        pairs = [(_spent(own, step, name), _spent(other, step, name)) for own, other in both]
        shares.append(f"{median(own / other for own, other in pairs if other):.2f} ({name})")
    return f"{', '.join(shares)} of {told(row.case.beside)}"


def _matches(other: Row, wanted: Mapping[str, Any]) -> bool:
    same = all(wanted[name] == value for name, value in other.point.items() if name in wanted)
    return other.case.name == wanted["case"] and same


def _spent(found: Mapping[str, Any], step: str, name: str) -> float:
    """Of that step where both have it; a step that only one has is compared by the total."""
    steps = found["steps"]
    return float(steps[step][name] if step in steps else sum(each[name] for each in steps.values()))


def _found(row: Row) -> str:
    return ", ".join(f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
                     for name, value in row.found.items())  # fmt: skip


def _exponents(rows: Sequence[Row]) -> str:
    """b of c n^b by least squares on the logarithms: over all sizes, and over the largest two, where fixed costs
    weigh least; per iteration too, as their number is no concern of the cost of one."""
    series: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.case.over and row.rounds:
            rest = {name: value for name, value in row.point.items() if name != row.case.over}
            series.setdefault((row.case.name, told(rest)), []).append(row)
    lines = []
    for (name, rest), group in series.items():
        if len(group) > 1:
            sizes = [float(row.point[row.case.over or ""]) for row in group]
            cpu = [row.total("CPU") for row in group]
            each = [(row.least(row.steps[0], "CPU") or 0.0) / max(row.found.get("iterations") or 1, 1) for row in group]
            mib = [row.least(row.steps[0], "MiB") or 0.0 for row in group]
            fits = [exponent(sizes, cpu), *(exponent(sizes[-2:], values[-2:]) for values in (cpu, each, mib))]
            lines.append([name, rest, *(f"{fit:.2f}" for fit in fits)])
    heads = ("case", "parameters", "exponent of CPU time", "largest two", "per iteration", "memory")
    return markdown_rows(heads, lines, "llrrrr") if lines else ""


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """b of c n^b; NaN where a value is not above 0."""
    import numpy as np

    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0]) if min(values) > 0 else float("nan")
