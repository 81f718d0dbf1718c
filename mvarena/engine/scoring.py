"""Scores of one trial's labellings: every metric that can be had from them, each input made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.metric import Contingency, Points, Restarts, Space
from mvarena.contracts.specs import MetricSpec
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog
from mvarena.study.outcome import Score

Labels = Sequence[NDArray[np.int64]]


@cache
def metrics_needing(catalog: Catalog, needs: str) -> tuple[tuple[MetricSpec, Callable[[Any], float]], ...]:
    """The installed metrics that are functions of `needs`, imported once per process."""
    specs = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec) and spec.needs == needs]
    return tuple((spec, catalog.load(spec)) for spec in specs)


def scores_of(
    labellings: Labels, truth: NDArray[np.int64] | None, data: MultiViewData, embedding: Any, catalog: Catalog
) -> tuple[Score, ...]:
    """Scores of each restart's labels.

    With classes (`truth`): all external metrics. Without: the internal ones, in the embedding and in the views of
    `data` as the algorithm saw them (they cost a pass over all distances, so data with classes do without).
    Metrics of all restarts together are kept with restart 0.
    """
    found = list(_of_trial(labellings, catalog))
    if truth is not None:
        found += _against(labellings, truth, metrics_needing(catalog, "truth"))
    else:
        space = None if embedding is None else Space.of_embedding(embedding)
        found += _within(labellings, space, Space.of_views(data), metrics_needing(catalog, "points"))
    return tuple(found)


def _of_trial(labellings: Labels, catalog: Catalog) -> Iterator[Score]:
    for spec, metric in metrics_needing(catalog, "restarts"):
        yield Score(0, spec.name, spec.version, float(metric(Restarts(labellings))))


def _against(labellings: Labels, truth: NDArray[np.int64], metrics: Sequence[Any]) -> Iterator[Score]:
    for restart, labels in enumerate(labellings):
        table = Contingency.from_labels(truth, labels)
        for spec, metric in metrics:
            yield Score(restart, spec.name, spec.version, float(metric(table)))


def _within(
    labellings: Labels, space: Space | None, views: tuple[Space, ...], metrics: Sequence[Any]
) -> Iterator[Score]:
    for restart, labels in enumerate(labellings):
        points = Points(labels, space, views)
        for spec, metric in metrics:
            yield Score(restart, spec.name, spec.version, float(metric(points)))
