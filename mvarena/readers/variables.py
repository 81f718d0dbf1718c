"""From the variables of a file to data: which are views, labels, mask; which side the samples are on; and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.reader import Orientation, Understanding
from mvarena.data import Kind, MultiViewData
from mvarena.errors import InvalidData
from mvarena.readers.labels import Labels, find_labels, read_labels, why_no_labels
from mvarena.readers.limits import compact
from mvarena.readers.masks import find_mask, spread_short_views
from mvarena.readers.mat_values import CellArray, Unsupported
from mvarena.readers.names import LABEL_NAMES, is_id_name, is_label_name, is_mask_name, numbered, split_part, view_rank
from mvarena.readers.orientation import decide, fits, guess_kind, shape_text
from mvarena.text import plural

_NEARLY = 0.8  # of the samples: a matrix with so many rows that is not a view of most of them is rare


@dataclass(slots=True)
class Reading:
    """State of the interpretation of a file's variables."""

    where: str
    variables: dict[str, Any]
    said: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def say(self, sentence: str, *variables: str) -> None:
        """Note what was understood, and of which variables."""
        self.said.append(sentence)
        self.used.update(variables)

    def not_used(self) -> list[str]:
        """Unused variables as 'name (description)', with the reason where a variable named like labels was rejected."""
        result = []
        for name, value in self.variables.items():
            if name not in self.used:
                why = why_no_labels(value) if is_label_name(name) else ""
                result.append(f"{name} ({describe(value)}{f'; {why}' if why else ''})")
        return result


def read_variables(name: str, where: str, variables: dict[str, Any], wanted: Orientation | None) -> Understanding:
    """Interpret the variables of a file; `where` is the file, for messages.

    Raises InvalidData if there is nothing that can be views, or the parts do not fit; Ambiguous if the samples
    could be rows or columns.
    """
    reading = _opened(where, variables)
    group, labels = _choose(reading)
    if labels is not None:
        reading.say(labels.describe(), labels.variable)
    views = plural(len(group.matrices), "view")
    reading.say(f"{views}: {group.kept_as} ({shape_text(group.matrices)})", *group.variables)
    n = None if labels is None else len(labels.values)
    matrices, mask = _samples_as_rows(reading, group, n, wanted)
    kinds: list[Kind] = []
    for view, matrix in zip(group.names, matrices, strict=True):
        kind, reason = guess_kind(matrix)
        kinds.append(kind)
        if reason:
            reading.say(f"{view} is {reason}")
    ids = _ids(reading, matrices[0].shape[0])
    data = MultiViewData.from_arrays(
        [compact(matrix) for matrix in matrices],
        mask=mask,
        ids=ids,
        labels=None if labels is None else labels.values,
        name=name,
        view_names=group.names,
        kinds=kinds,
    )
    if mask is None and not data.is_complete:
        reading.say(f"{int((~data.mask).sum())} rows of NaN are samples that a view misses")
    return Understanding(data, tuple(reading.said), tuple(reading.not_used()))


def _opened(where: str, variables: dict[str, Any]) -> Reading:
    """The variables, out of a single struct and with training and test parts joined."""
    text = []
    if len(variables) == 1:
        (outer, inner), *_ = variables.items()
        if isinstance(inner, dict) and inner:
            text.append(f"{outer} is a struct: its fields are used as the variables")
            variables = inner
    variables, joined = join_splits(variables)
    return Reading(where, variables, text + joined)


def _choose(reading: Reading) -> tuple[Group, Labels | None]:
    """The likeliest views and labels that fit each other."""
    groups, candidates = find_groups(reading.variables), find_labels(reading.variables)
    if not groups:
        held = "; ".join(f"{name} ({describe(value)})" for name, value in list(reading.variables.items())[:8])
        only = "labels but no views" if candidates else "nothing that could be a view"
        raise InvalidData(f"{reading.where} holds {only}: {held or 'it is empty'}. A view is a matrix of numbers.")
    for group in groups:
        for labels in candidates:
            fitting = _fitting(group, len(labels.values), reading)
            if fitting is not None:
                return fitting, labels
    if candidates:
        labels = candidates[0]
        raise InvalidData(
            f"{reading.where}: {labels.variable} holds {len(labels.values)} labels, but the views "
            f"({groups[0].kept_as}) are {shape_text(groups[0].matrices)}; correct the file."
        )
    return groups[0], None


def _fitting(group: Group, n: int, reading: Reading) -> Group | None:
    """The group if its matrices can have n samples; of a loose group, the matrices that can."""
    if all(fits(matrix, n) for matrix in group.matrices):
        return group
    if not group.loose:
        return group if spread_short_views(group.matrices, reading.variables, n) else None
    kept = [i for i, matrix in enumerate(group.matrices) if fits(matrix, n)]
    if not kept:
        return None
    _refuse_short_views(group, kept, n, reading.where)
    names = tuple(group.names[i] for i in kept)
    kept_as = f"the matri{'x' if len(names) == 1 else 'ces'} {', '.join(names)}"
    return Group(names, names, tuple(group.matrices[i] for i in kept), kept_as, loose=True)


