"""Detection of a header: by the first row's cells, the rows below, and the other files of the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from mvarena.naming import is_id_name, is_label_name
from mvarena.readers.table_numbers import is_empty, is_measured, is_number, is_whole
from mvarena.readers.tables import Cells

_LOOKED_AT = (50, 1000)  # rows and columns
_FEW = 0.1  # of the rows may look like a header by chance
_STEPS, _RISING, _DISTINCT = 4, 8, 5  # numbers that have equal steps, only rise or only fall, or are distinct


def reasons_for_headers(tables: Sequence[Cells], n: int | None, ids: Sequence[str] = ()) -> list[str]:
    """Reasons why the first row of each file is a header; empty where it is a sample.

    n, ids : number of the samples, and ids of those with labels, where known.
    """
    reasons = [_reason(table) for table in tables]
    open_ones = [i for i, reason in enumerate(reasons) if not reason]
    for i in open_ones:
        if any(_begin_alike(tables[i], tables[j], 2 if reasons[j] else 3) for j in range(len(tables)) if j != i):
            reasons[i] = "another file begins with the same numbers"
        elif _is_alone(tables[i], set(ids)):
            reasons[i] = "it holds whole numbers beside what is no id of the labels"
    samples = {len(table.rows) - 1 for table, reason in zip(tables, reasons, strict=True) if reason}
    samples |= set() if n is None else {n}
    for i in open_ones:
        numbers = all(is_number(row[0]) for row in tables[i].rows)  # no ids
        if not reasons[i] and samples == {len(tables[i].rows) - 1} and numbers:
            reasons[i] = "the file has one row more than others have samples"
    return reasons


def _is_alone(table: Cells, ids: set[str]) -> bool:
    """True for distinct whole numbers in a first row whose first cell is no id, as nearly all others are."""
    (first, *names), *body = table.rows
    met = sum(row[0] in ids for row in body)
    whole = bool(names) and all(map(is_whole, names)) and len(set(names)) == len(names)
    return whole and first not in ids and met >= (1 - _FEW) * len(body) > 0


def _reason(table: Cells) -> str:
    first, *body = [row[: _LOOKED_AT[1]] for row in table.rows[: _LOOKED_AT[0] + 1]]
    last = table.rows[0][-1]
    if not body:
        return ""
    if table.row_names:
        return "it has one cell less than the others"
    names_labels = last and is_label_name(last) and all(row[-1] != last for row in table.rows[1:])
    if (first[0] and is_id_name(first[0])) or names_labels:
        return "it names the ids or labels"
    columns = list(zip(*body, strict=True))
    above = sum(_is_name(cell) and _are_numbers(column) for cell, column in zip(first, columns, strict=True))
    if above and above >= sum(is_number(cell) and not is_whole(cell) for cell in first):
        return "it has text above numbers"
    if len(first) > 2 and any(first) and not any(map(is_measured, filter(None, first))):
        return "it holds no number"
    return _reason_by_numbers(first, columns, table.quoted)


def _is_name(cell: str) -> bool:
    return not is_empty(cell) and not is_measured(cell)


def _are_numbers(column: Sequence[str]) -> bool:
    known = [cell for cell in column if not is_empty(cell)]
    return bool(known) and all(map(is_number, known))


# A first row of numbers: 0,1,2,3 as pandas writes it, wavelengths, years, ids of genes.


def _reason_by_numbers(first: Sequence[str], columns: Sequence[Sequence[str]], quoted: bool) -> str:
    blank_corner = not first[0] and len(first) > 1 and _are_ids(columns[0])
    start = 1 if blank_corner or (len(first) > 1 and not _are_numbers(columns[0])) else 0
    names = first[start:]
    if not names or not all(map(is_number, names)) or any(cell.isalpha() for cell in names):
        return ""
    if blank_corner:
        return "its first cell is blank above ids"
    if quoted:
        return "it is quoted and the others are not"
    values = [_value(cell) for cell in names]
    rows = [[_value(cell) for cell in row[start:] if is_number(cell)] for row in zip(*columns, strict=True)]
    decimals = all(map(_mostly_decimal, columns[start:]))

    def unusual(test: Callable[[Sequence[float]], bool]) -> bool:
        """True if the first row looks so, and few of the others do."""
        return test(values) and sum(map(test, rows)) <= _FEW * len(rows)

    if len(values) > 1 and _counts(values) and (decimals or (len(values) > 2 and unusual(_steps))):
        return "it counts the columns"
    if len(values) >= _STEPS - start and unusual(_steps):
        return "its numbers have equal steps"
    if len(values) >= _RISING and unusual(_monotone):
        return "its numbers are in order"
    if not all(map(is_whole, names)) or not _distinct(values):
        return ""
    if decimals and len(values) > 2:
        return "it holds whole numbers above decimals"
    below = [[_value(cell) for cell in column if is_number(cell)] for column in columns[start:]]
    beyond = any(not min(column) <= value <= max(column) for value, column in zip(values, below, strict=True) if column)
    return "its numbers are distinct" if beyond and len(values) >= _DISTINCT and unusual(_distinct) else ""


def _value(cell: str) -> float:
    try:
        return float(cell.replace(",", "."))
    except ValueError:  # True, or with groups of digits
        return float("nan")


def _are_ids(column: Sequence[str]) -> bool:
    """True for text, or distinct whole numbers, in every row."""
    text = all(not is_empty(cell) for cell in column) and not all(map(is_number, column))
    return text or (all(map(is_whole, column)) and len(set(column)) == len(column))


def _mostly_decimal(column: Sequence[str]) -> bool:
    known = [cell for cell in column if is_number(cell)]
    return 2 * sum(not is_whole(cell) for cell in known) > len(known)


def _counts(values: Sequence[float]) -> bool:
    return values[0] in (0, 1) and list(values) == [values[0] + i for i in range(len(values))]


def _steps(values: Sequence[float]) -> bool:
    steps = [after - before for before, after in pairwise(values)]
    return len(steps) > 0 and steps[0] != 0 and all(abs(step - steps[0]) <= 1e-6 * abs(steps[0]) for step in steps)


def _monotone(values: Sequence[float]) -> bool:
    pairs = list(pairwise(values))
    return all(before < after for before, after in pairs) or all(before > after for before, after in pairs)


def _distinct(values: Sequence[float]) -> bool:
    return len(set(values)) == len(values)


def _begin_alike(table: Cells, other: Cells, least: int) -> bool:
    """True if the first rows are the same distinct numbers, as far as the shorter goes, and the second rows are not."""
    shorter = min(len(table.rows[0]), len(other.rows[0]))
    starts = [cells.rows[0][:shorter] for cells in (table, other)]
    if shorter < least or starts[0] != starts[1] or len(set(starts[0])) < shorter or not all(map(is_number, starts[0])):
        return False
    return min(len(table.rows), len(other.rows)) > 1 and table.rows[1][:shorter] != other.rows[1][:shorter]
