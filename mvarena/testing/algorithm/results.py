"""What comes out: a representation of the right shape, labels from 0, for any kind and number of views it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena.testing.algorithm.subject import SUITE, Contestant
from mvarena.testing.checks import require


@SUITE.check()
def represents_every_sample(subject: Contestant) -> None:
    """One finite row for each sample, for every kind of view that the capabilities name."""
    for kind in subject.kinds:
        data = subject.data(kind=kind)
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


@SUITE.check(applies=lambda spec: spec.capabilities.min_views <= 1)
def one_view(subject: Contestant) -> None:
    """A single view is enough, as min_views says."""
    data = subject.data(n_views=1)
    _require_shape(subject, data, subject.capped(10).represent(data))


@SUITE.check(applies=lambda spec: spec.capabilities.max_views is None or spec.capabilities.max_views >= 5)
def five_views(subject: Contestant) -> None:
    """Five views are no trouble, as max_views says."""
    data = subject.data(n_views=5)
    _require_shape(subject, data, subject.capped(10).represent(data))


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
