"""Cells of tables as numbers: ASCII digits, a sign, one decimal sign, an exponent; the format is one for a file."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.reader import Decimal
from mvarena.errors import InvalidData
from mvarena.readers.tables import Table
from mvarena.samples import EMPTY_MARKS

_BOOLEANS = {"true": 1.0, "false": 0.0}
_PLAIN = re.compile("[-+.,0-9eE]*")  # of which `float` takes nothing for a number that is none


def _form(decimal: str, group: str) -> re.Pattern[str]:
    """Numbers with this decimal sign; this sign, thin blanks or apostrophes between groups of three digits."""
    grouped = rf"[1-9]\d{{0,2}}(?P<group>[{group}'’\u00a0\u202f])\d{{3}}(?:(?P=group)\d{{3}})*(?:{decimal}\d*)?"
    plain = rf"(?:\d+(?:{decimal}\d*)?|{decimal}\d+)(?:[eE][+-]?\d+)?"
    return re.compile(rf"[+-]?(?:{grouped}|{plain})", re.ASCII)


_FORMS: dict[Decimal, re.Pattern[str]] = {"point": _form(r"\.", ","), "comma": _form(",", r"\.")}
_GROUPS = {"point": re.compile("[,'’\u00a0\u202f]"), "comma": re.compile("[.'’\u00a0\u202f]")}
_AROUND = "<>≤≥~=$€£¥%‰ "
_FAULTS = (
    (re.compile(r"[%‰]"), "holds a percent sign; remove the signs from that column"),
    (re.compile(r"[$€£¥]"), "holds a sign of currency; remove the signs from that column"),
    (re.compile(r"[<>≤≥~]"), "is a bound and no number; write a number, or leave the cell empty"),
)


def is_empty(cell: str) -> bool:
    return cell.lower() in EMPTY_MARKS


def is_number(cell: str) -> bool:
    """True for a number with a decimal point or a decimal comma, and for True and False."""
    return cell.lower() in _BOOLEANS or any(form.fullmatch(cell) for form in _FORMS.values())


def is_whole(cell: str) -> bool:
    """True for digits alone, with or without a sign."""
    digits = cell[1:] if cell[:1] in ("+", "-") else cell
    return digits.isascii() and digits.isdigit()


def is_fraction(cell: str) -> bool:
    """True for a number that is not whole; 1.0 is."""
    return is_number(cell) and re.search(r"[.,]\d*[1-9]", cell) is not None


def is_measured(cell: str) -> bool:
    """True for a number, and for a cell that a person reads as one: 12 %, <0.1, €5, inf."""
    core = cell.strip(_AROUND)
    return is_number(core) or core.lower().lstrip("+-") in ("inf", "infinity")


def decimal_sign(path: Path, rows: Sequence[Sequence[str]], way_out: str, field: str | None = None) -> Decimal:
    """The decimal sign of a file with these cells; the point where none has a sign.

    A sign with three digits behind it may group thousands: where all are so, InvalidData says the way out.
    """
    unclear = ""
    for cell in (cell for row in rows for cell in row):
        if "." in cell or "," in cell:
            fitting: list[Decimal] = [sign for sign, form in _FORMS.items() if form.fullmatch(cell)]
            if len(fitting) == 1:
                return fitting[0]
            unclear = unclear or (cell if fitting else "")
    if unclear:
        raise InvalidData(
            f"{path}: the {'point' if '.' in unclear else 'comma'} in '{unclear}' may be a decimal sign or group "
            f"thousands, as all numbers of the file with such a sign have three digits behind it; {way_out}.",
            field=field,
        )
    return "point"


def numbers(table: Table, wanted: Decimal | None) -> NDArray[np.float64]:
    """The cells (n, d) as numbers, empty ones as NaN.

    wanted : the decimal sign; None: to be found out.
    Raises InvalidData, with the cell, for anything else; and, asking for the decimal sign, where it is open.
    """
    decimal = wanted or decimal_sign(table.path, table.rows, "give the decimal sign, point or comma", "decimal")
    result = np.empty((len(table.rows), len(table.names)))
    for i, row in enumerate(table.rows):
        with suppress(ValueError):
            if decimal == "point" and _PLAIN.fullmatch(",".join(row)):
                result[i] = np.fromiter(map(float, row), np.float64, len(row))
                continue
        values = [as_number(cell, decimal) for cell in row]
        if None in values:
            raise _no_numbers(table, decimal)
        result[i] = values
    if np.isinf(result).any():
        raise _no_numbers(table, decimal)
    return result


def as_number(cell: str, decimal: Decimal) -> float | None:
    """The number in a cell, NaN where it is empty; None where it is none."""
    if _FORMS[decimal].fullmatch(cell):
        digits = _GROUPS[decimal].sub("", cell)
        return float(digits.replace(",", ".") if decimal == "comma" else digits)
    return np.nan if is_empty(cell) else _BOOLEANS.get(cell.lower())


def _no_numbers(table: Table, decimal: Decimal) -> InvalidData:
    """Error that names the columns of text, or else the first cell that is no finite number, and what to do."""
    columns = zip(table.names, zip(*table.rows, strict=True), strict=True)
    texts = [(name, column) for name, column in columns if _is_text(column)]
    if texts:
        name, column = texts[0]
        row = next(i for i, cell in enumerate(column) if not is_empty(cell) and not is_measured(cell))
        more = f"; so {'is' if len(texts) == 2 else 'are'} {len(texts) - 1} more" if len(texts) > 1 else ""
        return InvalidData(
            f"{table.path}: '{column[row][:30]}' ({table.place(row, name)}) is not a number"
            f"{more}; a view holds only numbers, apart from sample ids.{_drop([name for name, _ in texts], table)}"
        )
    for row, cells in enumerate(table.rows):
        for name, cell in zip(table.names, cells, strict=True):
            number = as_number(cell, decimal)
            if number is None or np.isinf(number):
                where = f"{table.path}: '{cell[:30]}' ({table.place(row, name)})"
                fault = _fault(cell, decimal).replace("that column", "that row" if table.turned else "that column")
                return InvalidData(f"{where} {fault}.{_drop([name], table)}")
    raise AssertionError("every cell is a number")


def _drop(columns: Sequence[str], table: Table) -> str:
    """Option that leaves these columns (rows of a file that is turned) out; empty where no other one would stay."""
    if len(columns) == len(table.names):
        return ""
    line = "row" if table.turned else "column"
    what = f"the {line}" if len(columns) == 1 else f"these {line}s"
    return f" --drop {' '.join(map(shlex.quote, columns))} leaves {what} out."


def _is_text(column: Sequence[str]) -> bool:
    """True if most of the cells that are not empty are neither numbers nor meant as such."""
    known = [cell for cell in column if not is_empty(cell)]
    return 2 * sum(map(is_measured, known)) < len(known)


def _fault(cell: str, decimal: Decimal) -> str:
    if "inf" in cell.lower() or as_number(cell, decimal) is not None:
        return "is infinite; give a number, or leave the cell empty"
    if is_number(cell):
        return f"is no number with a decimal {decimal}, as others of the file are; write all numbers alike"
    for pattern, fault in _FAULTS:
        if pattern.search(cell):
            return fault
    return "is not a number; correct it, or leave the cell empty"
