"""Reads amounts of memory as users write them."""

from __future__ import annotations

import re

from mvarena.errors import InvalidSetting

_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[kmgt]i?b?|b)?", re.IGNORECASE)
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(text: str) -> int:
    """Bytes from '8GiB', '8G' (powers of 1024), '500MB' (powers of 1000) or '1000000'.

    Raises InvalidSetting for anything else.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or float(match["number"]) <= 0:
        raise InvalidSetting(
            f"'{text}' is no amount of memory; write a positive number with a unit, as in 512MiB or 8GiB.",
            field="memory",
            value=text,
        )
    unit = (match["unit"] or "b").lower()
    base = 1000 if len(unit) == 2 and unit.endswith("b") else 1024
    return int(float(match["number"]) * base ** _POWERS.get(unit[0], 0))
