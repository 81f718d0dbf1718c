"""Syntax of filters: patterns of names, rates and ranges of rates, parameters."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from mvarena.errors import InvalidSetting
from mvarena.study.values import parse_rate, parse_rates

_RATE_TOLERANCE = 1e-9
_WORDS = {"yes": True, "true": True, "no": False, "false": False, "none": None, "null": None}


def fits(pattern: str, name: str) -> bool:
    """True if `name` is the pattern, in which * stands for any text and ? for one character.

    Brackets stand for themselves, for data sets carry them: 'digits[fou,*]'. Case does not matter.
    """
    parts = (".*" if sign == "*" else "." if sign == "?" else re.escape(sign) for sign in pattern)
    return re.fullmatch("".join(parts), name, re.IGNORECASE | re.DOTALL) is not None


def rate_test(texts: Iterable[str]) -> Callable[[float], bool]:
    """The test for '0.3', '0.1:0.5' (from, to, both included), '0.1:0.9:0.2' or '10dB', any of several.

    Raises InvalidSetting for what is no rate.
    """
    spans = []
    for text in (piece.strip() for item in texts for piece in item.split(",") if piece.strip()):
        try:
            spans += _spans(text)
        except InvalidSetting as error:
            raise InvalidSetting(str(error), field="stored_rates", value=text) from error

    def test(rate: float) -> bool:
        slack = _RATE_TOLERANCE * max(1.0, abs(rate)) if math.isfinite(rate) else 0.0
        return any(low - slack <= rate <= high + slack for low, high in spans)

    return test


def _spans(text: str) -> list[tuple[float, float]]:
    """The lowest and highest rate of each span that the text says."""
    ends = text.split(":")
    if len(ends) != 2:
        return [(rate, rate) for rate in parse_rates(text)]
    low, high = parse_rate(ends[0]) if ends[0] else -math.inf, parse_rate(ends[1]) if ends[1] else math.inf
    if high < low:
        raise InvalidSetting(f"'{text}' is not a range of rates: it ends below its start.")
    return [(low, high)]


def parameter_wanted(text: str) -> tuple[str, str, str]:
    """'mic.beta=0.1' as algorithm (a pattern; '*' where none is said), parameter and value.

    Raises InvalidSetting for what is no such text.
    """
    target, equals, value = text.partition("=")
    algorithm, dot, parameter = target.strip().rpartition(".")
    if not equals or not parameter or (dot and not algorithm):
        raise InvalidSetting(
            f"'{text}' is not a parameter; write mic.beta=0.1, or beta=0.1.", field="params", value=text
        )
    return algorithm or "*", parameter, value.strip()


def has_value(stored: Any, text: str) -> bool:
    """True if a stored parameter is what the text says: the same number, the same word, or a fitting pattern."""
    if isinstance(stored, bool) or stored is None:
        return text.lower() in _WORDS and _WORDS[text.lower()] is stored
    if isinstance(stored, int | float):
        try:
            return math.isclose(float(text), stored, rel_tol=1e-12, abs_tol=0.0) or float(text) == stored
        except ValueError:
            return False
    return fits(text, stored if isinstance(stored, str) else json.dumps(stored, separators=(",", ":")))
