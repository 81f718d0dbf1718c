"""CSV files of outcomes: survival and further columns of each sample, with a header and maybe sample ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.outcome_table import ABSENT, OutcomeTable
from mvarena.contracts.reader import Decimal
from mvarena.errors import InvalidData, unknown_name
from mvarena.joining import no_common_ids, refuse_other_starts
from mvarena.naming import is_id_name
from mvarena.readers.table_numbers import as_number, decimal_sign, is_empty, is_measured, is_number, is_whole
from mvarena.readers.tables import read_cells
from mvarena.text import listed, plural

_SEEN = {"1", "1.0", "true", "yes", "dead", "deceased"}
_NOT_SEEN = {"0", "0.0", "false", "no", "alive", "living", "censored"}
_MOST_SHOWN = 3


def read_outcomes(
    path: Path, time: str = "", event: str = "", ids: Sequence[str] | None = None, decimal: Decimal | None = None
) -> OutcomeTable:
    """Read a CSV file of outcomes, a row per sample.

    time, event : the columns of survival, or ''; an event is 1, true, yes or dead, and 0, false, no or alive where the
        sample was last seen without one; event 'status=relapse' says which value of the column 'status' is one, beside
        one other.
    ids : of the samples, in their order: the rows are joined by the column that holds most of them, and samples without
        a row have no outcomes. None: the rows are the samples, in their order; so, too, where no column holds ids,
        which is said.
    decimal : the decimal sign; None: to be found out.

    A column in which all values are numbers is one of numbers, any other one of categories. A text column with another
    value for most samples, such as names, is left out; so is one of numbers with bounds such as '>89', which is said.

    Raises InvalidData for a file that is damaged, has other samples or holds what is no time or event, and UnknownName
    for a column that there is not.
    """
    header, *body = read_cells(path).rows
    if not body:
        raise InvalidData(f"{path} has no rows below its header; outcomes need a header and one row for each sample.")
    columns = {name: [row[i] for row in body] for i, name in enumerate(header)}
    if len(columns) < len(header):
        raise InvalidData(
            f"{path} has two columns with the same name in its first row; outcomes need a header with distinct names."
        )
    decimal = decimal or decimal_sign(
        path, body, "give --decimal point or comma for .csv views, or write it without groups"
    )
    parts: dict[str, Any] = {}
    used = set()
    if time:
        name, _, value = event.partition("=")
        for column in (time, name):
            if column not in columns:
                hint = f"Its columns are {', '.join(header)}."
                raise unknown_name(f"column of {path.name}", column, header, hint)
        times = _times(path, time, columns[time], decimal)
        events = _events(path, name, columns[name], value)
        unknown = np.isnan(times) | np.array([item is None for item in events])
        parts = {
            "time": np.where(unknown, np.nan, times),
            "event": np.array([bool(item) for item in events]) & ~unknown,
            "names": (time, event),
        }
        used = {time, name}
    id_name = _id_column({name: cells for name, cells in columns.items() if name not in used}, header[0], ids or ())
    kept = {name: cells for name, cells in columns.items() if name not in (*used, id_name)}
    read = {name: _column(cells, decimal) for name, cells in kept.items()}
    notes = tuple(
        f"{name} is not used: '{column}' is no number" for name, column in read.items() if isinstance(column, str)
    )
    further = {name: column for name, column in read.items() if isinstance(column, np.ndarray)}
    table = OutcomeTable(n_samples=len(body), columns=further, notes=notes, **parts)
    if ids is not None and id_name is None:
        _refuse_numbers(path, header[0], columns[header[0]], header[0] in used)
        return replace(table, notes=("its rows are taken in the order of the samples", *notes))
    if ids is None or id_name is None:
        return table
    rows = _joined(path, columns[id_name], ids)
    met = int((rows != ABSENT).sum())
    joined = () if met == len(ids) else (f"{path.name} has rows of {met} of {plural(len(ids), 'sample')}",)
    return replace(table.take(rows), notes=(*joined, *notes))


def columns_of(path: Path) -> list[list[str]]:
    """The cells of each column below the header."""
    return [list(column) for column in zip(*read_cells(path).rows[1:], strict=True)]


def _refuse_numbers(path: Path, name: str, cells: list[str], used: bool) -> None:
    """Raise InvalidData for a first column with another whole number in each row, which may be ids of other files."""
    if not used and len(set(cells)) == len(cells) and all(map(is_whole, cells)):
        raise InvalidData(
            f"{path}: no column holds the ids of the data, and the first one, '{name}', holds distinct whole numbers; "
            "write the ids as in the data, or leave it out where the rows are in the order of the samples."
        )


def _id_column(columns: dict[str, list[str]], leading: str, ids: Sequence[str]) -> str | None:
    """The column with most of the `ids`; else the first one, where it is named as ids are, or holds as many texts.

    leading : the first column of the file, where numbers may be ids.
    """
    if not columns:
        return None
    known = set(ids)
    met = {name: len(known.intersection(cells)) for name, cells in columns.items() if _mostly_differ(cells)}
    met = {name: count for name, count in met.items() if _may_be_ids(name, columns[name], leading, count, len(known))}
    if met:
        return max(met, key=lambda name: met[name])
    first, cells = next(iter(columns.items()))
    return first if is_id_name(first) or (not all(map(is_number, cells)) and _mostly_differ(cells)) else None


def _may_be_ids(name: str, cells: list[str], leading: str, met: int, known: int) -> bool:
    """True for a column with ids that its name tells, or that are most of it; numbers need a place or a name of ids."""
    if is_id_name(name) or not met:
        return met > 0
    fewer = min(known, len(cells))
    return met == fewer and name == leading if all(map(is_number, cells)) else 2 * met >= fewer


def _mostly_differ(cells: list[str]) -> bool:
    """True if most rows have a text that no other row has."""
    return sum(count == 1 for count in Counter(cells).values()) > len(cells) / 2


def _joined(path: Path, row_ids: list[str], ids: Sequence[str]) -> NDArray[np.int64]:
    """(n,) the row of each sample, or ABSENT."""
    refuse_other_starts("the data", ids, path.name, row_ids)
    row_of = {identity: row for row, identity in enumerate(row_ids)}
    if len(row_of) < len(row_ids):
        twice = next(identity for row, identity in enumerate(row_ids) if row_of[identity] != row)
        raise InvalidData(f"{path}: the sample id '{twice}' occurs twice; give each sample one row of outcomes.")
    rows = np.array([row_of.get(identity, ABSENT) for identity in ids], dtype=np.int64)
    if (rows == ABSENT).all():
        raise InvalidData(f"{path} has no row for any sample: {no_common_ids('the data', ids, path.name, row_ids)}")
    return rows


def _column(cells: list[str], decimal: Decimal) -> NDArray[Any] | str | None:
    """(n,) a column of numbers or of categories; None for one that is neither, and a cell that keeps it from being one
    of numbers: '>89'."""
    values = [as_number(cell, decimal) for cell in cells]
    strange = [cell for cell, value in zip(cells, values, strict=True) if value is None]
    if not strange:
        numbers = np.array(values, dtype=np.float64)
        return None if np.isnan(numbers).all() or np.isinf(numbers).any() else numbers
    if all(map(is_measured, strange)):
        return strange[0]
    texts = np.array(["" if is_empty(cell) else cell for cell in cells])
    known = texts[texts != ""].tolist()
    return texts if known and not _mostly_differ(known) else None


def _times(path: Path, name: str, cells: list[str], decimal: Decimal) -> NDArray[np.float64]:
    values = [as_number(cell, decimal) for cell in cells]
    for row, (cell, value) in enumerate(zip(cells, values, strict=True), start=1):
        if value is None or value < 0 or np.isinf(value):
            raise InvalidData(
                f"{path}: '{cell[:30]}' in column '{name}', sample {row}, is no time; give numbers of at least 0, or "
                "leave the cell empty."
            )
    return np.array(values, dtype=np.float64)


def _events(path: Path, name: str, cells: list[str], value: str) -> list[bool | None]:
    """True for each event that was seen, None where that is unknown."""
    known = sorted({cell for cell in cells if not is_empty(cell)})
    if value:
        others = [cell for cell in known if cell != value]
        if len(others) == len(known):
            raise InvalidData(
                f"{path}: no sample has '{value}' in column '{name}'; its values include {_shown(known)}."
            )
        if len(others) > 1:
            raise InvalidData(
                f"{path}: column '{name}' holds {_shown(others)} besides '{value}'; an event has one other value, of "
                "samples last seen without one; leave the cell empty where it is unknown."
            )
        if not others and len(known) < len(set(cells)):
            raise InvalidData(
                f"{path}: column '{name}' holds '{value}' and empty cells; give samples last seen without an event a "
                "value of their own, such as 0, and leave empty only what is unknown."
            )
        return [None if is_empty(cell) else cell == value for cell in cells]
    strange = [cell for cell in known if _code(cell) not in (*_SEEN, *_NOT_SEEN)]
    if strange:
        raise InvalidData(
            f"{path}: column '{name}' holds '{strange[0][:30]}', and events are 1 or 0; say which value is an event, "
            f"as in '{name}={strange[-1][:30]}'."
        )
    return [None if is_empty(cell) else _code(cell) in _SEEN for cell in cells]


def _code(cell: str) -> str:
    """The value of a cell, in lower case; of '1:DECEASED' the number."""
    code, _, _ = cell.lower().partition(":")
    return code if code in ("0", "1") else cell.lower()


def _shown(values: Sequence[str]) -> str:
    return listed((f"'{value}'" for value in values), most=_MOST_SHOWN)
