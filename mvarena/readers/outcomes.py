"""CSV files of outcomes: survival and further columns of each sample, with a header and maybe sample ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.outcome_table import ABSENT, OutcomeTable
from mvarena.errors import InvalidData, unknown_name
from mvarena.readers.delimited import split_rows
from mvarena.readers.names import is_id_name
from mvarena.samples import EMPTY_MARKS

_SEEN = {"1", "1.0", "true", "yes", "dead", "deceased"}
_NOT_SEEN = {"0", "0.0", "false", "no", "alive", "living", "censored"}
_MOST_SHOWN = 3


def read_outcomes(path: Path, time: str = "", event: str = "", ids: Sequence[str] | None = None) -> OutcomeTable:
    """Read a CSV file of outcomes, a row per sample.

    time, event : the columns of survival, or ''; an event is 1, true, yes or dead, and 0, false, no or alive where the
        sample was last seen without one; event 'status=relapse' says which value of the column 'status' is one.
    ids : of the samples, in their order: the rows are joined by the file's first column, and samples without a row have
        no outcomes. None: the rows are the samples, in their order; so, too, where the first column holds no ids.

    A column in which all values are numbers is one of numbers, any other one of categories. A text column with another
    value for most samples, such as names, is left out.

    Raises InvalidData for a file that is damaged, has other samples or holds what is no time or event, and UnknownName
    for a column that there is not.
    """
    rows = split_rows(path)
    header, body = rows[0], rows[1:]
    if not body:
        raise InvalidData(f"{path} has no rows below its header; outcomes need a header and one row for each sample.")
    columns = {name: [row[i] for row in body] for i, name in enumerate(header)}
    if len(columns) < len(header):
        raise InvalidData(
            f"{path} has two columns with the same name in its first row; outcomes need a header with distinct names."
        )
    parts: dict[str, Any] = {}
    used = set()
    if time:
        name, _, value = event.partition("=")
        for column in (time, name):
            if column not in columns:
                hint = f"Its columns are {', '.join(header)}."
                raise unknown_name(f"column of {path.name}", column, header, hint)
        times = _times(path, time, columns[time])
        events = _events(path, name, columns[name], value)
        unknown = np.isnan(times) | np.array([item is None for item in events])
        parts = {
            "time": np.where(unknown, np.nan, times),
            "event": np.array([bool(item) for item in events]) & ~unknown,
            "names": (time, event),
        }
        used = {time, name}
    first = header[0]
    row_ids = columns[first] if first not in used and _are_ids(first, columns[first], ids or ()) else None
    kept = {name: _column(cells) for name, cells in columns.items() if name not in used}
    if row_ids is not None:
        del kept[first]
    further = {name: column for name, column in kept.items() if column is not None}
    table = OutcomeTable(n_samples=len(body), columns=further, **parts)
    return table if ids is None or row_ids is None else table.take(_joined(path, row_ids, ids))


def _are_ids(name: str, cells: list[str], ids: Sequence[str]) -> bool:
    """True for a column that is named as ids are, holds one of `ids`, or another text in most rows."""
    named = is_id_name(name) or not set(ids).isdisjoint(cells)
    return named or (_numbers(cells) is None and _mostly_differ(cells))


def _mostly_differ(cells: list[str]) -> bool:
    """True if most rows have a text that no other row has."""
    return sum(count == 1 for count in Counter(cells).values()) > len(cells) / 2


def _joined(path: Path, row_ids: list[str], ids: Sequence[str]) -> NDArray[np.int64]:
    """(n,) the row of each sample, or ABSENT."""
    row_of = {identity: row for row, identity in enumerate(row_ids)}
    if len(row_of) < len(row_ids):
        twice = next(identity for row, identity in enumerate(row_ids) if row_of[identity] != row)
        raise InvalidData(f"{path}: the sample id '{twice}' occurs twice; give each sample one row of outcomes.")
    rows = np.array([row_of.get(identity, ABSENT) for identity in ids], dtype=np.int64)
    if (rows == ABSENT).all():
        raise InvalidData(
            f"{path} has no row for any sample: its ids look like '{row_ids[0]}', and those of the data like "
            f"'{ids[0]}'."
        )
    return rows


def _numbers(cells: list[str]) -> NDArray[np.float64] | None:
    """(n,) the cells as numbers, NaN where empty; None where one is no number, or all are empty."""
    try:
        values = np.array([np.nan if cell.lower() in EMPTY_MARKS else float(cell) for cell in cells])
    except ValueError:
        return None
    return None if np.isnan(values).all() else values


def _column(cells: list[str]) -> NDArray[Any] | None:
    """(n,) a column of numbers or of categories; None for one that is neither."""
    numbers = _numbers(cells)
    if numbers is not None:
        return numbers if np.isfinite(numbers[~np.isnan(numbers)]).all() else None
    texts = np.array(["" if cell.lower() in EMPTY_MARKS else cell for cell in cells])
    known = texts[texts != ""].tolist()
    return texts if known and not _mostly_differ(known) else None


def _times(path: Path, name: str, cells: list[str]) -> NDArray[np.float64]:
    for row, cell in enumerate(cells, start=1):
        if cell.lower() not in EMPTY_MARKS and not _is_time(cell):
            raise InvalidData(
                f"{path}: '{cell[:30]}' in column '{name}', sample {row}, is no time; give numbers of at least 0."
            )
    return np.array([np.nan if cell.lower() in EMPTY_MARKS else float(cell) for cell in cells])


def _is_time(cell: str) -> bool:
    try:
        return 0.0 <= float(cell) < float("inf")
    except ValueError:
        return False


def _events(path: Path, name: str, cells: list[str], value: str) -> list[bool | None]:
    """True for each event that was seen, None where that is unknown."""
    if value:
        if value not in cells:
            shown = ", ".join(sorted(set(cells))[:_MOST_SHOWN])
            raise InvalidData(f"{path}: no sample has '{value}' in column '{name}'; its values include {shown}.")
        return [None if cell.lower() in EMPTY_MARKS else cell == value for cell in cells]
    strange = sorted({cell for cell in cells if cell.lower() not in (*_SEEN, *_NOT_SEEN, *EMPTY_MARKS)})
    if strange:
        raise InvalidData(
            f"{path}: column '{name}' holds '{strange[0][:30]}', and events are 1 or 0; say which value is an event, "
            f"as in '{name}={strange[-1][:30]}'."
        )
    return [None if cell.lower() in EMPTY_MARKS else cell.lower() in _SEEN for cell in cells]
