"""Reads what users write: rates, ranges of rates, decibels, durations, parameter values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from mvarena.errors import InvalidSetting

_DURATION = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>ms|s|m|h|d)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_MOST_RATES = 1000


def parse_rates(text: str) -> tuple[float, ...]:
    """'0.1,0.3' or '0.1:0.9:0.2' (start:stop:step, the stop included), or both, comma-separated."""
    rates: list[float] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        rates += _range(part) if ":" in part else [parse_rate(part)]
    if not rates:
        raise InvalidSetting(f"'{text}' holds no rate; write --rates 0.1,0.3 or --rates 0.1:0.9:0.2.")
    return tuple(dict.fromkeys(rates))


def _range(text: str) -> list[float]:
    try:
        start, stop, step = (Decimal(piece) for piece in text.split(":"))
    except (ValueError, InvalidOperation) as error:
        raise InvalidSetting(f"'{text}' is no range of rates; write start:stop:step, as in 0.1:0.9:0.2.") from error
    if not (start.is_finite() and stop.is_finite() and step.is_finite()) or step <= 0 or stop < start:
        raise InvalidSetting(
            f"'{text}' is no range of rates: the step must be positive and the stop not below the start."
        )
    count = int((stop - start) / step) + 1
    if count > _MOST_RATES:
        raise InvalidSetting(f"'{text}' makes {count} rates; at most {_MOST_RATES} are run at once.")
    return [float(start + i * step) for i in range(count)]


def parse_rate(text: str) -> float:
    """A number such as 0.3, or decibels such as 10dB, which become a power ratio (10 ** (dB / 10))."""
    plain = text.strip()
    decibels = plain.lower().endswith("db")
    try:
        value = float(plain[:-2] if decibels else plain)
    except ValueError as error:
        raise InvalidSetting(f"'{text}' is no rate; write a number such as 0.3, or decibels such as 10dB.") from error
    return float(10 ** (value / 10)) if decibels else value


def parse_duration(text: str) -> float:
    """Seconds from '90', '90s', '10m', '1.5h'."""
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None or float(match["number"]) <= 0:
        raise InvalidSetting(f"'{text}' is no duration; write a positive number with a unit, as in 90s, 10m or 2h.")
    return float(match["number"]) * _UNITS[match["unit"] or "s"]


def parse_params(settings: Iterable[str]) -> dict[str, dict[str, tuple[Any, ...]]]:
    """'apmc.n_neighbors=7' settings as algorithm -> parameter -> values; a parameter given twice makes a grid.

    Values are read as JSON where they are JSON (numbers, true, null, lists), else as text.
    """
    grid: dict[str, dict[str, tuple[Any, ...]]] = {}
    for setting in settings:
        target, equals, text = setting.partition("=")
        algorithm, dot, parameter = target.strip().rpartition(".")
        if not equals or not dot or not algorithm or not parameter:
            raise InvalidSetting(f"'{setting}' is no parameter; write ALGO.NAME=VALUE, as in apmc.n_neighbors=7.")
        values = grid.setdefault(algorithm, {})
        values[parameter] = (*values.get(parameter, ()), _value(text.strip()))
    return grid


def _value(text: str) -> Any:
    try:
        return json.loads({"None": "null", "True": "true", "False": "false"}.get(text, text))
    except json.JSONDecodeError:
        return text
