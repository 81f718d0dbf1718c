"""Interpretation of a file's variables: views, labels, mask and orientation, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.contracts.reader import Orientation, ReadOptions, Understanding
from mvarena.data import Kind, MultiViewData
from mvarena.errors import InvalidData
from mvarena.naming import LABEL_NAMES, is_id_name, is_label_name, numbered, split_part
from mvarena.readers.choosing import choose
from mvarena.readers.groups import Group, find_groups, is_matrix
from mvarena.readers.imputation import complete
from mvarena.readers.kinds import guess_kind
from mvarena.readers.labels import find_labels, read_labels
from mvarena.readers.limits import compact
from mvarena.readers.masks import find_mask, refuse_unusable
from mvarena.readers.npz import SCIPYS_MATRIX
from mvarena.readers.orientation import decide, refuse_nearly_symmetric, shape_text
from mvarena.readers.values import Reading
from mvarena.text import plural


def read_variables(path: Path, variables: dict[str, Any], options: ReadOptions, *, views_last: bool) -> Understanding:
    """Interpret the variables of a file.

    Parameters
    ----------
    variables : as `read_mat` and `read_npz` give them.
    views_last : stacks are sliced along the last axis, as MATLAB's are; else along the first, as numpy's.

    Raises InvalidData if there is nothing that can be views, or the parts do not fit; Ambiguous if the samples
    could be rows or columns.
    """
    reading = _opened(str(path), variables, views_last)
    group, labels = choose(reading)
    reading.views = group.variables
    labels_said = len(reading.said)  # once the data tell the classes
    views = plural(len(group.matrices), "view")
    reading.say(f"{views}: {group.kept_as} ({shape_text(group.matrices)})", *group.variables)
    n = None if labels is None else len(labels.values)
    if labels is not None:
        reading.used.add(labels.variable)
    matrices, mask = _samples_as_rows(reading, group, n, options.orientation)
    matrices, kinds = _kinds(reading, group.names, matrices)
    wheres = [f"{path}, {view}" for view in group.names]
    matrices, imputed = complete(wheres, matrices, options.impute, kinds=kinds, mask=mask)
    data = MultiViewData.from_arrays(
        [compact(matrix) for matrix in matrices],
        mask=mask,
        ids=_ids(reading, matrices[0].shape[0]),
        labels=None if labels is None else labels.values,
        name=path.stem,
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
    if find_groups(variables):  # beside them, structs of data with their labels are opened, where the rest has none
        structs = {name: value for name, value in structs.items() if _holds_data(value) and not find_labels(variables)}
    if structs:
        said = [f"{name} is a struct: its fields are used as the variables" for name in structs]
        outside = {name: value for name, value in variables.items() if name not in structs}
        variables = _fields(where, structs, outside)
    variables, joined = _with_splits_joined(variables)
    return Reading(where, variables, views_last, said + joined)


def _holds_data(fields: dict[str, Any]) -> bool:
    """True for labels and a matrix of as many samples."""
    sizes = {len(labels.values) for labels in find_labels(fields)}
    return any(is_matrix(value) and not sizes.isdisjoint(value.shape) for value in fields.values())


def _fields(where: str, structs: dict[str, dict[str, Any]], outside: dict[str, Any]) -> dict[str, Any]:
    """The fields of structs beside the other variables; one of several structs as 'rna_X', or once if it is of labels.

    Raises InvalidData for labels that differ.
    """
    often = Counter(key for fields in (*structs.values(), outside) for key in fields)
    result = dict(outside)
    for struct, fields in structs.items():
        for key, value in fields.items():
            new = f"{struct}_{key}" if often[key] > 1 and not is_label_name(key) else key
            if new not in result:
                result[new] = value
            elif new != key or not _same_labels(result[key], value):
                raise InvalidData(f"{where}: {struct} and others hold '{key}', and not the same; save it once.")
    return result


def _same_labels(one: Any, other: Any) -> bool:
    first, second = read_labels(one), read_labels(other)
    return first is not None and second is not None and np.array_equal(first[0], second[0])


def _samples_as_rows(
    reading: Reading, group: Group, n: int | None, wanted: Orientation | None
) -> tuple[list[Any], Any]:
    """The views with samples as rows, and the mask if the file has one."""
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
        refuse_unusable(reading.where, others, matrices[0].shape[0], len(matrices))
        return matrices, None
    reading.say(mask.sentence, mask.variable)
    return matrices, mask.observed


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
    """One text per sample, no two the same, from a variable that is named as ids are.

    Raises InvalidData where another one holds ids of these samples in another order.
    """
    found: dict[str, list[str]] = {}
    for name, value in reading.variables.items():
        if name in reading.used or not (is_id_name(name) or is_id_name((numbered(name) or (name,))[0])):
            continue
        read = read_labels(value)
        if read is None or len(read[0]) != n or read[0].dtype.kind != "U":
            continue
        ids: list[str] = read[0].tolist()
        if len(set(ids)) == n:
            found[name] = ids
    for name, ids in found.items():
        first = next(iter(found))
        if ids != found[first] and not set(ids).isdisjoint(found[first]):
            raise InvalidData(
                f"{reading.where}: {first} and {name} list the samples in different orders, or not the same ones; "
                "save all views in one order, with rows of NaN where one misses a sample."
            )
        if ids == found[first]:
            reading.say(f"{name} holds the sample ids", name)
    return next(iter(found.values()), None)


def _with_splits_joined(variables: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The variables with each pair such as Train_X and Test_X joined, training samples first, and what was done.

    Clustering takes both together. Joined only where labels of both parts tell the side of the samples; everything
    else stays as it is.
    """
    pairs: dict[str, dict[str, str]] = {}
    for name in variables:
        part = split_part(name)
        if part:
            pairs.setdefault(part[0], {})[part[1]] = name
    whole_pairs = {stem: (parts["train"], parts["test"]) for stem, parts in pairs.items() if len(parts) == 2}
    for stem, names in whole_pairs.items():
        labels = [read_labels(variables[name]) for name in names]
        if stem in LABEL_NAMES and labels[0] is not None and labels[1] is not None:
            sizes = (len(labels[0][0]), len(labels[1][0]))
            joined = {stem: np.concatenate([labels[0][0], labels[1][0]])}
            matrices = _joined_matrices(variables, whole_pairs, sizes)
            if matrices:
                gone = {part for done in (stem, *matrices) for part in whole_pairs[done]}
                kept = {name: value for name, value in variables.items() if name not in gone}
                done = [f"{' and '.join(whole_pairs[stem])} are joined as {stem}" for stem in (stem, *matrices)]
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
