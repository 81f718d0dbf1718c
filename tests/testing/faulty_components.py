"""Data sets, corruptions, transforms and metrics with one fault each, by the check that must find it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from mvarena.contracts.corruption import Corruption, count_at
from mvarena.contracts.metric import Contingency, Points
from mvarena.contracts.parameters import Positive
from mvarena.contracts.specs import CorruptionSpec, DatasetSpec, MetricSpec, Spec, TransformSpec
from mvarena.data import MultiViewData
from mvarena.testing import blobs

_turn = count()

Faulty = tuple[str, Spec, Any]


# data sets: a function each ---------------------------------------------------------------------------------


def a_dataset(function: Callable[[int], MultiViewData], generated: bool = False) -> tuple[Spec, Any]:
    return DatasetSpec(name="d", target="a:b", summary="", views=("v0", "v1"), generated=generated), function


def fixed(seed: int) -> MultiViewData:
    return blobs(30)


def without_clusters(seed: int) -> MultiViewData:
    return replace(blobs(30).without_labels(), n_clusters=None)


def constant_view(seed: int) -> MultiViewData:
    data = blobs(30)
    return data.with_views([data.views[0], replace(data.views[1], matrix=np.ones((30, 8)))])


def drawn_from_nothing(seed: int) -> MultiViewData:
    return blobs(30, seed=next(_turn))


def drawn_globally(seed: int) -> MultiViewData:
    np.random.rand()  # noqa: NPY002
    return blobs(30)


def as_many_as_the_seed(seed: int) -> MultiViewData:
    return blobs(30 + seed, dims=(5 + seed, 8), seed=seed)


DATASETS: list[Faulty] = [
    ("as-described", *a_dataset(lambda _: blobs(30, dims=(4, 4, 4)))),
    ("clusters-known", *a_dataset(without_clusters)),
    ("numbers-finite", *a_dataset(constant_view)),
    ("same-content-twice", *a_dataset(drawn_from_nothing)),
    ("same-content-twice", *a_dataset(drawn_globally)),
    ("drawn-from-the-seed", *a_dataset(fixed, generated=True)),
    ("drawn-from-the-seed", *a_dataset(as_many_as_the_seed, generated=True)),
    ("the-same-for-every-seed", *a_dataset(lambda seed: blobs(30, seed=seed))),
]


# corruptions: a class each ----------------------------------------------------------------------------------


class Scaled(Corruption):
    """Multiplies a share of the samples by `factor`."""

    factor: Positive = 2.0

    def spoil(self, data, rate, rng):
        signs = np.ones(data.n_samples)
        signs[rng.permutation(data.n_samples)[: count_at(rate, data.n_samples)]] = -self.factor
        return data.with_views(replace(view, matrix=view.matrix * signs[:, None]) for view in data.views)


class BadDefault(Scaled):
    level: Annotated[int, Ge(1)] = 0

    def __post_init__(self):
        if self.level != 0:
            super().__post_init__()


class AcceptsNegativeFactors(Scaled):
    def __post_init__(self):
        if self.factor != -1:
            super().__post_init__()


class CopiesAtZero(Scaled):
    def apply(self, data, rate, rng):
        return data.renamed("copy") if rate == 0 else super().apply(data, rate, rng)


class Shuffles(Scaled):
    def spoil(self, data, rate, rng):
        return super().spoil(data, rate, rng).take(np.arange(data.n_samples)[::-1])


class WritesIntoIts(Scaled):
    def spoil(self, data, rate, rng):
        for view in data.views:
            view.matrix[0] = 0.0
        return super().spoil(data, rate, rng)


class DrawsElsewhere(Scaled):
    def spoil(self, data, rate, rng):
        return super().spoil(data, rate, np.random.default_rng(next(_turn)))


class DrawsNothing(Scaled):
    def spoil(self, data, rate, rng):
        return super().spoil(data, rate, np.random.default_rng(0))


class TakesAnyRate(Scaled):
    def check(self, data, rate):
        if not math.isnan(rate) and rate > 0:
            return
        super().check(data, rate)


class HidesSamples(Scaled):
    def spoil(self, data, rate, rng):
        mask = data.mask.copy()
        mask[rng.permutation(data.n_samples)[:5], 0] = False
        return data.with_mask(mask)


class ChangesTheRest(HidesSamples):
    def spoil(self, data, rate, rng):
        return super().spoil(super(HidesSamples, self).spoil(data, rate, rng), rate, rng)


def a_corruption(kind: type, makes_missing: bool = False) -> tuple[Spec, Any]:
    words: dict[str, Any] = {"summary": "", "rate_means": "", "formula": "", "makes_missing": makes_missing}
    return CorruptionSpec(name="c", target="a:b", **words), kind


CORRUPTIONS: list[Faulty] = [
    ("parameters-declared", *a_corruption(BadDefault)),
    ("bad-parameters-refused", *a_corruption(AcceptsNegativeFactors)),
    ("nothing-at-no-rate", *a_corruption(CopiesAtZero)),
    ("same-samples", *a_corruption(Shuffles)),
    ("input-unchanged", *a_corruption(WritesIntoIts)),
    ("depends-on-the-generator-alone", *a_corruption(DrawsElsewhere)),
    ("depends-on-the-generator-alone", *a_corruption(DrawsNothing)),
    ("largest-rate-holds", *a_corruption(TakesAnyRate)),
    ("nothing-goes-missing", *a_corruption(HidesSamples)),
    ("every-sample-keeps-a-view", *a_corruption(ChangesTheRest, makes_missing=True)),
]


# transforms: a function each --------------------------------------------------------------------------------


def by(function: Callable[[Any, MultiViewData], Any]) -> Callable[[MultiViewData], MultiViewData]:
    def transform(data: MultiViewData) -> MultiViewData:
        return data.with_views(replace(view, matrix=function(view.matrix, data)) for view in data.views)

    return transform


def doubled(matrix: Any, data: MultiViewData) -> Any:
    return 2.0 * matrix


def written(matrix: Any, data: MultiViewData) -> Any:
    matrix[0] = 1.0
    return matrix


def unblanked(data: MultiViewData) -> MultiViewData:
    dense = [view.matrix.toarray() if view.is_sparse else view.matrix for view in data.views]
    views = [replace(view, matrix=matrix + 1.0) for view, matrix in zip(data.views, dense, strict=True)]
    return data._derive(views=tuple(views))


def widened(data: MultiViewData) -> MultiViewData:
    def wide(view):
        dense = view.matrix.toarray() if view.is_sparse else view.matrix
        return replace(view, matrix=np.hstack([dense, dense])) if view.kind == "features" else view

    return data.with_views(wide(view) for view in data.views)


def with_bad_default(data: MultiViewData, *, power: Positive = -1.0) -> MultiViewData:
    return data


def refuses_all(data: MultiViewData) -> MultiViewData:
    from mvarena.errors import Incompatible

    raise Incompatible("no.")


def by_position(matrix: Any, data: MultiViewData) -> Any:
    scale = np.linspace(1.0, 2.0, data.n_samples)
    return matrix * np.outer(scale, scale) if data.views[0].kind != "features" else matrix * scale[:, None]


def by_label(matrix: Any, data: MultiViewData) -> Any:
    return matrix if data.labels is None else 2.0 * matrix


def a_transform(function: Any) -> tuple[Spec, Any]:
    return TransformSpec(name="t", target="a:b", summary=""), function


TRANSFORMS: list[Faulty] = [
    ("parameters-declared", *a_transform(with_bad_default)),
    ("takes-some-data", *a_transform(refuses_all)),
    ("same-samples", *a_transform(lambda data: replace(data, labels=None, n_clusters=3))),
    ("input-unchanged", *a_transform(by(written))),
    ("deterministic", *a_transform(by(lambda matrix, _: matrix * (1 + 1e-12 * next(_turn))))),
    ("sparse-equals-dense", *a_transform(by(lambda matrix, data: matrix * (1 + data.views[0].is_sparse)))),
    ("labels-never-seen", *a_transform(by(by_label))),
    ("permutation", *a_transform(by(by_position))),
    ("missing-rows-blank", *a_transform(unblanked)),
    ("twice-keeps-the-shape", *a_transform(widened)),
]


# metrics: a function each -----------------------------------------------------------------------------------


def purity(table: Contingency) -> float:
    return float(table.counts.max(axis=0).sum() / table.n_samples)


def a_metric(function: Any, **words: Any) -> tuple[Spec, Any]:
    return MetricSpec(name="m", target="a:b", summary="", **words), function


def undefined_for_one_cluster(table: Contingency) -> float:
    if len(table.clusters) == 1 and table.n_samples > 1:
        raise ZeroDivisionError
    return purity(table)


def first_label(points: Points) -> float:
    return float((points.labels == points.labels[0]).mean())


def mean_label(points: Points) -> float:
    return float(points.labels.mean() / (1 + points.labels.max()))


def written_over(points: Points) -> float:
    share = float((points.labels == points.labels.min()).mean())
    points.labels[:] = 0
    return share


def three_at_least(restarts: Any) -> float:
    return float(len(restarts.labellings[2]) > 0)


METRICS: list[Faulty] = [
    ("within-its-range", *a_metric(lambda table: 1.5 - purity(table), higher_is_better=False, lowest=0.5)),
    ("names-of-clusters-do-not-matter", *a_metric(mean_label, needs="points")),
    ("order-of-samples-does-not-matter", *a_metric(first_label, needs="points")),
    ("same-value-twice", *a_metric(lambda table: purity(table) - 1e-12 * (next(_turn) % 99))),
    ("same-value-twice", *a_metric(written_over, needs="points")),
    ("perfect-match-is-best", *a_metric(lambda table: 1.0 - purity(table))),
    ("any-number-of-restarts", *a_metric(three_at_least, needs="restarts")),
    ("never-an-exception", *a_metric(undefined_for_one_cluster)),
]  # fmt: skip
