"""Variables of a file that may be its views: a cell array, a stack, numbered matrices, or all matrices there are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.naming import (
    VIEW_NAMES,
    is_id_name,
    is_label_name,
    is_mask_name,
    is_sure_mask_name,
    numbered,
    plain,
    view_rank,
)
from mvarena.readers.stacks import flattened, unstacked
from mvarena.readers.values import inner_cell


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Matrices that may be the views.

    variables : the names of the variables they come from; names : what the views are called.
    kept_as : in words, how the file keeps them.
    loose : True if the matrices have nothing in common but the file: those that do not fit are left out.
    by_chance : True if they are numbered below a name that is none of views, as CD4 and CD8.
    samples_first : True if the samples are known to be rows.
    """

    variables: tuple[str, ...]
    names: tuple[str, ...]
    matrices: tuple[Any, ...]
    kept_as: str
    loose: bool = False
    by_chance: bool = False
    samples_first: bool = False

    def in_two_dimensions(self, n: int | None, *, views_last: bool) -> Group:
        """Group with stacks sliced and images flattened. n : number of samples, where labels give it."""
        if is_flat(self):
            return self
        if len(self.matrices) == 1:
            (name,) = self.names
            matrices, kept_as, known = unstacked(name, self.matrices[0], n, views_last=views_last)
            names = self.names if len(matrices) == 1 else view_names(len(matrices))
            return replace(self, names=names, matrices=matrices, kept_as=kept_as, samples_first=known)
        shared = set.intersection(*(set(matrix.shape) for matrix in self.matrices))
        n = min(shared, default=None) if n is None and len(shared) == 1 else n
        if n is None:
            return self
        flat = [flattened(m, n) if m.ndim > 2 and n in m.shape else m for m in self.matrices]
        images = [name for name, m in zip(self.names, self.matrices, strict=True) if m.ndim > 2]
        kept_as = f"{self.kept_as}; the arrays of each sample in {', '.join(images)} are flattened"
        return replace(self, matrices=tuple(flat), kept_as=kept_as)

    def only(self, kept: list[int]) -> Group:
        """The loose group of these of its matrices."""
        names = tuple(self.names[i] for i in kept)
        return replace(self, variables=names, names=names, matrices=tuple(self.matrices[i] for i in kept),
                       kept_as=_matrices(names))  # fmt: skip


def view_names(count: int) -> tuple[str, ...]:
    return tuple(f"view{i}" for i in range(1, count + 1))


def is_flat(group: Group) -> bool:
    """True if all its matrices have two dimensions."""
    return all(matrix.ndim == 2 for matrix in group.matrices)


def is_matrix(value: Any) -> bool:
    """True for numbers with at least two dimensions that are longer than one."""
    return is_table(value) and sum(size > 1 for size in value.shape) > 1


def is_table(value: Any) -> bool:
    """True for numbers of two or more dimensions that are not empty."""
    if sparse.issparse(value):
        return min(value.shape) >= 1
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.ndim >= 2 and min(value.shape) >= 1


def find_groups(variables: dict[str, Any]) -> list[Group]:
    """Everything that may be the views, the likeliest first."""
    variables = {name: value for name, value in variables.items() if not is_sure_mask_name(name)}
    others = {name: value for name, value in variables.items() if not is_label_name(name)}
    values = [group for name, value in others.items() for group in _of_one(name, value)]
    values += _numbered_groups(others)
    values.sort(key=lambda group: view_rank((numbered(group.variables[0]) or group.variables)[0]))
    return values + _loose_group({name: v for name, v in variables.items() if name in others or _has_decimals(v)})


def single_table(item: Any) -> Any:
    """The item if it is a table, or the only one in a struct; else None."""
    inner = [value for value in item.values() if is_table(value)] if isinstance(item, dict) else [item]
    return inner[0] if len(inner) == 1 and is_table(inner[0]) else None


def _of_one(name: str, value: Any) -> list[Group]:
    tables = {f"view{at}": single_table(item) for at, item in enumerate(inner_cell(value), start=1)}
    tables = {view: table for view, table in tables.items() if table is not None}
    if tables and (any(map(is_matrix, tables.values())) or _is_view_name(name)):
        return [Group((name,), tuple(tables), tuple(tables.values()), f"the cell array {name}")]
    if is_table(value) and value.ndim > 2:
        return [Group((name,), (name,), (value,), f"the array {name}")]
    return []


def _has_decimals(value: Any) -> bool:
    """True for a matrix that holds no labels or marks, whatever it is called, as not all numbers are whole."""
    numbers = value.data if sparse.issparse(value) else value
    return is_matrix(value) and bool((numbers[np.isfinite(numbers)] % 1).any())


def _is_view_name(name: str) -> bool:
    return plain(name) in VIEW_NAMES


def _numbered_groups(variables: dict[str, Any]) -> list[Group]:
    families: dict[str, dict[int, str]] = defaultdict(dict)
    columns = {name: as_column(value) for name, value in variables.items()}
    for name, value in columns.items():
        part = numbered(name)
        if part and is_table(value):
            families[part[0]].setdefault(part[1], name)
    groups = []
    for stem, members in families.items():
        names = tuple(members[number] for number in sorted(members))
        matrices = tuple(columns[name] for name in names)
        if len(names) > 1 and (any(map(is_matrix, matrices)) or _is_view_name(stem)):
            kept_as = f"the numbered matrices {stem}..."
            groups.append(Group(names, names, matrices, kept_as, by_chance=not _is_view_name(stem)))
    return groups


def as_column(value: Any) -> Any:
    """A vector of one dimension as a matrix of one column; anything else as it is."""
    return value[:, None] if isinstance(value, np.ndarray) and value.ndim == 1 else value


def _loose_group(variables: dict[str, Any]) -> list[Group]:
    """Group of all matrices; without any, of the columns with names of views."""
    tables = {name: as_column(value) for name, value in variables.items()}
    tables = {name: value for name, value in tables.items() if not is_mask_name(name) or _has_decimals(value)}
    names = tuple(name for name, value in tables.items() if is_matrix(value))
    names = names or tuple(n for n, value in tables.items() if _is_view_name(n) and is_table(value) and value.size > 2)
    if not names:
        return []
    return [Group(names, names, tuple(tables[name] for name in names), _matrices(names), loose=True)]


def _matrices(names: tuple[str, ...]) -> str:
    return f"the matri{'x' if len(names) == 1 else 'ces'} {', '.join(names)}"


def beside_links(group: Group, variables: dict[str, Any], n: int) -> tuple[str, ...]:
    """Names of the matrices of n samples that are views beside a group of links or of images."""
    return tuple(
        name
        for name, value in variables.items()
        if name not in group.variables
        and not (is_label_name(name) or is_mask_name(name) or is_id_name(name))
        and is_matrix(value)
        and n in value.shape
    )
