"""Checks of the input: not changed, independent of its form, and hidden values never read."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.algorithm import Representation
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.data import MultiViewData, View
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import is_control
from mvarena.testing.algorithm.subject import SUITE, Contestant
from mvarena.testing.comparisons import require_alike, require_unchanged, same_partition
from mvarena.testing.examples import word_counts
from mvarena.testing.peeking import peeking
from mvarena.testing.suites import require

_KNOWN = "synthetic-apmc"
_STEPS = 10  # iterations: enough for what is read or changed to show
_SPARSE: tuple[Any, ...] = (
    sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix
)  # fmt: skip


def _sees_no_classes(spec: AlgorithmSpec) -> bool:
    """True for all but the controls that read classes. To say so in a spec of one's own is not enough."""
    return not (spec.reads_labels and is_control(spec))


def _does_not_draw_labels(spec: AlgorithmSpec) -> bool:
    """True for all but the controls that draw a label for each row, in whatever order the rows are."""
    return spec.capabilities.deterministic or not is_control(spec)


@SUITE.check()
def input_unchanged(subject: Contestant) -> None:
    """Neither the arrays that the caller gave nor their mask change."""
    for is_sparse in (False, True):
        require_unchanged(subject.name, subject.data(sparse=is_sparse), subject.capped(_STEPS).represent)


@SUITE.check()
def sparse_equals_dense(subject: Contestant) -> None:
    """Sparse views lead to the same representation and the same clusters as the same numbers in dense ones."""
    for kind in subject.kinds:
        data = subject.data(kind=kind)
        views = [replace(view, matrix=sparse.csr_array(view.matrix)) for view in data.views]
        dense, thin = (subject.capped(_STEPS).fit(item) for item in (data, data.with_views(views)))
        sentence = f"{subject.name} gives another result for sparse {kind} views than for dense ones."
        require_alike(dense.representation_, thin.representation_, sentence, noise=subject.noise(_STEPS, data))
        require(same_partition(dense.labels_, thin.labels_), sentence)


@SUITE.check(applies=lambda spec: spec.capabilities.sparse and "features" in spec.capabilities.kinds)
def sparse_stays_sparse(subject: Contestant) -> None:
    """No sparse view is made dense as a whole, as `sparse` says."""
    data = word_counts(60, 600, n_views=min(max(2, subject.takes.min_views), subject.takes.max_views or 2))
    with _largest_dense() as largest:
        subject.capped(2).represent(data)
    require(
        largest[0] < data.n_samples * data.views[0].n_features,
        f"{subject.name} says sparse=True but makes a sparse view dense; keep it sparse, or set sparse=False.",
    )


@SUITE.check(
    applies=lambda spec: spec.capabilities.missing and spec.capabilities.max_views != 1 and _sees_no_classes(spec)
)
def missing_rows_never_read(subject: Contestant) -> None:
    """Values in rows that the mask calls missing change nothing."""
    data = subject.data().without_labels()
    clean = subject.capped(_STEPS).represent(data)
    sentence = f"{subject.name} reads values of samples that the mask says are missing."
    arrays = [_with_garbage(view, ~observed) for view, observed in zip(data.views, data.mask.T, strict=True)]
    views = tuple(replace(view, matrix=array) for view, array in zip(data.views, arrays, strict=True))
    masked = MultiViewData(data.name, views, data.mask, n_clusters=data.n_clusters)
    require_alike(clean, subject.capped(_STEPS).represent(masked), sentence)
    if "features" in subject.kinds:
        fitted = subject.capped(_STEPS, n_clusters=data.n_clusters, **_view_by_name(subject)).fit(
            arrays, mask=data.mask
        )
        require_alike(clean, fitted.representation_, sentence)


@SUITE.check(applies=_sees_no_classes)
def labels_never_seen(subject: Contestant) -> None:
    """The classes of the samples change nothing."""
    data = subject.data()
    assert data.labels is not None
    wrong = replace(data, labels=np.roll(data.labels, 1))
    values = [subject.capped(_STEPS).represent(item) for item in (data, wrong)]
    require_alike(values[0], values[1], f"{subject.name} looks at the labels; an algorithm sees none.")


