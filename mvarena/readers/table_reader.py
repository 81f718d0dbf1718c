"""Tables as text as data: one file per view, labels in another or in a column, joined by ids or by position."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.reader import ReadOptions, Understanding
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.joining import joined_ids
from mvarena.naming import is_label_name, is_mask_name, is_sure_mask_name
from mvarena.readers.imputation import complete
from mvarena.readers.limits import compact, fits_memory
from mvarena.readers.masks import find_mask
from mvarena.readers.orientation import samples_as_rows
from mvarena.readers.table_labels import (
    LabelFile,
    are_measurements,
    labels_of,
    read_label_file,
    reproducing,
)
from mvarena.readers.table_numbers import is_empty, numbers
from mvarena.readers.tables import Table, read_cells, stem
from mvarena.readers.view_tables import tables_of
from mvarena.samples import labels_sentence
from mvarena.text import listed, plural


@dataclass(slots=True, eq=False)
class _Reading:
    """Views, with sentences on them: arrays (n, d) in the order of `ids`, which are None for files without any."""

    tables: list[Table]
    arrays: list[NDArray[np.float64]]
    ids: list[str] | None
    said: list[str]
    not_used: list[str] = field(default_factory=list)


def read_tables(paths: Sequence[Path], options: ReadOptions) -> Understanding:
    """Read one file per view, and one of labels if `options` name one or a file is called so."""
    labels = None if options.labels is None else Path(options.labels)
    paths, labels = _without_labels(paths, labels)
    cells = [read_cells(path) for path in paths]
    label_file = None if labels is None else read_label_file(labels)
    label_ids, n = ([], None) if label_file is None else (label_file.sample_ids, label_file.n_samples)
    cells, turned = samples_as_rows(cells, options.orientation, label_ids, options.drop)
    reading = _joined(tables_of(cells, options, label_ids, n), options)
    reading.said += turned
    mask = _taken_mask(reading)
    values = _labels(reading, label_file)
    headers = [table.names if table.named else None for table in reading.tables]
    paths = [table.path for table in reading.tables]
    arrays, imputed = complete(paths, reading.arrays, options.impute, headers=headers)
    data = MultiViewData.from_arrays(
        [compact(array) for array in arrays],
        mask=mask,
        labels=values,
        name="+".join(map(stem, paths)),
        view_names=_view_names(reading.tables),
        ids=reading.ids,
    )
    if data.labels is not None:
        reading.said.append(f"labels: {labels_sentence(data.labels)}")
    said = (*reading.said, imputed) if imputed else tuple(reading.said)
    return Understanding(data, said, tuple(reading.not_used), tuple(headers), imputed)


def _without_labels(paths: Sequence[Path], labels: Path | None) -> tuple[Sequence[Path], Path | None]:
    """The files of views, and that of labels: one of several that is called so and has one column besides ids."""
    if labels is not None or len(paths) == 1:
        return paths, labels
    for path in paths:
        if is_label_name(stem(path)):
            rows = read_cells(path).rows
            column = [row[-1] for row in rows[1:]]
            if len(rows[0]) <= 2 and not are_measurements(column) and len(set(column)) <= len(column) / 2:
                return [other for other in paths if other != path], path
    return paths, labels


def _view_names(tables: Sequence[Table]) -> list[str]:
    names = [table.view for table in tables]
    return names if len(set(names)) == len(names) else [f"view{i}" for i in range(1, len(names) + 1)]


# Numbers of the views, with the samples in one order.


def _joined(tables: list[Table], options: ReadOptions) -> _Reading:
    """The views by their ids, with a row of NaN where a sample is missing, or by position where no file has ids."""
    said = []
    for table in tables:
        shape = f"{plural(len(table.rows), 'sample')} as rows, {plural(len(table.names), 'feature')}"
        said.append(", ".join([f"{table.path.name} is a view: {shape}", *table.said]))
    order, rows_of = None, {}
    if any(table.ids is not None for table in tables):
        without = next((table.path for table in tables if table.ids is None), None)
        if without is not None:
            raise InvalidData(f"{without} has no first column of sample ids but other views have; give each view one.")
        order, joined = joined_ids(_view_names(tables), [table.ids or () for table in tables])
        said.append(joined)
        rows_of = {identity: row for row, identity in enumerate(order)}
        features = sum(len(table.names) for table in tables)
        if not fits_memory((len(order), features)):
            raise InvalidData(
                f"{tables[0].path}: by their ids the views have {len(order)} samples and {features} features, which "
                "does not fit into memory; give the views the same samples."
            )
    else:
        _check_lengths(tables)
    arrays = []
    for table in tables:
        values = numbers(table, options.decimal)
        said += _empty_cells(table, values)
        if order is not None and list(table.ids or ()) != order:
            full = np.full((len(order), values.shape[1]), np.nan)
            full[[rows_of[identity] for identity in table.ids or ()]] = values
            values = full
        arrays.append(values)
    return _Reading(tables, arrays, order, said)


def _empty_cells(table: Table, values: NDArray[np.float64]) -> list[str]:
    count = int(np.isnan(values).sum())
    if not count:
        return []
    marks = sorted({cell for row in table.rows for cell in row if cell and is_empty(cell)})
    written = f" (such as {listed((repr(mark) for mark in marks), most=3)})" if marks else ""
    return [f"{table.path.name} has {plural(count, 'empty cell')}{written} of {values.size}"]


def _check_lengths(tables: Sequence[Table]) -> None:
    first, widths = tables[0], {len(table.names) for table in tables}
    hint = f" If the {widths.pop()} columns are the samples, give --orientation columns." if len(widths) == 1 else ""
    for table in tables:
        if len(table.rows) != len(first.rows):
            raise InvalidData(
                f"{table.path} has {len(table.rows)} rows and {first.path} has {len(first.rows)}; where views miss "
                f"samples, give every file a first column named id.{hint}"
            )


def _taken_mask(reading: _Reading) -> NDArray[np.bool_] | None:
    """The mask (n, V), of the file that is called so and holds 0 and 1; it is no view then. None without one."""
    for i, table in enumerate(reading.tables):
        if len(reading.tables) > 1 and is_mask_name(table.view):
            others = [array for j, array in enumerate(reading.arrays) if j != i]
            marks = _in_order_of_views(
                table, reading.arrays[i], _view_names([*reading.tables[:i], *reading.tables[i + 1 :]])
            )
            mask = find_mask({table.view: marks}, others)
            if mask is not None:
                del reading.tables[i], reading.arrays[i]
                reading.said[i] = mask.sentence
                return mask.observed
            if is_sure_mask_name(table.view):
                raise _no_mask(reading, table, marks)
    return None


def _no_mask(reading: _Reading, table: Table, marks: NDArray[np.float64]) -> InvalidData:
    lacking = np.flatnonzero(np.isnan(marks).any(axis=1))
    why = f" (sample '{reading.ids[lacking[0]]}' has none)" if reading.ids and len(lacking) else ""
    return InvalidData(
        f"{table.path} is no mask of these views: give a column for each of {len(reading.tables) - 1} views, and 0 or "
        f"1 for each sample{why}; if it is a view, call the file otherwise."
    )


def _in_order_of_views(table: Table, marks: NDArray[np.float64], views: list[str]) -> NDArray[np.float64]:
    """The columns of a mask in the order of the views, where it names them. InvalidData: it names some of them."""
    if not table.named or set(views).isdisjoint(table.names):
        return marks
    if sorted(views) != sorted(table.names):
        raise InvalidData(
            f"{table.path} has the columns {listed(table.names, most=8)}, and the views are {listed(views, most=8)}; "
            "give a column for each view, under its name."
        )
    return marks[:, [table.names.index(view) for view in views]]


# Classes: from a file, or from a column of a view.


def _labels(reading: _Reading, labels: LabelFile | None) -> NDArray[Any] | None:
    """The label of each sample as text; None without any. A file of them goes before a column of a view."""
    n, first = len(reading.arrays[0]), reading.tables[0].path.name
    columns = [(table, *table.classes) for table in reading.tables if table.classes is not None]
    if labels is None:
        return _own_labels(reading, columns) if columns else None
    for table, name, _ in columns:
        reading.not_used.append(f"the column '{name}' of {table.path.name}, as {labels.name} has the labels")
    values, said, not_used = labels_of(labels, reading.ids, n, first)
    reading.not_used += not_used
    if are_measurements(values.tolist()):
        reading.not_used.append(f"{labels.name} ({n} numbers; no labels: not all are whole numbers)")
        return None
    reading.said.append(said)
    for table, array in zip(reading.tables, reading.arrays, strict=True):
        for name in reproducing(table.names, array, values.tolist()):
            drop = f"--drop {shlex.quote(name)} leaves it out"
            reading.said.append(f"in {table.path.name}, the column '{name}' alone gives the labels; {drop}")
    return values


def _own_labels(reading: _Reading, columns: Sequence[tuple[Table, str, tuple[str, ...]]]) -> NDArray[np.object_]:
    """The classes in a column of a view or of several, which must agree."""
    label_of: dict[Any, str] = {}
    for table, name, values in columns:
        ids: Sequence[Any] = table.ids if table.ids is not None else range(len(values))
        for identity, value in zip(ids, values, strict=True):
            if not is_empty(value) and label_of.setdefault(identity, value) != value:
                raise InvalidData(
                    f"{table.path}: its column '{name}' says '{value}' where another view says '{label_of[identity]}'; "
                    "name the file of the labels by --labels, or leave columns out by --drop."
                )
        reading.said.append(f"the column '{name}' of {table.path.name} holds the labels and is no feature")
    samples: Sequence[Any] = reading.ids if reading.ids is not None else range(len(reading.arrays[0]))
    return np.array([label_of.get(identity) for identity in samples], dtype=object)
