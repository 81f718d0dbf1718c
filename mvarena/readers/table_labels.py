"""Labels in a file of their own, joined with the samples by ids or by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvarena.errors import InvalidData
from mvarena.joining import counts, no_common_ids, refuse_other_starts, spelling_hint
from mvarena.naming import is_counter_name, is_id_name, is_label_name
from mvarena.readers.table_numbers import is_empty, is_fraction, is_number
from mvarena.readers.tables import DELIMITERS, read_cells
from mvarena.text import plural


@dataclass(frozen=True, slots=True, eq=False)
class LabelFile:
    """The label in each row of a file, the first of which may be a header, and the ids beside them, if any."""

    path: Path
    values: list[str]
    ids: list[str] | None = None
    others: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def sample_ids(self) -> list[str]:
        """The ids, without the first row's where that is a header for certain."""
        ids = self.ids or []
        return ids[1:] if ids and (is_label_name(self.values[0]) or is_id_name(ids[0])) else ids

    @property
    def n_samples(self) -> int | None:
        """Number of labels, where they are in the order of the samples, and the first row is a header for certain."""
        first, rest = self.values[0], self.values[1:]
        return len(rest) if self.ids is None and first not in rest and 2 * len(set(rest)) <= len(rest) else None


def read_label_file(path: Path) -> LabelFile:
    """Read the file. Raises InvalidData for several columns that may be labels."""
    cells = read_cells(path)
    if cells.delimiter == " " and len({row[0] for row in cells.rows}) < len(cells.rows):  # classes of several words
        cells = read_cells(path, DELIMITERS.rstrip())
    rows = cells.rows
    first, width = rows[0], len(rows[0])
    if width == 1:
        return LabelFile(path, [row[0] for row in rows])
    named = [j for j, cell in enumerate(first) if cell and is_label_name(cell)]
    if width > 2 and len(named) != 1:
        raise InvalidData(
            f"{path} has {width} columns; labels are one column, after an optional column of ids. Call the one with "
            "the labels 'label', or leave the others out."
        )
    column = named[0] if width > 2 or (named == [0] and is_id_name(first[1])) else 1
    others = [j for j in range(width) if j != column]
    called = [j for j in others if first[j] and is_id_name(first[j])]
    real = (j for j in called if not (is_counter_name(first[j]) and counts([row[j] for row in rows[1:]])))
    at = next(real, (called or others)[0])
    left = tuple(first[j] for j in others if j != at)
    return LabelFile(path, [row[column] for row in rows], [row[at] for row in rows], left)


def labels_of(
    labels: LabelFile, ids: Sequence[str] | None, n: int, first: str
) -> tuple[NDArray[np.object_], str, tuple[str, ...]]:
    """Label of each of n samples as text, with sentences on the reading and on unused parts.

    ids : of the samples; None without. first : the file in whose order the samples are.
    Raises InvalidData for labels of other samples.
    """
    not_used = tuple(f"the column '{column}' of {labels.name}" for column in labels.others)
    if ids is None or labels.ids is None:
        order = "" if ids is None else f", in the order of {first}"
        values = np.array(_by_position(labels, n), dtype=object)
        return values, f"{labels.name} holds the labels of {plural(n, 'sample')}{order}", not_used
    refuse_other_starts(first, ids, labels.name, labels.ids[not labels.ids[0].isdigit() :])
    label_of = dict(zip(labels.ids, labels.values, strict=True))
    for identity, value in zip(labels.ids, labels.values, strict=True):
        if label_of[identity] != value:
            raise InvalidData(
                f"{labels.path}: the sample id '{identity}' occurs twice, with the labels '{value}' and "
                f"'{label_of[identity]}'; give each sample one."
            )
    met = [identity for identity in ids if identity in label_of]
    if not met:
        raise InvalidData(no_common_ids("the views", ids, labels.name, labels.ids[1:]))
    said = f"{labels.name} holds the labels of {len(met)} of {plural(n, 'sample')}"
    if len(met) < n and (hint := spelling_hint("the views", ids, labels.name, labels.ids)):
        said += f"; {hint}"
    if extra := len(label_of) - len(met) - (labels.ids[0] not in met):
        not_used += (f"{plural(extra, 'label')} of samples that no view has",)
    return np.array([label_of.get(identity) for identity in ids], dtype=object), said, not_used


def _by_position(labels: LabelFile, n: int) -> list[str]:
    """The labels in the order of the samples; one line more than samples is a header."""
    values, ids = labels.values, [identity.rstrip(":.") for identity in labels.ids or ()]
    if ids and not (counts(ids) or counts(ids[1:])):
        raise InvalidData(
            f"{labels.path} has ids ('{ids[-1]}') and the views have none; give each view a first column of ids, or "
            "leave the ids out of the labels where these are in the order of the samples."
        )
    named = (is_label_name(values[0]) and values[0] not in values[1:]) or (bool(ids) and not counts(ids))
    if len(values) == n and not named and labels.n_samples == n - 1 and values[0]:
        raise InvalidData(
            f"{labels.path}: its first line, '{values[0]}', occurs nowhere else: a header above {n - 1} labels of {n} "
            "samples, or a class of one sample? Give a label for each sample, below a header called 'class'."
        )
    if len(values) != n + 1 and (named or len(values) != n):
        raise InvalidData(
            f"{labels.path} has {len(values) - named} labels and the views have {n} samples; give one per sample."
        )
    return values[len(values) - n :]


def are_measurements(values: Sequence[str | None]) -> bool:
    """True for texts that are all numbers, of which some are not whole."""
    known = [value for value in values if value is not None and not is_empty(value)]
    return all(map(is_number, known)) and any(map(is_fraction, known))


def reproducing(names: Sequence[str], columns: NDArray[np.float64], classes: Sequence[str | None]) -> list[str]:
    """Names of columns of few whole numbers, each of which stands for one class."""
    known = np.array([value is not None and not is_empty(value) for value in classes])
    kinds = np.unique(np.array(classes, dtype=object)[known].astype(str), return_inverse=True)[1]
    columns, count = columns[known], len(set(kinds))
    found = []
    for j in np.flatnonzero(((columns == np.rint(columns)) | np.isnan(columns)).all(axis=0)).tolist():
        seen = ~np.isnan(columns[:, j])
        column = columns[seen, j]
        values = np.unique(column)
        if len(values) > 1 and count <= len(values) <= 2 * count < len(column):
            pairs = np.unique(np.column_stack([column, kinds[seen]]), axis=0)
            found += [names[j]] if len(pairs) == len(values) else []
    return found
