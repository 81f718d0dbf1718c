"""From the variables of a file to data: which are views, labels, mask; which side the samples are on; and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.contracts.reader import Imputation, Orientation, Understanding
from mvarena.data import Kind, MultiViewData
from mvarena.errors import InvalidData
from mvarena.readers.groups import Group, beside_links, find_groups, inner_cell, is_flat, is_matrix, single_table
from mvarena.readers.imputation import complete_features
from mvarena.readers.kinds import guess_kind
from mvarena.readers.labels import Labels, find_labels, read_labels, why_no_labels
from mvarena.readers.limits import compact
from mvarena.readers.masks import find_mask, spread_short_views
from mvarena.readers.mat import CellArray, Unsupported
from mvarena.readers.names import LABEL_NAMES, is_id_name, is_label_name, is_mask_name, numbered, split_part
from mvarena.readers.npz import SCIPYS_MATRIX
from mvarena.readers.orientation import decide, fits, refuse_nearly_symmetric, shape_text
from mvarena.text import plural, shortened

_NEARLY = 0.8  # of the samples: a matrix with so many rows that is not a view of most of them is rare


@dataclass(slots=True)
class Reading:
    """State of the interpretation of a file's variables."""

    where: str
    variables: dict[str, Any]
    views_last: bool
    said: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    views: tuple[str, ...] = ()

    def say(self, sentence: str, *variables: str) -> None:
        """Note what was understood, and of which variables."""
        self.said.append(sentence)
        self.used.update(variables)

    def not_used(self) -> list[str]:
        """Unused variables and items of cell arrays, with their description and the reason."""
        result = [described(name, value) for name, value in self.variables.items() if name not in self.used]
        for name in self.views:
            for number, item in enumerate(inner_cell(self.variables[name]), start=1):
                if isinstance(item, str) or (isinstance(item, np.ndarray) and not item.size):
                    result.append(described(f"{name}{{{number}}}", item))
        return result


def read_variables(
    name: str,
    where: str,
    variables: dict[str, Any],
    wanted: Orientation | None,
    *,
    views_last: bool,
    impute: Imputation | None = None,
) -> Understanding:
    """Interpret the variables of a file.

    Parameters
    ----------
    name : of the data. where : the file, for messages. variables : as `read_mat` and `read_npz` give them.
    wanted : what the user says that the samples are. impute : as in `ReadOptions`.
    views_last : stacks are sliced along the last axis, as MATLAB's are; else along the first, as numpy's.

    Raises InvalidData if there is nothing that can be views, or the parts do not fit; Ambiguous if the samples
    could be rows or columns.
    """
    reading = _opened(where, variables, views_last)
    group, labels = _choose(reading)
    reading.views = group.variables
    labels_said = len(reading.said)  # once the data tell the classes
    views = plural(len(group.matrices), "view")
    reading.say(f"{views}: {group.kept_as} ({shape_text(group.matrices)})", *group.variables)
    n = None if labels is None else len(labels.values)
    if labels is not None:
        reading.used.add(labels.variable)
    matrices, mask = _samples_as_rows(reading, group, n, wanted)
    matrices, kinds = _kinds(reading, group.names, matrices)
    matrices, imputed = complete_features(where, group.names, matrices, kinds, mask, impute)
    data = MultiViewData.from_arrays(
        [compact(matrix) for matrix in matrices],
        mask=mask,
        ids=_ids(reading, matrices[0].shape[0]),
        labels=None if labels is None else labels.values,
        name=name,
        view_names=group.names,
        kinds=kinds,
    )
    if labels is not None:
        reading.said.insert(labels_said, labels.describe(data))
    if imputed:
        reading.say(imputed)
    if mask is None and not data.is_complete:
        reading.say(f"{int((~data.mask).sum())} rows of NaN are samples that a view misses")
    return Understanding(data, tuple(reading.said), tuple(reading.not_used()), imputed=imputed)


