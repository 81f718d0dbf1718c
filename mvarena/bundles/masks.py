"""The data at the points of a study, made here: the mask, the classes, and the scores that labels have by them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from mvarena.bundles.planned import point_of
from mvarena.contracts.corruption import corruption_effect
from mvarena.contracts.specs import MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.scoring import Material, inputs_of, metric_of, scores_by
from mvarena.engine.stages import staged
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import is_own


@dataclass(frozen=True, eq=False, slots=True)
class Point:
    """mask : its digest. noted : what an outcome notes that its mask decides. truth : (n,) classes, or None."""

    mask: str
    noted: Mapping[str, Any]
    n_samples: int
    truth: NDArray[np.int64] | None


class Points:
    """Makes the data of each point once, from the seeds of its trials. Cost of a point: that of loading and corrupting.

    metrics : those of mvarena that are functions of labels and classes, by name.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, Point] = {}
        specs = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec) and is_own(spec.target)]
        self.metrics = {spec.name: spec for spec in specs if spec.needs == "truth"}
        self._functions = {name: metric_of(spec, catalog) for name, spec in self.metrics.items()}

    def at(self, trial: Trial) -> Point:
        """The data where `trial` is; its method and preparation do not matter. Raises what making them raises."""
        name = point_of(trial.identity())
        if name not in self._known:
            data = staged(replace(trial, prepare=()), self._catalog)
            mask = data.corrupted.mask
            effect = corruption_effect(data.whole, data.corrupted)
            digest = hashlib.sha256(f"{mask.shape}".encode() + np.packbits(mask).tobytes()).hexdigest()
            self._known[name] = Point(digest, noted_of(effect), data.whole.n_samples, data.whole.labels)
        return self._known[name]

    def scores(
        self, labels: Mapping[int, NDArray[np.int64]], truth: NDArray[np.int64] | None
    ) -> dict[str, dict[int, float]]:
        """Metric -> restart -> the score of its labels; nothing without classes or labels."""
        if truth is None or not labels:
            return {}
        material = Material(labels=list(labels.values()), truth=lambda: truth, views=_no_views)
        inputs = inputs_of("truth", material)
        return {
            name: {place: score.value for place, score in zip(labels, scores_by(metric, inputs, None), strict=True)}
            for name, metric in self._functions.items()
        }


def noted_of(achieved: Mapping[str, Any]) -> dict[str, Any]:
    """The part of what an outcome notes of its data that its mask decides."""
    views = {name: view["missing"] for name, view in achieved["views"].items()}
    return {name: achieved[name] for name in ("incomplete", "samples_by_missing_views")} | {"views": views}


def _no_views() -> NoReturn:
    raise AssertionError("metrics of labels and classes look at no views")
