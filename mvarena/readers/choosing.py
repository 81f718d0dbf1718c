"""The views and the labels of a file that fit each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from mvarena.errors import InvalidData
from mvarena.naming import is_mask_name, numbered
from mvarena.readers.groups import Group, beside_links, find_groups, is_flat, single_table
from mvarena.readers.kinds import guess_kind
from mvarena.readers.labels import Labels, find_labels
from mvarena.readers.orientation import shape_text, share_a_side
from mvarena.readers.values import Reading, are_whole, described, inner_cell

_NEARLY = 0.8  # of the samples: a matrix with so many rows that is not a view of most of them is rare


def choose(reading: Reading) -> tuple[Group, Labels | None]:
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
                every = _fitting(groups[-1], len(labels.values), reading) if group.by_chance else None
                fitting = every if every is not None and len(every.names) > len(fitting.names) else fitting
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
    _refuse_hidden_labels(group, reading.where)
    return group, None


def _without_labels(groups: Sequence[Group], reading: Reading) -> Group:
    """The likeliest group; a single image of each sample gives way to all matrices that share its samples."""
    likeliest, loose = (g.in_two_dimensions(None, views_last=reading.views_last) for g in (groups[0], groups[-1]))
    if likeliest.samples_first and len(likeliest.matrices) == 1 < len(loose.matrices) and is_flat(loose):
        return loose if share_a_side(loose.matrices) else likeliest
    if likeliest.by_chance and len(loose.names) > len(likeliest.names) and is_flat(loose):
        return loose if share_a_side(loose.matrices) else likeliest
    if not is_flat(likeliest):
        raise InvalidData(
            f"{reading.where}: there are no labels and the views ({likeliest.kept_as}) are "
            f"{shape_text(likeliest.matrices)}, so their samples cannot be told; save each view as samples x features."
        )
    return likeliest


def _fitting(group: Group, n: int, reading: Reading) -> Group | None:
    """Group whose matrices have n samples, with further views beside it; None without one. A loose group is reduced."""
    if not group.loose:
        group = group.in_two_dimensions(n, views_last=reading.views_last)
        fits = all(n in matrix.shape for matrix in group.matrices)
        return _with_others(group, reading, n) if fits else None
    kept = [i for i, matrix in enumerate(group.matrices) if n in matrix.shape]
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


def _refuse_hidden_labels(group: Group, where: str) -> None:
    """Raise InvalidData for a view of one column that could be labels, as the last of savez(file, A, B, y)."""
    for name, matrix in zip(group.names, group.matrices, strict=True):
        if len(group.matrices) == 1 or min(matrix.shape) > 1 or sparse.issparse(matrix):
            continue
        values = np.unique(matrix)
        if len(values) <= np.sqrt(matrix.size) and are_whole(values):
            raise InvalidData(
                f"{where}: {name} holds {len(values)} different whole numbers, so it could be the labels or a view of "
                "one column; name it y if it holds the labels, else save the labels beside it or add a column."
            )


def _short_view(reading: Reading, name: str, view: str, n: int | None) -> InvalidData:
    samples = f"has {n} samples" if n is not None else "is a view"
    return InvalidData(
        f"{reading.where}: {described(name, reading.variables[name])} is no view, and {view} {samples}; give each view "
        "all samples, with rows of NaN where it misses one, or remove what is no view from the file."
    )