def _opened(where: str, variables: dict[str, Any], views_last: bool) -> Reading:
    """The variables, out of a struct if that alone holds views, and with training and test parts joined."""
    said = []
    structs = {name: value for name, value in variables.items() if isinstance(value, dict) and value}
    if structs and not find_groups(variables):
        said = [f"{name} is a struct: its fields are used as the variables" for name in structs]
        outside = {name: value for name, value in variables.items() if name not in structs}
        variables = {key: value for fields in (*structs.values(), outside) for key, value in fields.items()}
    variables, joined = join_splits(variables)
    return Reading(where, variables, views_last, said + joined)


def _choose(reading: Reading) -> tuple[Group, Labels | None]:
    """The likeliest views and labels that fit each other, all matrices two-dimensional."""
    groups, candidates = find_groups(reading.variables), find_labels(reading.variables)
    if not groups:
        held = "; ".join(described(name, value) for name, value in list(reading.variables.items())[:8])
        only = "labels but no views" if candidates else "nothing that could be a view"
        raise InvalidData(f"{reading.where} holds {only}: {held or 'it is empty'}. A view is a matrix of numbers.")
    for group in groups:
        for labels in candidates:
            fitting = _fitting(group, len(labels.values), reading)
            if fitting is not None:
                _refuse_siblings(fitting, reading, len(labels.values))
                return fitting, labels
    group = _without_labels(groups, reading)
    if candidates:
        labels = candidates[0]
        raise InvalidData(
            f"{reading.where}: {labels.variable} holds {len(labels.values)} labels, but the views "
            f"({group.kept_as}) are {shape_text(group.matrices)}; correct the file."
        )
    _refuse_siblings(group, reading, None)
    return group, None


def _without_labels(groups: Sequence[Group], reading: Reading) -> Group:
    """The likeliest group; a single image of each sample gives way to all matrices that share its samples."""
    likeliest, loose = (g.in_two_dimensions(None, views_last=reading.views_last) for g in (groups[0], groups[-1]))
    if likeliest.samples_first and len(likeliest.matrices) == 1 < len(loose.matrices) and is_flat(loose):
        return loose if _share_a_side(loose.matrices) else likeliest
    if not is_flat(likeliest):
        raise InvalidData(
            f"{reading.where}: there are no labels and the views ({likeliest.kept_as}) are "
            f"{shape_text(likeliest.matrices)}, so their samples cannot be told; save each view as samples x features."
        )
    return likeliest


def _fitting(group: Group, n: int, reading: Reading) -> Group | None:
    """The group if its matrices can have n samples, with what else is a view then; of a loose group, those that can."""
    if not group.loose:
        group = group.in_two_dimensions(n, views_last=reading.views_last)
        if all(fits(matrix, n) for matrix in group.matrices):
            return _with_others(group, reading, n)
        return group if spread_short_views(group.matrices, reading.variables, n) else None
    kept = [i for i, matrix in enumerate(group.matrices) if fits(matrix, n)]
    if not kept:
        return None
    for i, matrix in enumerate(group.matrices):
        if i not in kept and any(_NEARLY * n < side < n / _NEARLY for side in matrix.shape):
            raise _short_view(reading, group.names[i], group.names[kept[0]], n)
    whole = group if len(kept) == len(group.names) else group.only(kept)
    return whole.in_two_dimensions(n, views_last=reading.views_last)


def _with_others(group: Group, reading: Reading, n: int) -> Group:
    """The group with the matrices beside it, if it holds links between samples, or one image of each, alone."""
    links = all(matrix.shape == (n, n) for matrix in group.matrices)
    if not (links or (group.samples_first and len(group.matrices) == 1)):
        return group
    names = beside_links(group, reading.variables, n)
    if not names or (links and any(guess_kind(matrix)[0] != "features" for matrix in group.matrices)):
        return group
    others = Group(names, names, tuple(reading.variables[name] for name in names), "", loose=True)
    others = others.in_two_dimensions(n, views_last=reading.views_last)
    return replace(
        group,
        variables=(*group.variables, *names),
        names=(*group.names, *others.names),
        matrices=(*group.matrices, *others.matrices),
        kept_as=f"{group.kept_as}, and {', '.join(names)}",
    )


