"""What became of the trials that did not finish, counted and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd

_MOST_REASONS = 3


def failure_counts(trials: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Per group: failed, skipped, status (what most unfinished trials ended in; '' if all finished) and reason.

    trials : one row per trial, with the columns `by`, status and reason. A reason reads '2 x TIMEOUT: sentence';
    at most three different ones are quoted. Cost O(trials).
    """
    unfinished: dict[tuple[Any, ...], list[tuple[str, Any]]] = {}
    groups = zip(*(trials[name] for name in by), strict=True)
    for group, status, reason in zip(groups, trials["status"], trials["reason"], strict=True):
        members = unfinished.setdefault(group, [])
        if status != "DONE":
            members.append((str(status), reason))
    rows = []
    for group, members in unfinished.items():
        skipped = sum(status == "SKIPPED" for status, _ in members)
        rows.append((*group, len(members) - skipped, skipped, _most(members), _reasons(members)))
    return pd.DataFrame(rows, columns=[*by, "failed", "skipped", "status", "reason"])


def _most(unfinished: Sequence[tuple[str, Any]]) -> str:
    counts = Counter(status for status, _ in unfinished)
    return min(counts, key=lambda status: (-counts[status], status)) if counts else ""


def _reasons(unfinished: Sequence[tuple[str, Any]]) -> str:
    texts = [
        f"{status}: {reason.strip()}" if isinstance(reason, str) and reason.strip() else status
        for status, reason in unfinished
    ]
    counts = sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))
    quoted = "; ".join(f"{count} x {text}" for text, count in counts[:_MOST_REASONS])
    more = sum(count for _, count in counts[_MOST_REASONS:])
    return f"{quoted}; and {more} more" if more else quoted
