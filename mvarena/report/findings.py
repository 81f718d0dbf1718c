"""Findings on the quality of stored results, each with a severity: error, warning or note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.report.context import Context
from mvarena.report.tables.quality import separated
from mvarena.text import listed, plural

Severity: TypeAlias = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
_MOST_NAMED = 6
_MANY_MISSING = 0.2  # of the conditions of a data set or method
_FEW_ABOVE = 0.1  # of the methods on a data set


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence on the results.

    error: a number does not mean what it seems to. warning: comparisons rest on little. note: worth knowing.
    """

    severity: Severity
    text: str


def findings(summary: pd.DataFrame, collapsed: pd.DataFrame, metric: str, context: Context) -> list[Finding]:
    """Findings on the results by one metric, errors first.

    summary : of `mvarena.report.data.ReportData`, with the columns control and above. collapsed :
    `mvarena.analysis.controls.cluster_counts`.

    Errors: data sets on which no method is above the better control; methods that collapse in half of their trials or
    more. Warnings: data sets on which fewer than a tenth of the methods are above the control;
    methods without a number under a fifth of the conditions or more. Notes: failed and skipped trials; other collapses.
    """
    rows = summary[(summary["metric"] == metric) & ~summary["algorithm"].isin(context.controls)]
    labels = context.contestants(rows["contestant"].unique())
    found = [*_of_datasets(rows, context), *_of_collapse(collapsed, context)]
    found += [*_of_missing(rows, labels), *_of_endings(rows, labels)]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def _of_datasets(rows: pd.DataFrame, context: Context) -> list[Finding]:
    known = rows[rows["control"].notna()]
    counts = {name: pair for name, pair in separated(known).items() if pair[1] > 1}
    nobody = [name for name, (above, _) in counts.items() if above == 0]
    few = [name for name, (above, of) in counts.items() if 0 < above < _FEW_ABOVE * of]
    return [
        *_finding(
            "error", nobody, "No method is above the better baseline under every condition of {}.", context.dataset
        ),
        *_finding(
            "warning", few, "Fewer than a tenth of the methods are above the better baseline on {}.", context.dataset
        ),
    ]


def _of_collapse(collapsed: pd.DataFrame, context: Context) -> list[Finding]:
    if collapsed.empty:
        return []
    labels = context.contestants(collapsed["contestant"].unique())
    sums = collapsed.groupby("contestant")[["n_collapsed", "n_trials"]].sum()
    often = sums["n_collapsed"] >= 0.5 * sums["n_trials"]
    text = "Fewer than half of the clusters asked for"
    return [
        *_finding("error", sums.index[often], f"{text}, in half of the trials or more: {{}}.", labels.__getitem__),
        *_finding("note", sums.index[~often], f"{text}, in some trials: {{}}.", labels.__getitem__),
    ]


def _of_missing(rows: pd.DataFrame, labels: Mapping[str, str]) -> list[Finding]:
    points = rows.drop_duplicates(["dataset", "corruption", "rate"])
    valued = rows[rows["mean"].notna()].groupby("contestant").size()
    lacking = [name for name in labels if 1 - valued.get(name, 0) / len(points) >= _MANY_MISSING] if len(points) else []
    return _finding("warning", lacking, "No result under at least a fifth of the conditions: {}.", labels.__getitem__)


def _of_endings(rows: pd.DataFrame, labels: Mapping[str, str]) -> list[Finding]:
    result = []
    for column, word in (("failed", "failed"), ("skipped", "were skipped")):
        counts = rows.groupby("contestant")[column].sum()
        names = [name for name in counts.index if counts[name] > 0]
        total = plural(int(counts.sum()), "trial")
        result += _finding("note", names, f"{total} {word}, of {{}}.", labels.__getitem__)
    return result


def _finding(severity: Severity, names: Iterable[str], text: str, label: Callable[[str], str]) -> list[Finding]:
    """One finding on all `names`, of which a few are named; none where there are none."""
    shown = sorted((label(name) for name in names), key=natural_order)
    if not shown:
        return []
    return [Finding(severity, text.format(listed(shown, most=_MOST_NAMED)))]
