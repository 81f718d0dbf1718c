"""The checks of a data set: the same content each time, as its spec describes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from unittest import SkipTest

import numpy as np

from mvarena.contracts.data_source import DataSource, as_data_source
from mvarena.contracts.specs import DatasetSpec
from mvarena.data import MultiViewData
from mvarena.errors import DataUnavailable
from mvarena.samples import UNLABELLED
from mvarena.testing.comparisons import global_state
from mvarena.testing.suites import Suite, require


@dataclass
class DataSet:
    """A spec and the function or the source behind it."""

    spec: DatasetSpec
    target: Any

    @cached_property
    def source(self) -> DataSource:
        return as_data_source(self.spec, self.target)

    @property
    def name(self) -> str:
        return self.spec.name

    def data(self, seed: int = 0) -> MultiViewData:
        """The data; SkipTest where their files are not at hand."""
        try:
            result: object = self.source.load(seed)
        except DataUnavailable as error:
            raise SkipTest(f"the files are not available: {error}") from error
        if not isinstance(result, MultiViewData):
            raise AssertionError(f"{self.name} must load a MultiViewData, not {type(result).__name__}.")
        return result


SUITE = Suite(DataSet)


@SUITE.check()
def as_described(subject: DataSet) -> None:
    """Views, samples and clusters are those of the spec or the card."""
    data, text = subject.data(), subject.source.describe()
    views = tuple(view.name for view in text.views)
    sentence = f"{subject.name} has the views {', '.join(data.view_names)}, but its spec says {', '.join(views)}."
    require(data.view_names == views, sentence)
    for view, facts in zip(data.views, text.views, strict=True):
        agree = facts.dimension in (None, view.n_features)
        require(agree, f"{subject.name}: view '{view.name}' is said to have {facts.dimension} features; see {data!r}.")
    for what, told, result in (
        ("samples", text.samples, data.n_samples),
        ("clusters", text.clusters, data.n_clusters),
    ):
        require(told in (None, result), f"{subject.name} has {result} {what} but its card says {told}.")


@SUITE.check()
def clusters_known(subject: DataSet) -> None:
    """There is a number of clusters; labels, where there are any, are class indices without gaps."""
    data = subject.data()
    require(data.n_clusters, f"{subject.name} does not give a number of clusters; give labels or n_clusters.")
    if data.labels is not None:
        known = set(data.labels[data.labels != UNLABELLED].tolist())
        complete = known == set(range(len(known))) and data.labels.shape == (data.n_samples,)
        require(complete, f"{subject.name}: labels must be class indices from 0 without gaps.")


@SUITE.check()
def numbers_finite(subject: DataSet) -> None:
    """Every observed value is a finite number, and no view is constant."""
    data = subject.data()
    for view in data.views:
        values = view.matrix.data if view.is_sparse else view.matrix
        require(np.isfinite(values).all(), f"{subject.name}: view '{view.name}' holds NaN or infinity.")
        varies = view.matrix.max() > view.matrix.min()
        require(varies, f"{subject.name}: all numbers of view '{view.name}' are the same.")


@SUITE.check()
def same_content_twice(subject: DataSet) -> None:
    """Loaded again, with the same seed, the content is the same, and NumPy's global generator is left alone."""
    before = global_state()
    first, second = (subject.data(5).fingerprint for _ in range(2))
    require(
        first == second, f"{subject.name} loads different content each time, so that its results cannot be compared."
    )
    require(before == global_state(), f"{subject.name} draws from NumPy's global generator; use default_rng(seed).")


@SUITE.check(applies=lambda spec: spec.generated)
def drawn_from_the_seed(subject: DataSet) -> None:
    """Another seed draws other data of the same shape."""
    first, second = subject.data(0), subject.data(1)
    require(
        first.fingerprint != second.fingerprint,
        f"{subject.name} says generated=True and gives the same data for every seed.",
    )
    shapes = [[view.matrix.shape for view in item.views] for item in (first, second)]
    require(shapes[0] == shapes[1], f"{subject.name} draws data of another shape for another seed.")


@SUITE.check(applies=lambda spec: not spec.generated)
def the_same_for_every_seed(subject: DataSet) -> None:
    """The seed changes nothing, where the spec does not say generated."""
    same = subject.data(0).fingerprint == subject.data(1).fingerprint
    require(same, f"{subject.name} depends on the seed; its spec must say generated=True.")
