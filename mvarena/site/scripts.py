"""Data as scripts: a page from the file system may load a script, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

_DIGITS = 9  # of single trials' numbers
EVERY = 17  # digits that tell any two floats apart, for what ranks are made of
# what would end a script's element or its line, should anybody put the text into a page
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def script_of(name: str, value: Any) -> str:
    """`value` as a script that hands it to the pages under `name`; NaN and infinity are JavaScript's own.

    Every letter beyond ASCII and every sign that means something to HTML is escaped: names that others chose stay data.
    """
    text = json.dumps([name, value], separators=(",", ":"), default=_plain)
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return f"mvarena.put.apply(null,{text});\n"


def coded(values: pd.Series, order: Sequence[Any] | None = None) -> dict[str, list[Any]]:
    """A column of few different values: these, and for each row its place among them (-1 for a missing one).

    order : all values in the order that they are to have; None: as they come.
    """
    if order is None:
        codes, result = pd.factorize(values)
        return {"values": list(result), "codes": codes.tolist()}
    places = {value: index for index, value in enumerate(order)}
    return {"values": list(order), "codes": [places.get(value, -1) for value in values.tolist()]}


def reals(values: pd.Series, digits: int = _DIGITS) -> list[float | None]:
    """Floats with so many significant digits, None where there is no number."""
    return [None if value != value else float(f"{value:.{digits}g}") for value in values.astype(float).tolist()]


def _plain(value: Any) -> Any:
    """NumPy's scalars as Python's; a set as a sorted list; anything else as its text."""
    if hasattr(value, "item"):
        return value.item()
    return sorted(value) if isinstance(value, (set, frozenset)) else str(value)
