"""Comparison of results: up to names of clusters, up to rotation and sign of an embedding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena.testing.suites import require

ROUNDING = 1e-6
_TIMES_NOISE = 10.0


def same_partition(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """True if two labellings put the same samples together."""
    return len(set(zip(a.tolist(), b.tolist(), strict=True))) == len(set(a.tolist())) == len(set(b.tolist()))


def same_labels(a: MultiViewData, b: MultiViewData) -> bool:
    """True if two data sets have the same classes, or none both."""
    if a.labels is None or b.labels is None:
        return a.labels is b.labels
    return np.array_equal(a.labels, b.labels)


def require_unchanged(name: str, given: MultiViewData, use: Callable[[MultiViewData], object]) -> None:
    """Raise AssertionError where `use` changes the data, or the arrays that they were made of.

    given : data to compare with; `use` gets copies.
    """
    sentence = f"{name} changes the data that it is given; copy what you change."
    views = tuple(replace(view, matrix=view.matrix.copy()) for view in given.views)
    data = MultiViewData(given.name, views, given.mask.copy(), given.labels)
    try:
        use(data)
    except ValueError as error:
        require("read-only" not in str(error), f"{sentence} ({error})")
        raise
    for seen in (views, data.views):
        after = MultiViewData(given.name, seen, data.mask, data.labels)
        require(after.fingerprint == given.fingerprint, sentence)


def similarities(found: Representation) -> NDArray[np.float64]:
    """(n, n) similarity of samples by a representation: E E^T, the affinity, or shared clusters.

    Eigenvectors come with any sign, and in any rotation where eigenvalues coincide: E E^T knows neither.
    """
    if found.labels is not None:
        return np.equal.outer(found.labels, found.labels).astype(np.float64)
    matrix: Any = found.embedding if found.embedding is not None else found.affinity
    dense = np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix, dtype=np.float64)
    return dense if found.affinity is not None else dense @ dense.T


def require_alike(
    found: Representation,
    other: Representation,
    sentence: str,
    *,
    order: NDArray[np.int64] | None = None,
    tolerance: float = ROUNDING,
    noise: Callable[[], float] = lambda: 0.0,
) -> None:
    """Raise AssertionError with that sentence unless two representations agree to `tolerance` of the largest entry.

    order : row i of `other` stands for the sample of row order[i] of `found`.
    noise : how much rounding alone changes the representation; asked only where they do not agree otherwise.
    """
    gap = difference(found, other, order)
    if gap > tolerance and gap > _TIMES_NOISE * noise():
        raise AssertionError(f"{sentence} (Similarities differ by {gap:.1e} of the largest.)")


def difference(found: Representation, other: Representation, order: NDArray[np.int64] | None = None) -> float:
    """The largest difference between the similarities of two representations, in shares of the largest one."""
    a, b = similarities(found), similarities(other)
    if order is not None:
        a = a[np.ix_(order, order)]
    if a.shape != b.shape:
        return np.inf
    return float(np.abs(a - b).max()) / max(float(np.abs(a).max()), np.finfo(float).tiny)


def global_state() -> Any:
    """State of NumPy's global generator, which no component may change."""
    state: Any = np.random.get_state(legacy=False)  # noqa: NPY002  # what must not change
    return state["state"]["key"].tobytes(), state["state"]["pos"]
