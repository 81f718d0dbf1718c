"""The checks of a transform: the same samples in other numbers, from the numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.specs import TransformSpec
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.testing.comparisons import require_unchanged, same_labels
from mvarena.testing.examples import KINDS, blobs
from mvarena.testing.parameters import require_declared
from mvarena.testing.suites import Suite, require


@dataclass(frozen=True)
class Preparation:
    """A spec and the function behind it."""

    spec: TransformSpec
    function: Any

    @property
    def name(self) -> str:
        return self.spec.name

    def __call__(self, data: MultiViewData) -> MultiViewData:
        done: MultiViewData = self.function(data)
        return done

    def examples(self) -> Iterator[MultiViewData]:
        """Data of the kinds that it takes, complete and not."""
        for kind in KINDS:
            for missing in (0.0, 0.3):
                data = blobs(24, missing=missing, kind=kind, nonnegative=True)
                try:
                    self(data)
                except Incompatible:
                    continue
                yield data


SUITE = Suite(Preparation)


@SUITE.check()
def parameters_declared(subject: Preparation) -> None:
    """Every parameter has a default that its own declaration allows."""
    require_declared(subject.name, subject.function)


@SUITE.check()
def takes_some_data(subject: Preparation) -> None:
    """It works on views of one kind at least, and refuses others with Incompatible."""
    require(list(subject.examples()), f"{subject.name} refuses views of every kind.")


@SUITE.check()
def same_samples(subject: Preparation) -> None:
    """Samples, labels and names of views stay; what was observed still is."""
    for data in subject.examples():
        done = subject(data)
        require(
            done.n_samples == data.n_samples and same_labels(done, data),
            f"{subject.name} must leave samples and labels as they are, in their order.",
        )
        require(done.view_names == data.view_names, f"{subject.name} must leave the views and their names.")
        same_or_all = np.array_equal(done.mask, data.mask) or done.is_complete
        require(same_or_all, f"{subject.name} must leave the mask as it is, or complete the data.")


@SUITE.check()
def input_unchanged(subject: Preparation) -> None:
    """The data given are not changed."""
    for data in subject.examples():
        require_unchanged(subject.name, data, subject)


@SUITE.check()
def deterministic(subject: Preparation) -> None:
    """The same data give the same numbers."""
    for data in subject.examples():
        same = subject(data).fingerprint == subject(data).fingerprint
        require(same, f"{subject.name} gives other numbers each time; a transform must not draw.")


@SUITE.check()
def sparse_equals_dense(subject: Preparation) -> None:
    """Sparse views come out with the same numbers as dense ones."""
    for data in subject.examples():
        thin = data.with_views(replace(view, matrix=sparse.csr_array(view.matrix)) for view in data.views)
        _require_close(subject(data), subject(thin), f"{subject.name} gives other numbers for sparse views.")


@SUITE.check()
def labels_never_seen(subject: Preparation) -> None:
    """The classes of the samples change nothing."""
    for data in subject.examples():
        sentence = f"{subject.name} looks at the labels; a transform sees none."
        _require_close(subject(data), subject(data.without_labels()), sentence)


@SUITE.check()
def permutation(subject: Preparation) -> None:
    """Another order of the samples gives the same numbers in that order."""
    for data in subject.examples():
        order = np.random.default_rng(3).permutation(data.n_samples)
        sentence = f"{subject.name} depends on the order of the samples."
        _require_close(subject(data).take(order), subject(data.take(order)), sentence)


@SUITE.check()
def missing_rows_blank(subject: Preparation) -> None:
    """Missing rows are zero afterwards, whatever the transform makes of a zero."""
    for data in subject.examples():
        done = subject(data)
        for view, observed in zip(done.views, done.mask.T, strict=True):
            blank = abs(_dense(view.matrix)[~observed]).sum() == 0
            require(blank, f"{subject.name} leaves numbers in rows that are missing; use data.with_views(...).")


@SUITE.check()
def twice_keeps_the_shape(subject: Preparation) -> None:
    """Applied again it either refuses with Incompatible, or leaves the shapes of the views."""
    for data in subject.examples():
        once = subject(data)
        try:
            twice = subject(once)
        except Incompatible:
            continue
        shapes = [[view.matrix.shape for view in item.views] for item in (once, twice)]
        require(shapes[0] == shapes[1], f"{subject.name} changes the shape of views that it has made.")


def _require_close(a: MultiViewData, b: MultiViewData, sentence: str) -> None:
    for item, other in zip(a.views, b.views, strict=True):
        first, second = _dense(item.matrix), _dense(other.matrix)
        alike = first.shape == second.shape and np.allclose(first, second, rtol=1e-9, atol=1e-9 * abs(first).max())
        require(alike and item.kind == other.kind, sentence)


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)
