"""Words and numbers as tables and figures show them, in one place."""

from __future__ import annotations

import math
from collections.abc import Iterable

# a cell's word for what became of a point without a number
STATUS_WORDS = {
    "FAILED": "failed",
    "TIMEOUT": "timeout",
    "OUT_OF_MEMORY": "out of memory",
    "CRASHED": "crashed",
    "SKIPPED": "skipped",
    "INTERRUPTED": "interrupted",
    "UNSCORED": "not scored",
    "NAN": "NaN",
    "INCOMPLETE": "not at all rates",
}
NOT_RUN = "–"
PICKED_MARK = "*"
LEVEL_MARK = "†"


def shown_number(value: float, *, percent: bool) -> str:
    """0.74213 -> '74.21' in percent; otherwise four significant digits."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{100 * value:.2f}" if percent else f"{value:.4g}"


def listed(items: Iterable[str], *, last: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