def _refuse_short_views(group: Group, kept: Sequence[int], n: int, where: str) -> None:
    """Raise InvalidData for a matrix that is left out although it is as good as certainly a view of fewer samples.

    That is one that is numbered as one that is kept (X2 beside X1), or has nearly as many rows or columns.
    """
    families = {stem for i in kept if (part := numbered(group.names[i])) for stem in part[:1]}
    for i, matrix in enumerate(group.matrices):
        part = numbered(group.names[i])
        nearly = any(_NEARLY * n < side < n / _NEARLY for side in matrix.shape)
        if i not in kept and (nearly or (part is not None and part[0] in families)):
            raise InvalidData(
                f"{where}: {group.names[i]} is {shape_text([matrix])}, and {group.names[kept[0]]} has {n} samples; "
                "give each view all samples, with rows of NaN where it misses one, or remove what is no view from the "
                "file."
            )


def _samples_as_rows(
    reading: Reading, group: Group, n: int | None, wanted: Orientation | None
) -> tuple[list[Any], Any]:
    """The views with samples as rows, and the mask if the file has one."""
    common = n if n is not None else 0
    if not all(fits(m, common) for m in group.matrices) and not _share_a_side(group.matrices):
        spread = spread_short_views(group.matrices, reading.variables, n)
        if spread is not None:
            reading.say(f"{spread.variable} lists which sample each row of a view is", spread.variable)
            return list(spread.matrices), None
    sides, reason = decide(group.matrices, n, wanted, reading.where)
    reading.say(reason)
    matrices = [(m.T if side == "columns" else m) for m, side in zip(group.matrices, sides, strict=True)]
    others = {name: value for name, value in reading.variables.items() if name not in reading.used}
    mask = find_mask(others, matrices)
    if mask is None:
        return matrices, None
    reading.say(mask.sentence, mask.variable)
    nan_rows = np.column_stack([_nan_rows(matrix) for matrix in matrices])
    return matrices, mask.observed & ~nan_rows


def _ids(reading: Reading, n: int) -> list[str] | None:
    """One text per sample, no two the same, from a variable that is named as ids are."""
    for name, value in reading.variables.items():
        if name in reading.used or not is_id_name(name):
            continue
        read = read_labels(value)
        if read is None or len(read[0]) != n or read[0].dtype.kind != "U":
            continue
        ids: list[str] = read[0].tolist()
        if len(set(ids)) == n:
            reading.say(f"{name} holds the sample ids", name)
            return ids
    return None


def _share_a_side(matrices: Sequence[Any]) -> bool:
    return bool(set.intersection(*(set(matrix.shape) for matrix in matrices)))


def _nan_rows(matrix: Any) -> Any:
    if sparse.issparse(matrix) or matrix.dtype.kind != "f":
        return np.zeros(matrix.shape[0], dtype=bool)
    return np.isnan(matrix).all(axis=1)


def describe(value: Any) -> str:
    """A variable in words: '100 x 3 numbers', 'a cell array of 5'."""
    if isinstance(value, CellArray):
        return f"a cell array of {len(value.items)}"
    if isinstance(value, Unsupported):
        return value.what
    if isinstance(value, dict):
        return f"a struct with {plural(len(value), 'field')}"
    if sparse.issparse(value):
        return f"a sparse matrix, {value.shape[0]} x {value.shape[1]}"
    if isinstance(value, np.ndarray) and value.size == 1:
        return "a single number" if value.dtype.kind in "biuf" else "a single text"
    if isinstance(value, np.ndarray):
        what = "numbers" if value.dtype.kind in "biuf" else "texts"
        return f"{' x '.join(map(str, value.shape))} {what}"
    return "text"


# Which variables of a file are its views: a cell array, a stack, numbered matrices, or all matrices there are.


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
    values = [group for name, value in others.items() for group in _of_one(name, value)]
    values += _numbered_groups(others)
    values.sort(key=lambda group: view_rank((numbered(group.variables[0]) or group.variables)[0]))
    return values + _loose_group(others)


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


# Files that keep a training and a test part: clustering takes both together.


def join_splits(variables: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The variables with each pair such as Train_X and Test_X joined, training samples first, and what was done.

    Joined only where labels of both parts tell the side of the samples; everything else stays as it is.
    """
    pairs: dict[str, dict[str, str]] = {}
    for name in variables:
        part = split_part(name)
        if part:
            pairs.setdefault(part[0], {})[part[1]] = name
    full = {stem: (parts["train"], parts["test"]) for stem, parts in pairs.items() if len(parts) == 2}
    for stem, names in full.items():
        labels = [read_labels(variables[name]) for name in names]
        if stem in LABEL_NAMES and labels[0] is not None and labels[1] is not None:
            sizes = (len(labels[0][0]), len(labels[1][0]))
            joined = {stem: np.concatenate([labels[0][0], labels[1][0]])}
            matrices = _joined_matrices(variables, full, sizes)
            if matrices:
                gone = {part for done in (stem, *matrices) for part in full[done]}
                kept = {name: value for name, value in variables.items() if name not in gone}
                done = [f"{' and '.join(full[stem])} are joined as {stem}" for stem in (stem, *matrices)]
                return kept | joined | matrices, done
    return variables, []


def _joined_matrices(
    variables: dict[str, Any], whole: dict[str, tuple[str, str]], sizes: tuple[int, int]
) -> dict[str, Any]:
    joined = {}
    for stem, names in whole.items():
        first, second = (variables[name] for name in names)
        if not (isinstance(first, np.ndarray) and isinstance(second, np.ndarray)):
            continue
        if not (is_matrix(first) and is_matrix(second)):
            continue
        for axis in (0, 1):
            on_axis = (first.shape[axis], second.shape[axis]) == sizes
            if on_axis and first.shape[1 - axis] == second.shape[1 - axis]:
                joined[stem] = np.concatenate([first, second], axis=axis)
                break
    return joined
