"""Numbers as papers print them: '42.59 ± 1.72 / 37.70 ± 1.44', '0.889(0.000) 0.913(0.000)', '**93.56** / 88.13'."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mvarena.errors import InvalidData

_NUMBER = re.compile(r"(?P<value>-?\d+(?:\.\d+)?)\s*%?(?:\s*(?:±|\()\s*(?P<std>\d+(?:\.\d+)?)\)?)?")
NONE = "-"  # what stands where the paper has no number
_LOST = "?"  # what stands where the text at hand has lost one


@dataclass(frozen=True, slots=True)
class Printed:
    """One number of a table: as printed, what it says, its deviation where there is one, and whether it is bold.

    digits : after the decimal point.
    """

    text: str
    value: float
    std: float | None = None
    bold: bool = False

    @property
    def digits(self) -> int:
        return len(self.text.split("(")[0].split("±")[0].strip(" %").partition(".")[2])


def read_cell(text: str, count: int) -> tuple[Printed | None, ...]:
    """The `count` numbers of a cell, in order; None where the paper has none (-) or the text lost it (?).

    Raises InvalidData, with the text, for anything else.
    """
    if text.strip("* ") in (NONE, _LOST):
        return (None,) * count
    whole = text.startswith("**") and text.endswith("**") and text.count("**") == 2
    pieces = text.strip("*").split(" / ") if whole else text.split(" / ")
    if len(pieces) == 1 and count > 1:
        pieces = text.split()
    if len(pieces) != count:
        raise InvalidData(f"'{text}' holds {len(pieces)} numbers, not {count}; separate them by ' / '.")
    return tuple(_read(piece, bold=whole) for piece in pieces)


def _read(piece: str, *, bold: bool) -> Printed | None:
    bare = piece.strip().strip("*").strip()
    if bare in (NONE, _LOST):
        return None
    match = _NUMBER.fullmatch(bare)
    if match is None:
        raise InvalidData(f"'{piece}' is no number as a paper prints it; write 42.59, 42.59 ± 1.72 or 0.889(0.000).")
    std = match["std"]
    return Printed(bare, float(match["value"]), None if std is None else float(std), bold or "**" in piece)
