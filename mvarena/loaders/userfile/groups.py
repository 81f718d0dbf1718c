"""Which variables of a file are its views: a cell array, a stack, numbered matrices, or all matrices there are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.loaders.matfile import CellArray
from mvarena.loaders.userfile.names import is_label_name, is_mask_name, numbered, view_rank


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Matrices that may be the views.

    variables : the names of the variables they come from; names : what the views are called.
    kept_as : in words, how the file keeps them.
    loose : True if the matrices have nothing in common but the file: those that do not fit are left out.
    """

    variables: tuple[str, ...]
    names: tuple[str, ...]
    matrices: tuple[Any, ...]
    kept_as: str
    loose: bool = False


def is_matrix(value: Any) -> bool:
    """True for a two-dimensional matrix of numbers that is not a vector."""
    return _is_table(value) and min(value.shape) > 1


def _is_table(value: Any) -> bool:
    if sparse.issparse(value):
        return min(value.shape) >= 1
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
        return False
    return value.ndim == 2 and min(value.shape) >= 1


def find_groups(variables: dict[str, Any]) -> list[Group]:
    """Everything that may be the views, the likeliest first."""
    others = {name: value for name, value in variables.items() if not is_label_name(name)}
    found = [group for name, value in others.items() for group in _of_one(name, value)]
    found += _numbered_groups(others)
    found.sort(key=lambda group: view_rank((numbered(group.variables[0]) or group.variables)[0]))
    return found + _loose_group(others)


def _of_one(name: str, value: Any) -> list[Group]:
    if isinstance(value, CellArray):
        while len(value.items) == 1 and isinstance(value.items[0], CellArray):
            value = value.items[0]
        if value.items and all(map(_is_table, value.items)) and any(map(is_matrix, value.items)):
            return [Group((name,), _names(len(value.items)), value.items, f"the cell array {name}")]
    if isinstance(value, np.ndarray) and value.ndim == 3 and value.dtype.kind in "biuf" and min(value.shape) >= 1:
        first = value.shape[0] != value.shape[1] and value.shape[1] == value.shape[2]
        slices = tuple(value) if first else tuple(np.moveaxis(value, 2, 0))
        return [Group((name,), _names(len(slices)), slices, f"the slices of the three-dimensional array {name}")]
    return []


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"view{i}" for i in range(1, count + 1))


def _numbered_groups(variables: dict[str, Any]) -> list[Group]:
    families: dict[str, dict[int, str]] = defaultdict(dict)
    for name, value in variables.items():
        part = numbered(name)
        if part and _is_table(value):
            families[part[0]].setdefault(part[1], name)
    groups = []
    for stem, members in families.items():
        names = tuple(members[number] for number in sorted(members))
        if len(names) > 1 and any(is_matrix(variables[name]) for name in names):
            matrices = tuple(variables[name] for name in names)
            groups.append(Group(names, names, matrices, f"the numbered matrices {stem}..."))
    return groups


def _loose_group(variables: dict[str, Any]) -> list[Group]:
    names = tuple(name for name, value in variables.items() if is_matrix(value) and not is_mask_name(name))
    if not names:
        return []
    kept_as = f"the matrix {names[0]}" if len(names) == 1 else f"the matrices {', '.join(names)}"
    return [Group(names, names, tuple(variables[name] for name in names), kept_as, loose=True)]
