"""Classes and ids of samples: made of any values that users give, and validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvarena.errors import InvalidData

UNLABELLED = -1
EMPTY_MARKS = frozenset(
    (
        *("", "na", "nan", "n/a", "#n/a", "#na", "<na>", "null", "none", "?", ".", "-", "not available"),
        *("[not available]", "[not applicable]", "[unknown]", "[not evaluated]", "[discrepancy]"),
    )
)
"""Texts of a cell without a value, in lower case: of spreadsheets, R, pandas, SQL and clinical tables."""


def clean_labels(
    name: str, labels: ArrayLike | None, classes: tuple[str, ...] | None, n: int
) -> tuple[NDArray[np.int64] | None, tuple[str, ...] | None]:
    """Class of each sample (n,) from 0, -1 where unlabelled, and the names of the classes; None, None without any.

    Parameters
    ----------
    name : of the data, for messages.
    labels : any hashable values; with `classes` given, whole numbers from -1 to their number less one.

    Raises InvalidData. Cost O(n log n).
    """
    if labels is None:
        return None, None
    array = np.asarray(labels)
    if array.shape != (n,):
        raise InvalidData(f"{name}: the labels have shape {array.shape}; give one per sample, ({n},).")
    if classes is not None:
        if array.dtype.kind not in "iu" or array.min() < UNLABELLED or array.max() >= len(classes):
            raise InvalidData(
                f"{name}: with classes given, labels are integers from -1 (unlabelled) to {len(classes) - 1}."
            )
        return _frozen(array.astype(np.int64)), tuple(classes)
    unlabelled = _unlabelled(array)
    if unlabelled.all():
        return None, None
    codes = np.full(n, UNLABELLED, dtype=np.int64)
    try:
        values, codes[~unlabelled] = np.unique(array[~unlabelled], return_inverse=True)
    except TypeError as error:
        raise InvalidData(f"{name}: the labels mix types that cannot be compared: {error}.") from error
    return _frozen(codes), tuple(str(value) for value in values)


def clean_ids(name: str, ids: Iterable[object] | None, n: int) -> tuple[str, ...] | None:
    """Ids of n samples as texts; None without any. Raises InvalidData for another number of them and for equal ones."""
    if ids is None:
        return None
    texts = tuple(map(str, ids))
    if len(texts) != n:
        raise InvalidData(f"{name}: there are {len(texts)} sample ids and {n} samples; give one per sample.")
    if len(set(texts)) < n:
        twice, times = Counter(texts).most_common(1)[0]
        raise InvalidData(f"{name}: the sample id '{twice}' occurs {times} times; give each sample an id of its own.")
    return texts


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _unlabelled(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array) | (array == UNLABELLED))
    if array.dtype.kind in "iu":
        return np.asarray(array == UNLABELLED)
    if array.dtype.kind == "O":
        return np.array([value is None or value != value for value in array])
    return np.zeros(array.shape, dtype=bool)
