"""Text files of rows and cells: their delimiter, their header, and a first column of sample ids."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mvarena.errors import InvalidData
from mvarena.readers.limits import fits_memory
from mvarena.readers.names import is_id_name, is_label_name
from mvarena.samples import EMPTY_MARKS

_DELIMITERS = ",;\t|"
_DECIMAL_COMMA = re.compile(r"^([+-]?\d+),(\d+(?:[eE][+-]?\d+)?)$")  # as spreadsheets of many countries write
_COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")
_CELL_NUMBERS = 10  # a cell as text takes the memory of so many numbers


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """A CSV file: its sample ids if it has any, and its other cells as text (n, d).

    header : of these cells. id_name : the header of the ids, '' where there is none.
    """

    path: Path
    ids: tuple[str, ...] | None
    header: tuple[str, ...] | None
    cells: list[list[str]]
    id_name: str = ""


def read_table(path: Path) -> TextTable:
    """Split a CSV file (comma, semicolon, tab, bar or blanks) into ids and cells. Raises InvalidData."""
    rows = split_rows(path)
    header = tuple(rows[0]) if _is_header(rows) else None
    body = rows[1:] if header else rows
    if not body:
        raise InvalidData(f"{path} has a header and no rows.")
    table = TextTable(path, None, header, body)
    return with_ids(table) if len(rows[0]) > 1 and _has_ids(header, body) else table


def with_ids(table: TextTable) -> TextTable:
    """The same with its first column as sample ids. Raises InvalidData where one occurs twice."""
    ids = tuple(row[0] for row in table.cells)
    twice, times = Counter(ids).most_common(1)[0]
    if times > 1:
        raise InvalidData(f"{table.path}: the sample id '{twice}' occurs twice; each sample needs an id of its own.")
    header, name = (None, "") if table.header is None else (table.header[1:], table.header[0])
    return TextTable(table.path, ids, header, [row[1:] for row in table.cells], name)


def with_common_ids(tables: Sequence[TextTable]) -> list[TextTable]:
    """The same, with the first column as ids, too, where it looks like a feature but is one of ids in other files.

    That is so where its header is that of another file's ids, or where all files have the same first header and it
    holds another whole number in each row, of which most are in the other files, too.
    """
    names = {table.id_name for table in tables} - {""}
    if len(tables) > 1 and not any(table.ids for table in tables) and _number_the_same(tables):
        names = {_first_name(table) for table in tables}
    return [with_ids(table) if not table.ids and _first_name(table) in names else table for table in tables]


def _first_name(table: TextTable) -> str:
    """The header of the first of several columns; '' where there is none."""
    return table.header[0] if table.header and len(table.header) > 1 else ""


def _number_the_same(tables: Sequence[TextTable]) -> bool:
    columns = [[row[0] for row in table.cells] for table in tables]
    if len({_first_name(table) for table in tables} | {""}) != 2:
        return False
    if not all(cell.isdecimal() for column in columns for cell in column):
        return False
    first, *others = map(set, columns)
    distinct = all(len(set(column)) == len(column) for column in columns)
    return distinct and all(2 * len(first & other) > min(len(first), len(other)) for other in others)


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
    delimiter = _delimiter(first)
    if not fits_memory((text.count(delimiter) + text.count("\n"), _CELL_NUMBERS)):
        raise InvalidData(f"{path} has more cells than fit into memory; save it as .npz.")
    try:
        if first.count(delimiter):
            rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter)]
        else:
            rows = [line.split() for line in text.splitlines()]
    except csv.Error as error:
        raise InvalidData(f"{path} is not a CSV file: {error}.") from error
    if delimiter != "," and first.count(delimiter):
        rows = [[_DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in row] for row in rows]
    rows = [row for row in rows if row not in ([], [""])]  # blank lines; a line of empty cells is a missing sample
    if not rows:
        raise InvalidData(f"{path} is empty.")
    return rows


def _delimiter(line: str) -> str:
    """The likeliest delimiter of a line; beside another delimiter, a comma between digits is a decimal comma."""
    counts = {delimiter: line.count(delimiter) for delimiter in _DELIMITERS}
    if any(counts[delimiter] for delimiter in _DELIMITERS if delimiter != ","):
        counts[","] -= len(_COMMA_IN_NUMBER.findall(line))
    return max(counts, key=lambda delimiter: counts[delimiter])


def is_number(cell: str) -> bool:
    if cell.lower() in EMPTY_MARKS:
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_header(rows: list[list[str]]) -> bool:
    """True if a column is numbers but for its first cell, or if the row names an id or a label column.

    So, too, if of three cells or more none is a number: a view without header would begin with numbers.
    """
    if len(rows) < 2:
        return False
    if (rows[0][0] and is_id_name(rows[0][0])) or is_label_name(rows[0][-1]):
        return True
    if len(rows[0]) > 2 and not any(map(is_number, rows[0])):
        return True
    columns = range(min(map(len, rows[:50])))
    return any(not is_number(rows[0][j]) and all(is_number(row[j]) and row[j] for row in rows[1:50]) for j in columns)


def _has_ids(header: tuple[str, ...] | None, body: list[list[str]]) -> bool:
    if header and is_id_name(header[0]):
        return True
    return any(not is_number(row[0]) for row in body) and all(row[0] for row in body)
