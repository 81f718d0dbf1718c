"""CSV files: one per view, labels in another; a first column of sample ids joins views that miss samples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.reader import Imputation, Understanding
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.readers.delimited import TextTable, is_number, read_table, with_common_ids
from mvarena.readers.imputation import complete_rows
from mvarena.readers.limits import compact, fits_memory
from mvarena.samples import EMPTY_MARKS

_WITH_COMMAS = re.compile(r"[\d.,' +-]+")


def _numbers(table: TextTable) -> NDArray[np.float64]:
    """The cells as numbers, empty ones as NaN. Raises InvalidData, with the cell, for anything else."""
    numbers = None
    with suppress(ValueError):  # an empty cell, or something that is no number: looked at one by one below
        numbers = np.array(table.cells, dtype=np.float64)
    if numbers is None:
        with suppress(ValueError):
            cells = [[np.nan if c.lower() in EMPTY_MARKS else float(c) for c in row] for row in table.cells]
            numbers = np.array(cells)
    if numbers is None or np.isinf(numbers).any():
        raise _no_number(table)
    return numbers


def _no_number(table: TextTable) -> InvalidData:
    """Error that names the first cell that is no finite number."""
    for number, row in enumerate(table.cells, start=1):
        for column, cell in enumerate(row, start=1):
            if is_number(cell) and not (cell.lower() not in EMPTY_MARKS and np.isinf(float(cell))):
                continue
            named = f"column '{table.header[column - 1]}'" if table.header else f"column {column}"
            if is_number(cell):
                hint = "infinite; give a number, or leave the cell empty."
            elif _WITH_COMMAS.fullmatch(cell):
                hint = "not a number; write a decimal point, and no commas or blanks within numbers."
            else:
                hint = "not a number; a view holds only numbers, apart from a first column of sample ids."
            return InvalidData(f"{table.path}: '{cell[:30]}' (sample {number}, {named}) is {hint}")
    raise AssertionError("every cell is a number")


def read_tables(
    name: str, paths: Sequence[Path], labels: Path | None, impute: Imputation | None = None
) -> Understanding:
    """Read one CSV file per view and one of labels; `impute` says what stands in for single empty cells."""
    tables = with_common_ids([read_table(path) for path in paths])
    text = [_sentence(table) for table in tables]
    not_used: list[str] = []
    truth = None if labels is None else _read_labels(labels, text)
    names = _view_names(paths)
    if all(table.ids is not None for table in tables):
        arrays, order = _joined(tables)
        values = None if truth is None else _labels_of(order, truth, labels, not_used)
        text.append(f"the ids join {len(order)} samples")
    elif any(table.ids is not None for table in tables):
        without = next(table.path for table in tables if table.ids is None)
        raise InvalidData(f"{without} has no first column of sample ids but other views have; give each view one.")
    else:
        arrays = [_numbers(table) for table in tables]
        values = None if truth is None else _classes(truth[1])
        _check_lengths(paths, arrays, values, labels)
    if values is not None and labels is not None and _are_measurements(values):
        not_used.append(f"{labels.name} ({len(values)} numbers; no labels: not all are whole numbers)")
        values = None
    arrays, imputed = complete_rows(paths, arrays, impute, [table.header for table in tables])
    if imputed:
        text.append(imputed)
    data = MultiViewData.from_arrays(
        [compact(array) for array in arrays],
        labels=values,
        name=name,
        view_names=names,
        ids=order if tables[0].ids is not None else None,
    )
    return Understanding(data, tuple(text), tuple(not_used), tuple(table.header for table in tables), imputed)


def _sentence(table: TextTable) -> str:
    parts = [f"{table.path.name} is a view: {len(table.cells)} samples as rows, {len(table.cells[0])} features"]
    if table.header:
        parts.append("a header")
    if table.ids:
        parts.append("sample ids in the first column")
    return ", ".join(parts)


def _view_names(paths: Sequence[Path]) -> list[str]:
    stems = [path.stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [f"view{i}" for i in range(1, len(stems) + 1)]


def _check_lengths(paths: Sequence[Path], arrays: list[Any], values: Any, labels: Path | None) -> None:
    n = len(arrays[0])
    for path, array in zip(paths, arrays, strict=True):
        if len(array) != n:
            raise InvalidData(
                f"{path} has {len(array)} rows and {paths[0]} has {n}; where views miss samples, "
                "give every file a first column named id."
            )
    if values is not None and len(values) != n:
        raise InvalidData(f"{labels} has {len(values)} labels and the views have {n} samples; give one per sample.")


def _joined(tables: list[TextTable]) -> tuple[list[NDArray[np.float64]], list[str]]:
    """The views at full length (NaN rows where a sample is missing) and the ids in order of first appearance."""
    order = list(dict.fromkeys(identity for table in tables for identity in table.ids or ()))
    features = sum(len(table.cells[0]) for table in tables)
    if not fits_memory((len(order), features)):
        raise InvalidData(
            f"{tables[0].path}: by their ids the views have {len(order)} samples and {features} features, which does "
            "not fit into memory; give the views the same samples."
        )
    row_of = {identity: row for row, identity in enumerate(order)}
    arrays = []
    for table in tables:
        numbers = _numbers(table)
        full = np.full((len(order), numbers.shape[1]), np.nan)
        full[[row_of[identity] for identity in table.ids or ()]] = numbers
        arrays.append(full)
    return arrays, order


def _read_labels(path: Path, said: list[str]) -> tuple[tuple[str, ...] | None, list[str]]:
    """Ids (or None) and one label per sample, from a file whose last column holds the labels."""
    table = read_table(path)
    width = len(table.cells[0])
    ids, column = table.ids, 0
    if ids is None and width == 2:
        ids, column = tuple(row[0] for row in table.cells), 1
    if width - column != 1:
        raise InvalidData(f"{path} has {width} columns; labels are one column, after an optional column of ids.")
    said.append(f"{path.name} holds the labels of {len(table.cells)} samples")
    return ids, [row[column] for row in table.cells]


def _labels_of(
    order: list[str], truth: tuple[tuple[str, ...] | None, list[str]], path: Path | None, not_used: list[str]
) -> NDArray[Any]:
    """The labels of the samples in `order`, by their ids."""
    ids, values = truth
    if ids is None:
        if len(values) != len(order):
            raise InvalidData(
                f"{path} has {len(values)} labels and there are {len(order)} samples; give ids there too."
            )
        return _classes(values)
    label_of = dict(zip(ids, values, strict=True))
    missing = [identity for identity in order if identity not in label_of]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise InvalidData(f"{path} has no label for the sample '{missing[0]}'{more}.")
    extra = len(label_of) - len(order)
    if extra:
        not_used.append(f"{extra} labels of samples that no view has")
    return _classes([label_of[identity] for identity in order])


def _are_measurements(values: NDArray[Any]) -> bool:
    """True for texts that are all numbers, of which some are not whole."""
    known = [value for value in values.tolist() if value is not None]
    try:
        return any(not float(value).is_integer() for value in known)
    except ValueError:
        return False


def _classes(values: list[str]) -> NDArray[Any]:
    """Labels as whole numbers if all are, else as text; empty cells are unlabelled samples."""
    with suppress(ValueError):
        return np.array([int(value) for value in values], dtype=np.int64)
    return np.array([None if value.lower() in EMPTY_MARKS else value for value in values], dtype=object)
