"""Scores of one trial's labellings: each kind of input is made once, for all the metrics that are functions of it.

Each metric stands alone: one that fails is a missing score with a reason; the labels and the other scores are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.metric import Checkpoints, Contingency, Outcomes, Points, Restarts, Space
from mvarena.contracts.outcome import Score
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.protocol import Pick, counted_value
from mvarena.contracts.specs import MetricInput, MetricSpec
from mvarena.data import MultiViewData
from mvarena.engine.validation import said
from mvarena.registry.catalog import Catalog

Unscored: TypeAlias = dict[str, str]
"""Metric -> why it has no scores."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """Inputs of the metrics for the labellings of one trial.

    labels : (n,) cluster indices of each restart.
    truth : gives the classes, (n,) and -1 where unlabelled, or None; called only for metrics that need them.
    views : gives the data before any method's preparation, the same for all; called only for metrics that need them.
    embedding : gives (n, p) of the algorithm, or None; called only if a metric looks at it.
    checkpoints : gives the labels (n,) of the restarts that count, for each checkpoint of the fit and its end; None
        where none was kept.
    outcomes : gives the outcomes of the samples; called only for metrics that need them. seed : of what these draw.
    inertias : of each restart. pick : which of them count.
    """

    labels: Sequence[NDArray[np.int64]]
    truth: Callable[[], NDArray[np.int64] | None]
    views: Callable[[], MultiViewData]
    embedding: Callable[[], Any] = lambda: None
    checkpoints: Callable[[], Sequence[Sequence[NDArray[np.int64]]]] | None = None
    outcomes: Callable[[], OutcomeTable | None] = lambda: None
    seed: int = 0
    inertias: Sequence[float] = ()
    pick: Pick = "mean"


def _together(material: Material) -> list[Restarts]:
    return [Restarts([_read_only(labels) for labels in material.labels])]


def _with_classes(material: Material) -> list[Contingency]:
    classes = material.truth()
    return [] if classes is None else [Contingency.from_labels(classes, labels) for labels in material.labels]


def _over_checkpoints(material: Material) -> list[Checkpoints]:
    classes = material.truth()
    if classes is None or material.checkpoints is None:
        return []
    every = [[Contingency.from_labels(classes, labels) for labels in one] for one in material.checkpoints()]
    return [Checkpoints(every)]


def _read_only(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    result = labels.view()
    result.setflags(write=False)
    return result


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
    space = cache(lambda: None if (result := material.embedding()) is None else Space.of_embedding(result))
    views = Space.of_views(material.views())
    return [_LatePoints(_read_only(labels), space, views) for labels in material.labels]


def _with_outcomes(material: Material) -> list[Outcomes]:
    """One for each labelling; the same object for restarts that found the same partition."""
    table = material.outcomes()
    if table is None:
        return []
    every: dict[bytes, Outcomes] = {}
    result = []
    for labels in material.labels:
        _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
        partition = np.argsort(np.argsort(first))[codes]  # clusters numbered by their first samples
        result.append(every.setdefault(partition.tobytes(), Outcomes(_read_only(labels), table, material.seed)))
    return result


# what a metric is a function of -> that, for each labelling in turn, or once for all of them
_INPUTS: Mapping[MetricInput, Callable[[Material], Sequence[Any]]] = {
    "restarts": _together,
    "truth": _with_classes,
    "points": _in_spaces,
    "checkpoints": _over_checkpoints,
    "outcomes": _with_outcomes,
}


def values_of(material: Material, catalog: Catalog) -> tuple[dict[str, list[float]], Unscored]:
    """Metric -> its value for each restart, by every installed metric that can be had from them; and those that failed.

    With classes: all external metrics, and those of checkpoints where there are any. Without: the internal ones, in the
    embedding and in the views before any preparation (they cost a pass over all distances, so data with classes get
    them only where a user asks, by `engine.rescore`, which also scores by outcomes).
    """
    kinds: tuple[MetricInput, ...] = ("restarts", "points" if material.truth() is None else "truth")
    if material.checkpoints is not None and material.truth() is not None:
        kinds = (*kinds, "checkpoints")
    inputs: dict[MetricInput, Sequence[Any]] = {}
    values: dict[str, list[float]] = {}
    unscored: Unscored = {}
    for kind in kinds:
        for spec in metrics_of(catalog, kind):
            try:
                if kind not in inputs:
                    inputs[kind] = _INPUTS[kind](material)
                values[spec.name] = values_by(spec, inputs[kind], catalog)
            except BaseException as error:  # in a fork, where nobody presses Ctrl-C; labels and other scores are kept
                unscored[spec.name] = said(error)
    return values, unscored


def metrics_of(catalog: Catalog, kind: MetricInput) -> list[MetricSpec]:
    """The installed metrics that are functions of that kind of input."""
    return [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec) and spec.needs == kind]


def inputs_of(needs: MetricInput, material: Material) -> Sequence[Any]:
    """Arguments of a metric of that kind, in turn; none where `material` lacks it."""
    return _INPUTS[needs](material)


def values_by(spec: MetricSpec, inputs: Sequence[Any], catalog: Catalog) -> list[float]:
    """The values of one metric, for each restart or all together.

    Raises PluginError, which names the metric, for what it raises.
    """
    function = catalog.load(spec)
    with catalog.calling(spec):
        values = {id(item): float(function(item)) for item in {id(item): item for item in inputs}.values()}
    return [values[id(item)] for item in inputs]


def counted_scores(values: Mapping[str, Sequence[float]], material: Material, catalog: Catalog) -> tuple[Score, ...]:
    """The scores that count by the protocol (`mvarena.contracts.protocol.counted_value`). values : of `values_of`."""
    specs = [catalog.metric(name) for name in values if values[name]]
    return tuple(
        Score(
            spec.name,
            spec.version,
            *counted_value(material.pick, values[spec.name], material.inertias, spec.higher_is_better),
        )
        for spec in specs
    )
