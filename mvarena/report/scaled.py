"""What automatic scaling did to each view, in words, from what the trials' outcomes keep of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pandas as pd

from mvarena.analysis.naming import names_by_content
from mvarena.report.wording import listed

SCALE_AUTO = "scale-auto"
_MOST_VIEWS = 6  # that are named one by one


def scaling_words(scores: pd.DataFrame, fits: pd.DataFrame) -> dict[tuple[str, str], str]:
    """(data set, corruption) -> 'fou and fac: measurements -> minmax, unit-view; zer: coordinates -> unit-view'.

    Where the trials of one data set and corruption differ, as noise may turn counts into coordinates, each decision
    says in how many of them it was taken. Without words where no outcome says.
    """
    trials = scores.assign(dataset=names_by_content(scores)).drop_duplicates(["key", "dataset"])
    trials = trials[["key", "dataset", "corruption"]].merge(fits[["key", "decided"]], on="key")
    counts: dict[tuple[str, str], dict[str, Counter[str]]] = {}
    for dataset, corruption, decided in zip(trials["dataset"], trials["corruption"], trials["decided"], strict=True):
        said = decided.get(SCALE_AUTO) if isinstance(decided, Mapping) else None
        for view, decision in said.items() if isinstance(said, Mapping) else ():
            of_point = counts.setdefault((dataset, corruption), {})
            of_point.setdefault(str(view), Counter())[str(decision)] += 1
    return {point: _words(views) for point, views in counts.items()}


def _words(views: Mapping[str, Counter[str]]) -> str:
    """Views with one decision stand together."""
    alike: dict[str, list[str]] = {}
    for view, decisions in views.items():
        alike.setdefault(_decision(decisions), []).append(view)
    return "; ".join(f"{_names(names)}: {decision}" for decision, names in alike.items())


def _decision(decisions: Counter[str]) -> str:
    if len(decisions) == 1:
        return next(iter(decisions))
    total = decisions.total()
    return " or ".join(f"{decision} (in {count} of {total} trials)" for decision, count in decisions.most_common())


def _names(views: list[str]) -> str:
    if len(views) <= _MOST_VIEWS:
        return listed(views)
    return f"{', '.join(views[:_MOST_VIEWS])} and {len(views) - _MOST_VIEWS} more views"
