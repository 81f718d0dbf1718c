"""CSV files: one per view, labels in another; a first column of sample ids joins views that miss samples."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.reader import Imputation, Understanding
from mvarena.data import MultiViewData
from mvarena.errors import InvalidData
from mvarena.readers.imputation import complete_rows
from mvarena.readers.limits import fits_memory
from mvarena.readers.names import is_label_name
from mvarena.readers.storage import compact

ID_NAMES = ("", "id", "ids", "sample", "samples", "sampleid", "sample_id", "name", "index", "key", "unnamed: 0")
EMPTY_CELLS = ("", "na", "nan", "n/a", "null", "none", "?")
_DELIMITERS = ",;\t|"
_DECIMAL_COMMA = re.compile(r"^([+-]?\d+),(\d+(?:[eE][+-]?\d+)?)$")  # as spreadsheets of many countries write
_CELL_NUMBERS = 10  # a cell as text takes the memory of so many numbers


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """A CSV file: its sample ids if it has any, and its other cells as text (n, d)."""

    path: Path
    ids: tuple[str, ...] | None
    header: tuple[str, ...] | None
    cells: list[list[str]]


def read_table(path: Path) -> TextTable:
    """Split a CSV file (comma, semicolon, tab, bar or blanks) into ids and cells. Raises InvalidData."""
    rows = split_rows(path)
    header = tuple(rows[0]) if _is_header(rows) else None
    body = rows[1:] if header else rows
    if not body:
        raise InvalidData(f"{path} has a header and no rows.")
    if len(rows[0]) > 1 and _has_ids(header, body):
        ids = tuple(row[0] for row in body)
        twice, times = Counter(ids).most_common(1)[0]
        if times > 1:
            raise InvalidData(f"{path}: the sample id '{twice}' occurs twice; each sample needs an id of its own.")
        return TextTable(path, ids, header[1:] if header else None, [row[1:] for row in body])
    return TextTable(path, None, header, body)


def split_rows(path: Path) -> list[list[str]]:
    """Rows of a CSV file as text, all with as many cells as the first. Raises InvalidData."""
    try:
        if not fits_memory((path.stat().st_size,)):
            raise InvalidData(f"{path} is too large to be read as text in the available memory; save it as .npz.")
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path} is not UTF-8 text; save it as CSV in UTF-8.") from error
    except OSError as error:
        raise InvalidData(f"{path} cannot be read: {error.strerror or error}.") from error
    rows = _rows(path, text)
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise InvalidData(f"{path}: row {number} has {len(row)} cells and row 1 has {width}; give each as many.")
    return rows


def _rows(path: Path, text: str) -> list[list[str]]:
    if "\0" in text:
        raise InvalidData(f"{path} is not a CSV file: it contains null bytes.")
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    if not fits_memory((text.count(delimiter) + text.count("\n"), _CELL_NUMBERS)):
        raise InvalidData(f"{path} has more cells than fit into memory; save it as .npz.")
    try:
        if first.count(delimiter):
            rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter)]
        else:
            rows = [line.split() for line in text.splitlines()]
    except csv.Error as error:
        raise InvalidData(f"{path} is not a CSV file: {error}.") from error
    if delimiter == ";" and first.count(";"):
        rows = [[_DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in row] for row in rows]
    rows = [row for row in rows if row not in ([], [""])]  # blank lines; a line of empty cells is a missing sample
    if not rows:
        raise InvalidData(f"{path} is empty.")
    return rows


def _is_number(cell: str) -> bool:
    if cell.lower() in EMPTY_CELLS:
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_header(rows: list[list[str]]) -> bool:
    """True if a column is numbers but for its first cell, or if the row names an id or a label column."""
    if len(rows) < 2:
        return False
    if rows[0][0].lower() in ID_NAMES[1:] or is_label_name(rows[0][-1]):
        return True
    columns = range(min(map(len, rows[:50])))
    return any(not _is_number(rows[0][j]) and all(_is_number(row[j]) and row[j] for row in rows[1:50]) for j in columns)


def _has_ids(header: tuple[str, ...] | None, body: list[list[str]]) -> bool:
    if header and header[0].lower() in ID_NAMES:
        return True
    return any(not _is_number(row[0]) for row in body) and all(row[0] for row in body)


def _numbers(table: TextTable) -> NDArray[np.float64]:
    """The cells as numbers, empty ones as NaN."""
    with suppress(ValueError):  # an empty cell, or something that is no number: looked at one by one below
        return np.array(table.cells, dtype=np.float64)
    try:
        return np.array([[np.nan if c.lower() in EMPTY_CELLS else float(c) for c in row] for row in table.cells])
    except ValueError:
        for number, row in enumerate(table.cells, start=1):
            for column, cell in enumerate(row, start=1):
                if not _is_number(cell):
                    named = f"column '{table.header[column - 1]}'" if table.header else f"column {column}"
                    raise InvalidData(
                        f"{table.path}: '{cell[:30]}' (sample {number}, {named}) is not a number; "
                        "a view holds only numbers, apart from a first column of sample ids."
                    ) from None
        raise


def read_tables(
    name: str, paths: Sequence[Path], labels: Path | None, impute: Imputation | None = None
) -> Understanding:
    """Read one CSV file per view and one of labels; `impute` says what stands in for single empty cells."""
    tables = [read_table(path) for path in paths]
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
    arrays, imputed = complete_rows(paths, arrays, impute)
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
    return np.array([None if value.lower() in EMPTY_CELLS else value for value in values], dtype=object)
