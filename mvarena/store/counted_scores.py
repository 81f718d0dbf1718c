"""The one value per metric that the protocol counts, of stored trials that hold the scores of every restart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from mvarena.contracts.protocol import Pick, counted_restart, counted_value
from mvarena.contracts.specs import MetricSpec
from mvarena.registry.catalog import installed_catalog

ScoreRow = tuple[int, int, str, float]
"""Attempt, restart, metric, value."""


def directions_of_metrics() -> dict[str, bool]:
    """Installed metric -> True where higher is better."""
    specs = installed_catalog().specs("metric")
    return {spec.name: spec.higher_is_better for spec in specs if isinstance(spec, MetricSpec)}


def counted_scores(
    rows: Iterable[ScoreRow],
    picks: Mapping[int, Pick],
    inertias: Mapping[int, Mapping[int, float]],
    directions: Mapping[str, bool],
) -> Iterator[tuple[int, str, float, float]]:
    """Attempt, metric, value and spread (`mvarena.contracts.protocol.counted_value`).

    rows : in the order of attempt, metric and restart. picks : attempt -> what its protocol counts. inertias : attempt
    -> restart -> inertia. directions : metric -> True where higher is better. Cost O(rows).
    """
    for (attempt, metric), group in groupby(rows, itemgetter(0, 2)):
        own = inertias.get(attempt, {})
        scored = [(value, own.get(restart, math.nan)) for _, restart, _, value in group]
        values, of_restarts = zip(*scored, strict=True)
        yield attempt, metric, *counted_value(picks[attempt], values, of_restarts, directions.get(metric, True))


def counted_restarts(
    picks: Mapping[int, Pick],
    inertias: Mapping[int, Mapping[int, float]],
    accuracies: Mapping[int, Mapping[int, float]],
) -> dict[int, int]:
    """Attempt -> the restart whose labels count (`mvarena.contracts.protocol.counted_restart`).

    accuracies : attempt -> restart -> ACC, of those whose restart is picked by labels.
    """
    result = {}
    for attempt, own in inertias.items():
        restarts = sorted(own)
        scored = accuracies.get(attempt, {})
        judged = [scored.get(restart, math.nan) for restart in restarts] if scored else []
        index = counted_restart(picks[attempt], [own[restart] for restart in restarts], judged)
        result[attempt] = restarts[index]
    return result
