"""Columns of outcomes that look like survival: a time, and whether the event was seen then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ENDPOINTS = {"os", "pfs", "pfi", "dfs", "dfi", "dss", "rfs", "efs", "dmfs", "mfs", "ttp", "survival", "surv"}
_TIMES = _ENDPOINTS | {
    "time", "times", "day", "days", "week", "weeks", "month", "months", "years", "followup", "follow", "futime",
    "duration", "tte", "t",
}  # fmt: skip
_NO_EVENTS = {"sex", "gender", "male", "female", "smoker", "smoking", "treatment", "arm", "group"}
_NO_TIMES = {"age", "birth", "born", "diagnosis", "dx"}
_CENSORING = {"censor", "censored", "censoring"}
_EVENTS = _ENDPOINTS | _CENSORING | {
    "event", "events", "status", "fustat", "death", "dead", "died", "deceased", "vital", "relapse", "relapsed",
    "recurrence", "recurred", "progression", "progressed",
}  # fmt: skip
_SEEN = re.compile(r"dead|deceased|died|death|event|relapse|recur|progress|yes|true", re.IGNORECASE)
_NOT_SEEN = re.compile(r"alive|living|censor|free|\b(?:none|no|not|false)\b", re.IGNORECASE)
# what `--event COLUMN` reads without saying which value is an event; yes and no alone do not look like survival
_YES_NO = {"yes", "no", "true", "false"}
_PLAIN = _YES_NO | {"dead", "deceased", "alive", "living", "censored"}


@dataclass(frozen=True, slots=True)
class SurvivalColumns:
    """times, events : names of the columns that look like one. pair : a time and an event that belong together, the
    event as `--event` takes it, with the value that is an event where it does not go without saying; else None."""

    times: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    pair: tuple[str, str] | None = None


def survival_columns(columns: Mapping[str, NDArray[Any]]) -> SurvivalColumns:
    """The columns that look like survival, by their names and values.

    columns : name -> (n,) numbers, NaN where unknown, or texts, '' where unknown (`OutcomeTable.columns`).
    A time is of numbers from 0 with more than two values, and called as times are; an event has two values, is called
    as events are or has words for them, such as alive and dead. Where none is, the first column of 0 and 1 goes with
    the time, and may be something else.
    """
    times = tuple(name for name, values in columns.items() if _is_time(name, values))
    events = {name: event for name, values in columns.items() if (event := _event(name, values))}
    likely = events or {name: name for name, values in columns.items() if _is_switch(name, values)}
    pairs = ((time, event) for time in times for event in likely)
    best = max(pairs, key=lambda pair: len(_words(pair[0]) & _words(pair[1])), default=None)
    return SurvivalColumns(times, tuple(events), None if best is None else (best[0], likely[best[1]]))


def _words(name: str) -> set[str]:
    """'OS.time' -> os, time; 'daysToDeath' -> days, to, death."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return set(re.findall(r"[a-z]+", parts.lower()))


def _is_time(name: str, values: NDArray[Any]) -> bool:
    words = _words(name)
    if values.dtype.kind != "f" or not words & _TIMES or words & _NO_TIMES:
        return False
    known = values[~np.isnan(values)]
    return len(np.unique(known)) > 2 and bool((known >= 0).all())


def _is_switch(name: str, values: NDArray[Any]) -> bool:
    """True for numbers 0 and 1 under a name that says nothing else."""
    numbers = values.dtype.kind == "f" and not _words(name) & _NO_EVENTS
    return numbers and set(np.unique(values[~np.isnan(values)]).tolist()) == {0.0, 1.0}


def _event(name: str, values: NDArray[Any]) -> str:
    """The column as `--event` takes it; '' for one that does not look like an event."""
    words = _words(name)
    named = bool(words & _EVENTS)
    if values.dtype.kind == "f":
        found = set(np.unique(values[~np.isnan(values)]).tolist())
        if not named or found not in ({0.0, 1.0}, {1.0, 2.0}):
            return ""
        if words & _CENSORING:
            return f"{name}={min(found):g}"
        return name if 0.0 in found else f"{name}=2"
    texts = sorted(set(values.tolist()) - {""})
    seen = [text for text in texts if _SEEN.search(text) and not _NOT_SEEN.search(text)]
    if len(texts) != 2 or len(seen) != 1:
        return ""
    lower = {text.lower() for text in texts}
    other = next(text for text in texts if text != seen[0])
    if not named and (lower <= _YES_NO or not _NOT_SEEN.search(other)):
        return ""
    return name if lower <= _PLAIN and not words & _CENSORING else f"{name}={seen[0]}"
