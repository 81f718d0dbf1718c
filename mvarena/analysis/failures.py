"""What became of the trials that did not finish, counted and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

_MOST_REASONS = 3


def failure_counts(trials: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Per group: failed, skipped, status (what most unfinished trials ended in; '' if all finished) and reason.

    trials : one row per trial, with the columns `by`, status and reason. A reason reads '2 x TIMEOUT: sentence';
    at most three different ones are quoted.
    """
    groups = trials[list(by)].drop_duplicates()
    rows = []
    for group, unfinished in trials[trials["status"] != "DONE"].groupby(list(by), sort=False):
        skipped = int((unfinished["status"] == "SKIPPED").sum())
        rows.append((*group, len(unfinished) - skipped, skipped, _most(unfinished), _reasons(unfinished)))
    if not rows:
        return groups.assign(failed=0, skipped=0, status="", reason="").reset_index(drop=True)
    found = groups.merge(pd.DataFrame(rows, columns=[*by, "failed", "skipped", "status", "reason"]), how="left")
    filled = found.fillna({"failed": 0, "skipped": 0, "status": "", "reason": ""})
    return filled.astype({"failed": int, "skipped": int})


def _most(unfinished: pd.DataFrame) -> str:
    counts = Counter(str(status) for status in unfinished["status"])
    return min(counts, key=lambda status: (-counts[status], status)) if counts else ""


def _reasons(unfinished: pd.DataFrame) -> str:
    texts = [
        f"{status}: {str(reason).strip()}" if isinstance(reason, str) and reason.strip() else str(status)
        for status, reason in zip(unfinished["status"], unfinished["reason"], strict=True)
    ]
    counts = sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))
    quoted = "; ".join(f"{count} x {text}" for text, count in counts[:_MOST_REASONS])
    more = sum(count for _, count in counts[_MOST_REASONS:])
    return f"{quoted}; and {more} more" if more else quoted
