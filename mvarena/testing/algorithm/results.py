"""Checks of the result: right shape, labels from 0, for any kind and number of views; honest convergence and memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import parameters_of
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.numerics import kernels
from mvarena.registry.plugins import is_control
from mvarena.testing.algorithm.inputs import traced_peak
from mvarena.testing.algorithm.subject import KINDS, SUITE, Contestant
from mvarena.testing.comparisons import require_alike
from mvarena.testing.examples import blobs
from mvarena.testing.suites import refused, require


@SUITE.check()
def represents_every_sample(subject: Contestant) -> None:
    """One finite row for each sample, for every kind of view and number of views that the capabilities name."""
    for kind in subject.kinds:
        data = subject.data(kind=kind)
        _require_shape(subject, data, subject.capped(10).represent(data))
    for n_views in (1, 5):
        if subject.takes.min_views <= n_views <= (subject.takes.max_views or n_views):
            data = subject.data(n_views=n_views)
            _require_shape(subject, data, subject.capped(10).represent(data))


@SUITE.check()
def labels_from_zero(subject: Contestant) -> None:
    """`fit_predict` gives one whole number from 0 to k - 1 for each sample."""
    data = subject.data()
    labels = subject.capped(10).fit_predict(data)
    require(
        isinstance(labels, np.ndarray) and labels.shape == (data.n_samples,) and labels.dtype.kind in "iu",
        f"{subject.name}: labels must be one integer for each of {data.n_samples} samples, as an array.",
    )
    present = set(labels.tolist())
    require(
        present <= set(range(max(present) + 1)) and min(present) >= 0,
        f"{subject.name}: labels must be cluster indices from 0, not {sorted(present)}.",
    )
    if subject.capped(10).represent(data).labels is None:
        require(max(present) < 3, f"{subject.name}: 3 clusters were asked for and labels go to {max(present)}.")


@SUITE.check(applies=lambda spec: not is_control(spec))
def more_than_one_cluster(subject: Contestant) -> None:
    """Three groups far apart do not end in one cluster."""
    data = subject.data(missing=0.0)
    n_clusters = len(np.unique(subject.made().fit_predict(data)))
    require(
        n_clusters > 1,
        f"{subject.name} collapses: it puts all {data.n_samples} samples in 1 cluster, where 3 groups far apart are "
        "planted and 3 clusters are asked for; check its defaults, and the scale of the values that it expects.",
    )


def _require_shape(subject: Contestant, data: MultiViewData, found: Representation) -> None:
    name, n = subject.name, data.n_samples
    require(isinstance(found, Representation), f"{name}: `represent` must return a Representation, not {found!r}.")
    if found.labels is not None:
        labels = np.asarray(found.labels)
        good = labels.shape == (n,) and labels.dtype.kind in "iu"
        require(good, f"{name}: labels must be {n} integers, not {labels.dtype} of shape {labels.shape}.")
        return
    matrix: Any = found.embedding if found.embedding is not None else found.affinity
    rows = matrix.shape[0] if matrix.ndim == 2 else None
    require(rows == n, f"{name}: a representation has a row for each of {n} samples; its shape is {matrix.shape}.")
    values = np.asarray(matrix.data if sparse.issparse(matrix) else matrix)
    require(np.isfinite(values).all(), f"{name}: the representation of {data!r} holds NaN or infinity.")
    if found.affinity is not None:
        symmetric = matrix.shape == (n, n) and abs(matrix - matrix.T).max() <= 1e-8 * max(1.0, abs(matrix).max())
        require(symmetric, f"{name}: an affinity must be symmetric, {n} x {n}.")
        require(values.size == 0 or values.min() >= 0, f"{name}: an affinity must not be negative.")


# That what it says of itself is true: how it ended, and how much memory it takes.

_COLUMNS = 400  # blocks of rows, Krylov bases, n x k arrays, copies of the views: n columns of these
_BLOCK = 20_000
_SLACK = 1.3
_MOST_OF_TEN_TIMES = 15
_LINEAR = 1.5  # what three times the samples may take beyond three times the memory; n x n would be 3


@SUITE.check()
def convergence_honest(subject: Contestant) -> None:
    """It says how it ended, and claims no convergence that more iterations disprove."""
    data = subject.data()
    full = subject.made().represent(data)
    _require_account(subject, full)
    if "max_iter" not in parameters_of(subject.kind):
        return
    first = subject.made(max_iter=1).represent(data)
    _require_account(subject, first)
    require(first.n_iter <= 1, f"{subject.name} counts {first.n_iter} iterations where max_iter is 1.")
    if first.converged:
        require_alike(first, full, f"{subject.name} says it converged in one iteration, and goes on where it may.")


@SUITE.check()
def memory_declared(subject: Contestant) -> None:
    """Its arrays take no more than `memory_needed` says; where that is 0, they grow in proportion to the samples."""
    with _small_blocks():
        _require_memory(subject)


@SUITE.check(applies=lambda spec: spec.linear_memory)
def linear_memory_declared(subject: Contestant) -> None:
    """Ten times the samples need at most about ten times the memory, as `linear_memory` says."""
    require(
        "features" in subject.kinds and grows_linearly(subject.made()),
        f"{subject.name} says linear_memory=True, and `memory_needed` of features does not grow in proportion to the "
        "samples; correct one of them.",
    )


def grows_linearly(model: MultiViewClusterer) -> bool:
    """True if ten times as many samples need at most about ten times the memory: an n x n matrix would make it 100."""
    few, many = (model.memory_needed(_two_views(n)) for n in (1_000, 10_000))
    return many <= _MOST_OF_TEN_TIMES * few


def _two_views(n: int) -> MultiViewData:
    return MultiViewData.from_arrays([np.ones((n, 2)), np.ones((n, 3))], n_clusters=2)


def _require_memory(subject: Contestant) -> None:
    model = subject.capped(2)
    small, large = (subject.data(n, n_views=4) for n in (100, 300))
    first, peak = traced_peak(model, small), traced_peak(model, large)  # the first also imports what is imported late
    needed = model.memory_needed(large)
    if needed:
        allowed = _SLACK * needed + 8 * large.n_samples * _COLUMNS
    else:
        large = subject.data(900, n_views=4)
        first, peak = peak, traced_peak(model, large)
        allowed = _LINEAR * 3 * first
    require(
        peak <= allowed,
        f"{subject.name} takes {peak / 2**20:.1f} MiB for {large.n_samples} samples and {first / 2**20:.1f} MiB for a "
        f"third of them, and declares {needed / 2**20:.1f} MiB; correct `memory_needed`, or use less memory.",
    )


def _require_account(subject: Contestant, found: Representation) -> None:
    name = subject.name
    require(
        isinstance(found.stopped_because, str) and found.stopped_because.strip(),
        f"{name}: `stopped_because` must be a sentence.",
    )
    require(isinstance(found.converged, (bool, np.bool_)), f"{name}: `converged` must be True or False.")
    objective = np.asarray(found.objective)
    require(np.isfinite(objective).all(), f"{name}: the objective holds NaN or infinity.")
    require(
        len(objective) in (0, found.n_iter, found.n_iter + 1),
        f"{name}: {len(objective)} values of the objective do not fit {found.n_iter} iterations; give one after each, "
        "and optionally one before the first.",
    )


@contextmanager
def _small_blocks() -> Iterator[None]:
    """Blocks of rows hold little meanwhile, so that they cannot be taken for whole matrices."""
    before = kernels._BLOCK_ENTRIES
    kernels._BLOCK_ENTRIES = _BLOCK
    try:
        yield
    finally:
        kernels._BLOCK_ENTRIES = before


# Unsupported data raise Incompatible, in one sentence that names the algorithm.


@SUITE.check()
def unsupported_data_refused(subject: Contestant) -> None:
    """Data that the capabilities rule out are refused, and so are more clusters than samples, or none."""
    takes = subject.takes
    data, full = subject.data(), subject.data(missing=0.0)
    for kind in KINDS:
        if kind not in takes.kinds:
            _require_refusal(subject, subject.data(kind=kind, missing=0.0), f"{kind} views")
    if not takes.negative:
        shifted = [replace(view, matrix=view.matrix - 1.0 - view.matrix.max()) for view in full.views]
        _require_refusal(subject, full.with_views(shifted), "negative values")
    if not takes.missing and takes.max_views != 1:
        mask = np.ones_like(full.mask)
        mask[0, 0] = False
        _require_refusal(subject, full.with_mask(mask), "samples that miss a view")
    if takes.min_views > 1:
        fewer = takes.min_views - 1
        _require_refusal(subject, subject.data(n_views=fewer, missing=0.0), f"{fewer} views")
    if takes.max_views is not None:
        more = takes.max_views + 1
        wide = blobs(45, dims=(4,) * more, kind=subject.kinds[0], nonnegative=not takes.negative)
        _require_refusal(subject, wide, f"{more} views")
    if takes.complete_samples:
        seen_once = np.arange(full.n_samples)[:, None] % full.n_views == np.arange(full.n_views)
        _require_refusal(subject, full.with_mask(seen_once), "data without a complete sample")
    _require_refusal(subject, data, "more clusters than samples", n_clusters=data.n_samples + 1)
    _require_refusal(subject, replace(data.without_labels(), n_clusters=None), "data without a number of clusters")


def _require_refusal(subject: Contestant, data: MultiViewData, what: str, **params: Any) -> None:
    with refused(Incompatible, f"{subject.name} must refuse {what} with Incompatible, as its capabilities say") as text:
        subject.made(**params).represent(data)
    sentence = str(text[0])
    require(
        "\n" not in sentence and sentence.endswith(".") and subject.name in sentence,
        f"{subject.name}: a refusal is one sentence that names the algorithm, not '{sentence}'.",
    )
