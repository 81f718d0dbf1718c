"""Variables of a file that may be its views: a cell array, a stack, images, numbered matrices, or all matrices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
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
from mvarena.readers.kinds import is_symmetric
from mvarena.readers.values import inner_cell

_MOST_VIEWS = 10  # that a stack has where neither its shape nor the habit of its format says which axis they are
_EVEN_FEW = 8  # so many views may have a feature or two each
_NEVER = 4  # times as many views as features
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


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


# Arrays of three and more dimensions: stacked views, or one image per sample.


def unstacked(
    name: str, array: NDArray[Any], n: int | None, *, views_last: bool
) -> tuple[tuple[NDArray[Any], ...], str, bool]:
    """Matrices of an array of at least three dimensions, their description, and whether samples are rows now.

    n : the number of samples if labels tell it. views_last : stacks are sliced along the last axis, as MATLAB's are;
    else along the first, as numpy's.
    """
    if array.ndim > 3:
        array = array.squeeze()
        if array.ndim == 2:
            return (array,), f"the matrix {name}", False
    order = tuple(range(array.ndim))[:: -1 if views_last else 1]
    samples, views = _axes(array, n, order)
    if views is None:
        flat = flattened(array, array.shape[samples or 0], axis=samples)
        each = " x ".join(str(size) for axis, size in enumerate(array.shape) if axis != samples)
        return (flat,), f"one array of {each} for each sample, flattened, in {name}", True
    which = "last" if views == array.ndim - 1 else _ORDINALS[min(views, len(_ORDINALS) - 1)]
    kept_as = f"the slices of the {_count(array.ndim)}-dimensional array {name} along its {which} axis"
    slices = tuple(np.moveaxis(array, views, 0))
    if samples is None:
        return slices, kept_as, False
    axis = samples - (views < samples)
    return tuple(flattened(part, part.shape[axis], axis=axis) for part in slices), kept_as, True


def flattened(array: NDArray[Any], n: int, axis: int | None = None) -> NDArray[Any]:
    """The array as n x d, with the samples on `axis`, or on the first or else the last that has n entries."""
    if axis is None:
        fitting = [at for at, size in enumerate(array.shape) if size == n]
        axis = fitting[0] if fitting[0] == 0 else fitting[-1]
    return np.moveaxis(array, axis, 0).reshape(n, -1)


def _axes(array: NDArray[Any], n: int | None, order: Sequence[int]) -> tuple[int | None, int | None]:
    """Axis of the samples, None if it cannot be told, and of the views, None if each sample is one array."""
    shape, usual, other_end = array.shape, order[0], order[-1]
    samples: int | None
    if array.ndim > 3:
        samples = next((axis for axis in (usual, order[1], other_end, *order) if shape[axis] == n), usual)
        return samples, usual if samples == order[1] and shape[usual] <= _MOST_VIEWS else None
    for views in (usual, other_end):
        sides = {shape[axis] for axis in order if axis != views}
        if len(sides) == 1 and (n is None or sides == {n}) and all(map(is_symmetric, np.moveaxis(array, views, 0))):
            return None, views
    if n is None:  # images are square and fewer numbers wide than there are of them
        images = (end for end in (usual, other_end) if {*shape} - {shape[end]} == {shape[order[1]]} != {max(shape)})
        samples = next(images, None)
        return (None, usual) if samples is None else (samples, None)
    samples = next((axis for axis in order if shape[axis] == n), None)
    if samples is None or samples == order[1]:
        return samples, other_end if samples is not None and _too_many(shape[usual], shape[other_end]) else usual
    few, many = sorted((axis for axis in order if axis != samples), key=lambda axis: shape[axis])
    for views, features in ((few, many), (many, few)):
        usually = views == usual and not _too_many(shape[views], shape[features])
        likely = usually or shape[features] >= _NEVER * shape[views]
        if likely and 2 <= shape[views] <= _MOST_VIEWS and shape[few] != shape[many]:
            return samples, views
    return samples, None


def _too_many(views: int, features: int) -> bool:
    return views > _EVEN_FEW and views > _NEVER * features


def _count(dimensions: int) -> str:
    return {3: "three", 4: "four"}.get(dimensions, str(dimensions))