@SUITE.check(applies=lambda spec: not is_control(spec))
def classes_never_read(subject: Contestant) -> None:
    """Labels follow no classes that the process or the data set's files hold."""
    model = subject.capped(_STEPS)
    sentence = peeking(lambda data: np.asarray(model.fit_predict(data.without_labels())), _known_data(subject))
    require(not sentence, f"{subject.name} reads classes: {sentence}.")


def _known_data(subject: Contestant) -> MultiViewData:
    """Data that can be loaded by their name where the algorithm takes them, else the usual ones."""
    catalog = installed_catalog()
    data = catalog.data_source(catalog.dataset(_KNOWN)).load(0)
    known = data.with_views([replace(view, name=f"v{i}") for i, view in enumerate(data.views)])
    takes_it = subject.takes.refusal(subject.name, known, known.n_clusters) is None
    return known if takes_it else subject.data(missing=0.0)


@SUITE.check(applies=_does_not_draw_labels)
def permutation(subject: Contestant) -> None:
    """Another order of the samples gives the same clusters, and the same representation where nothing is drawn."""
    data = subject.data()
    order = np.random.default_rng(3).permutation(data.n_samples)
    first, second = (subject.capped(_STEPS, n_init=10).fit(item) for item in (data, data.take(order)))
    sentence = f"{subject.name} depends on the order of the samples; `canonical = True` sorts them by their values."
    require(same_partition(first.labels_[order], second.labels_), sentence)
    if subject.takes.deterministic or subject.kind.canonical:
        noise = subject.noise(_STEPS, data)
        require_alike(first.representation_, second.representation_, sentence, order=order, noise=noise)


@SUITE.check()
def details_by_sample(subject: Contestant) -> None:
    """Details with an entry per sample are named in `by_sample`, and come in the order of the samples."""
    data = subject.data()
    order = np.random.default_rng(3).permutation(data.n_samples)
    first, second = (subject.capped(_STEPS).represent(item) for item in (data, data.take(order)))
    for name, value in first.details.items():
        unnamed = data.n_samples in np.shape(value) and name not in first.by_sample
        require(not unnamed, f"{subject.name}: details['{name}'] has an entry per sample; name its axes in by_sample.")
    if subject.takes.deterministic or subject.kind.canonical:
        for name in first.by_sample:
            sentence = f"{subject.name}: details['{name}'] does not come in the order of the samples."
            noise = subject.noise(_STEPS, data)
            require_alike(_part(first, name), _part(second, name), sentence, order=order, noise=noise)


def _part(found: Representation, name: str) -> Representation:
    """A detail with entries per sample as a representation of its own."""
    value, axes = found.details[name], found.by_sample[name]
    if len(axes) == 2:
        return Representation(affinity=value)
    rows = np.moveaxis(np.asarray(value, dtype=np.float64), axes[0], 0)
    return Representation(embedding=rows.reshape(len(rows), -1))


def traced_peak(model: Any, data: MultiViewData) -> int:
    """Bytes at the peak of `represent`, beyond those allocated before."""
    tracemalloc.start()
    try:
        model.represent(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@contextmanager
def _largest_dense() -> Iterator[list[int]]:
    """The size of the largest array into which a sparse matrix is turned meanwhile."""
    largest = [0]
    originals = [(kind, kind.toarray) for kind in _SPARSE]

    def watched(original: Any) -> Any:
        def toarray(self: Any, *args: Any, **kwargs: Any) -> Any:
            largest[0] = max(largest[0], math.prod(self.shape))
            return original(self, *args, **kwargs)

        return toarray

    try:
        for kind, original in originals:
            kind.toarray = watched(original)
        yield largest
    finally:
        for kind, original in originals:
            kind.toarray = original


def _view_by_name(subject: Contestant) -> dict[str, Any]:
    """For a view that the user must name: a list of arrays calls its views otherwise than the examples do."""
    return {"view": "view0"} if subject.made().get_params().get("view") == "v0" else {}


def _with_garbage(view: View, missing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The view with large numbers in its missing rows; in the columns, too, of a kernel or of distances."""
    garbage = 1e3 * np.random.default_rng(0).random(view.matrix.shape)
    if view.kind == "features":
        return np.where(missing[:, None], garbage, view.matrix)
    return np.where(np.logical_or.outer(missing, missing), garbage + garbage.T, view.matrix)
