"""The words and numbers of tables and figures, in one place."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pandas as pd

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
}
NOT_RUN = "–"
PICKED_MARK = "*"
_METRIC_NAMES = {
    "acc": "ACC",
    "ami": "AMI",
    "ari": "ARI",
    "nmi": "NMI",
    "pair": "Pair",
    "purity": "Purity",
    "rand": "RI",
}


def metric_label(metric: str) -> str:
    """'acc' -> 'ACC', 'nmi-max' -> 'NMI-max'; a name that is not known here stays as it is."""
    head, dash, tail = metric.partition("-")
    return f"{_METRIC_NAMES.get(head, head)}{dash}{tail}"


def fraction_metrics(summary: pd.DataFrame) -> frozenset[str]:
    """The metrics of a summary whose means all lie within [-1, 1]: they are shown in percent."""
    largest = summary["mean"].abs().groupby(summary["metric"]).max()
    return frozenset(metric for metric, value in largest.items() if not value > 1)


def shown_number(value: float, *, percent: bool) -> str:
    """0.74213 -> '74.21' in percent; otherwise four significant digits."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{100 * value:.2f}" if percent else f"{value:.4g}"


def rate_axis(corruption: str) -> str:
    """What the horizontal axis (or the head of a table's columns) says: 'missing rate (missing-even)'."""
    kind = corruption.partition("+")[0]
    return f"{'missing rate' if kind.startswith('missing') else 'rate'} ({corruption})"


def listed(items: Iterable[str], *, last: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
