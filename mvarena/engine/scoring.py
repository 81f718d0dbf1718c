"""Scores of one trial's labellings: each kind of input is made once, for all the metrics that are functions of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.metric import Contingency, Points, Restarts, Space
from mvarena.contracts.outcome import Score
from mvarena.contracts.specs import MetricInput, MetricSpec
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog

Metric: TypeAlias = tuple[MetricSpec, Callable[[Any], float]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """Inputs of the metrics for the labellings of one trial.

    labels : (n,) cluster indices of each restart.
    truth : gives the classes, (n,) and -1 where unlabelled, or None; called only for metrics that need them.
    views : gives the data before any method's preparation, the same for all; called only for metrics that need them.
    embedding : (n, p) of the algorithm; None where it has none.
    late_embedding : gives it where it is not at hand; called only if a metric looks at it.
    """

    labels: Sequence[NDArray[np.int64]]
    truth: Callable[[], NDArray[np.int64] | None]
    views: Callable[[], MultiViewData]
    embedding: Any = None
    late_embedding: Callable[[], Any] | None = None


def _together(material: Material) -> list[Restarts]:
    return [Restarts(material.labels)]


def _with_classes(material: Material) -> list[Contingency]:
    classes = material.truth()
    return [] if classes is None else [Contingency.from_labels(classes, labels) for labels in material.labels]


class _LatePoints(Points):
    """Points whose embedding is made when a metric first looks at it."""

    def __init__(self, labels: NDArray[np.int64], late: Callable[[], Space | None], views: tuple[Space, ...]) -> None:
        for name, value in (("labels", labels), ("views", views), ("_late", late)):
            object.__setattr__(self, name, value)

    @property
    def embedding(self) -> Space | None:
        late: Callable[[], Space | None] = vars(self)["_late"]
        return late()


def _in_spaces(material: Material) -> list[Points]:
    late = material.late_embedding
    if late is not None:
        space = cache(lambda: None if (result := late()) is None else Space.of_embedding(result))
        seen = Space.of_views(material.views())
        return [_LatePoints(labels, space, seen) for labels in material.labels]
    embedding = None if material.embedding is None else Space.of_embedding(material.embedding)
    views = Space.of_views(material.views())
    return [Points(labels, embedding, views) for labels in material.labels]


# what a metric is a function of -> that, for each labelling in turn, or once for all of them
_INPUTS: Mapping[MetricInput, Callable[[Material], Sequence[Any]]] = {
    "restarts": _together,
    "truth": _with_classes,
    "points": _in_spaces,
}


def scores_by(metrics: Iterable[Metric], needs: MetricInput, material: Material) -> list[Score]:
    """The scores by metrics that are all functions of `needs`; none where `material` lacks that.

    A metric of all restarts together is kept with restart 0.
    """
    inputs = _INPUTS[needs](material)
    return [
        Score(restart, spec.name, spec.version, float(metric(item)))
        for restart, item in enumerate(inputs)
        for spec, metric in metrics
    ]


@cache
def metrics_needing(catalog: Catalog, needs: MetricInput) -> tuple[Metric, ...]:
    """The installed metrics that are functions of `needs`, imported once per process."""
    specs = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec) and spec.needs == needs]
    return tuple((spec, catalog.load(spec)) for spec in specs)


def scores_of(material: Material, catalog: Catalog) -> tuple[Score, ...]:
    """Scores of each restart's labels, by every installed metric that can be had from them.

    With classes: all external metrics. Without: the internal ones, in the embedding and in the views before any
    preparation (they cost a pass over all distances, so data with classes get them only where a user asks, by
    `engine.rescore`).
    """
    kinds: tuple[MetricInput, ...] = ("restarts", "points" if material.truth() is None else "truth")
    return tuple(score for needs in kinds for score in scores_by(metrics_needing(catalog, needs), needs, material))
