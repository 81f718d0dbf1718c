"""Missing samples of each view: a mask of samples x views, or one list of sample numbers per view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.errors import InvalidData
from mvarena.naming import is_mask_name, is_missing_name, is_sure_mask_name, plain
from mvarena.readers.values import CellArray, are_whole, described
from mvarena.view_checks import all_nan_rows

_SAYS_OBSERVED = ("observed", "obs", "available", "exist")


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """A mask (n, V), True where observed, False in rows of NaN; the variable it came from and how it was read."""

    observed: NDArray[np.bool_]
    variable: str
    sentence: str


def blank_rows(matrix: Any) -> NDArray[np.bool_]:
    """(n,) True for rows that are NaN throughout or zero throughout."""
    if sparse.issparse(matrix):
        return np.diff(sparse.csr_array(matrix).indptr) == 0
    return np.asarray(
        ((matrix == 0) | np.isnan(matrix)).all(axis=1) if matrix.dtype.kind == "f" else ~matrix.any(axis=1)
    )


def find_mask(variables: dict[str, Any], matrices: Sequence[Any]) -> Mask | None:
    """The mask of these views (each n x d) among the variables that are named like one."""
    n, count = matrices[0].shape[0], len(matrices)
    for name in filter(is_mask_name, variables):
        marked = _marked(variables[name], n, count)
        if marked is not None:
            return _decided(name, marked, matrices)
    for name, lists in index_lists(variables, count):
        first = 0 if any(len(set(entries)) == len(entries) and 0 in entries for entries in lists) else 1
        if all(first <= entries.min(initial=1) <= entries.max(initial=1) < n + first for entries in lists):
            marked = np.zeros((n, count), dtype=bool)
            for i, entries in enumerate(lists):
                marked[entries - first, i] = True
            result = _decided(name, marked, matrices, sure=is_missing_name(name) or plain(name) in _SAYS_OBSERVED)
            if result is not None:
                return result
    return None


def refuse_unusable(where: str, variables: dict[str, Any], n: int, count: int) -> None:
    """Raise InvalidData for a variable that is called a mask, has a part for each sample or view, and is none."""
    for name, value in variables.items():
        items = len(value.items) if isinstance(value, CellArray) else 0
        called = is_sure_mask_name(name) or plain(name).startswith(("observed", "miss"))
        if called and (items == count or n in getattr(value, "shape", ())):
            raise InvalidData(
                f"{where}: {described(name, value)} is no mask of these views; save it as 0 and 1, {n} x {count}, "
                "samples x views."
            )


def _marked(value: Any, n: int, count: int) -> NDArray[np.bool_] | None:
    """A matrix of 0 and 1 as (n, V) bool; None if it is something else."""
    table = value.toarray() if sparse.issparse(value) and value.shape in ((n, count), (count, n)) else value
    if not isinstance(table, np.ndarray) or table.dtype.kind not in "biuf" or not np.isin(table, (0, 1)).all():
        return None
    if table.shape == (n, count):
        return table.astype(bool)
    return table.T.astype(bool) if table.shape == (count, n) else None


def _decided(name: str, marked: NDArray[np.bool_], matrices: Sequence[Any], *, sure: bool = True) -> Mask | None:
    """The mask with the meaning that the blank rows of the views confirm, or else the one its name has.

    None if neither says what the marks mean (`sure` is False: the name does not).
    """
    blank = np.column_stack([blank_rows(matrix) for matrix in matrices])
    known = ~np.column_stack([all_nan_rows(matrix) for matrix in matrices])
    if blank.any():
        if not (marked & ~blank).any() and (marked & blank).any():
            return Mask(known & ~marked, name, f"{name} marks the samples that a view misses (their rows are blank)")
        if not (~marked & ~blank).any():
            said = f"{name} marks the samples that a view observes (all other rows are blank)"
            return Mask(known & marked, name, said)
    if not sure:
        return None
    if is_missing_name(name):
        return Mask(known & ~marked, name, f"{name} marks the samples that a view misses, as its name says")
    return Mask(known & marked, name, f"{name} is the mask, 1 where a view observes a sample")


def index_lists(variables: dict[str, Any], count: int) -> list[tuple[str, list[NDArray[np.int64]]]]:
    """CellArray arrays of `count` lists of whole numbers; structs with a single field count as the field."""
    result = []
    for name, value in variables.items():
        if not isinstance(value, CellArray) or len(value.items) != count:
            continue
        items: tuple[Any, ...] = value.items
        if all(isinstance(item, dict) and len(item) == 1 for item in items):
            items = tuple(next(iter(item.values())) for item in items)
        lists = [_whole_numbers(item) for item in items]
        if all(entries is not None for entries in lists):
            result.append((name, [entries for entries in lists if entries is not None]))
    return result


def _whole_numbers(value: Any) -> NDArray[np.int64] | None:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf" or value.ndim != 2 or min(value.shape) > 1:
        return None
    return value.ravel().astype(np.int64) if are_whole(value) else None