def _refuse_items(group: Group, reading: Reading) -> None:
    """Raise InvalidData for an item of a cell array of views that holds something and cannot be one."""
    for name in group.variables:
        for number, item in enumerate(inner_cell(reading.variables[name]), start=1):
            nothing = isinstance(item, str) or (isinstance(item, np.ndarray) and not item.size)
            if not nothing and single_table(item) is None:
                raise InvalidData(
                    f"{reading.where}: {described(f'{name}{{{number}}}', item)} cannot be a view, as the others are; "
                    "save it as a matrix of numbers, or without it."
                )


def _refuse_siblings(group: Group, reading: Reading, n: int | None) -> None:
    """Raise InvalidData for a variable that is numbered as a view is (X2 beside X1) and is none."""
    _refuse_items(group, reading)
    families = {part[0]: name for name in group.variables if (part := numbered(name))}
    for name in reading.variables:
        part = numbered(name)
        if part and part[0] in families and name not in group.variables and not is_mask_name(name):
            raise _short_view(reading, name, families[part[0]], n)


def _short_view(reading: Reading, name: str, view: str, n: int | None) -> InvalidData:
    samples = f"has {n} samples" if n is not None else "is a view"
    return InvalidData(
        f"{reading.where}: {described(name, reading.variables[name])} is no view, and {view} {samples}; give each view "
        "all samples, with rows of NaN where it misses one, or remove what is no view from the file."
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
    matrices = list(group.matrices)
    if n is None and wanted is None and group.variables == (SCIPYS_MATRIX,) and not reading.views_last:
        reading.say("the samples are rows, as in scipy's sparse matrices")
    elif not group.samples_first:
        if wanted is None:
            refuse_nearly_symmetric(group.names, matrices, reading.where)
        sides, reason = decide(matrices, n, wanted, reading.where)
        reading.say(reason)
        matrices = [(m.T if side == "columns" else m) for m, side in zip(matrices, sides, strict=True)]
    others = {name: value for name, value in reading.variables.items() if name not in reading.used}
    mask = find_mask(others, matrices)
    if mask is None:
        return matrices, None
    reading.say(mask.sentence, mask.variable)
    nan_rows = np.column_stack([_nan_rows(matrix) for matrix in matrices])
    return matrices, mask.observed & ~nan_rows


def _kinds(reading: Reading, names: Sequence[str], matrices: list[Any]) -> tuple[list[Any], list[Kind]]:
    """The matrices as their kinds use them, and the kinds."""
    used, kinds = [], []
    for name, matrix in zip(names, matrices, strict=True):
        kind, kept, reason = guess_kind(matrix)
        kinds.append(kind)
        used.append(kept)
        if reason:
            reading.say(f"{name} is {reason}")
    return used, kinds


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


def described(name: str, value: Any) -> str:
    """A variable as 'name (description)', with the reason where it cannot be what its name says, and the way out."""
    why = why_no_labels(value) if is_label_name(name) else ""
    if isinstance(value, Unsupported) and value.remedy:
        why = value.remedy.replace("NAME", name)
    return f"{shortened(name, 60)} ({_description(value)}{f'; {why}' if why else ''})"


def _description(value: Any) -> str:
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
        parts = [variables[name] for name in names]
        if not all(isinstance(part, np.ndarray) and is_matrix(part) for part in parts):
            continue
        for axis in range(parts[0].ndim):
            rest = {(*part.shape[:axis], None, *part.shape[axis + 1 :]) for part in parts}
            if len(rest) == 1 and tuple(part.shape[axis] for part in parts) == sizes:
                joined[stem] = np.concatenate(parts, axis=axis)
                break
    return joined
