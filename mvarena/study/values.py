"""Reads what users write: rates, numbers of clusters, ranges of them, decibels, durations, amounts of memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from mvarena.errors import InvalidSetting

_DURATION = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>ms|s|m|h|d)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_MOST_RATES = 1000
_MOST_NUMBERS = 100

Raw: TypeAlias = Mapping[str, Mapping[str, tuple[Any, ...]]]
"""Component -> parameter -> values, of which texts are not read yet."""


def parse_rates(text: str) -> tuple[float, ...]:
    """'0.1,0.3' or '0.1:0.9:0.2' (start:stop:step, the stop included), or both, comma-separated."""
    rates: list[float] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        rates += _range(part) if ":" in part else [parse_rate(part)]
    if not rates:
        raise InvalidSetting(f"'{text}' contains no rate; write 0.1,0.3 or 0.1:0.9:0.2.", field="rates", value=text)
    return tuple(dict.fromkeys(rates))


def rates_from(given: Iterable[str | float]) -> tuple[float, ...]:
    """Numbers, and texts as `parse_rates` reads them; each rate once."""
    values = [rate for item in given for rate in (parse_rates(item) if isinstance(item, str) else (float(item),))]
    return tuple(dict.fromkeys(values))


def _range(text: str) -> list[float]:
    try:
        start, stop, step = (Decimal(piece) for piece in text.split(":"))
    except (ValueError, InvalidOperation) as error:
        raise InvalidSetting(
            f"'{text}' is not a range of rates; write start:stop:step, as in 0.1:0.9:0.2.", field="rates", value=text
        ) from error
    if not (start.is_finite() and stop.is_finite() and step.is_finite()) or step <= 0 or stop < start:
        raise InvalidSetting(
            f"'{text}' is not a range of rates: the step must be positive and the stop not below the start.",
            field="rates",
            value=text,
        )
    count = int((stop - start) / step) + 1
    if count > _MOST_RATES:
        raise InvalidSetting(
            f"'{text}' gives {count} rates; at most {_MOST_RATES} are allowed.", field="rates", value=text
        )
    return [float(start + i * step) for i in range(count)]


def parse_rate(text: str) -> float:
    """A number such as 0.3, or decibels such as 10dB, which become a power ratio (10 ** (dB / 10))."""
    plain = text.strip()
    decibels = plain.lower().endswith("db")
    try:
        value = float(plain[:-2] if decibels else plain)
    except ValueError as error:
        raise InvalidSetting(
            f"'{text}' is not a rate; write a number such as 0.3, or decibels such as 10dB.", field="rates", value=text
        ) from error
    if not decibels:
        return value
    try:
        return float(10 ** (value / 10))
    except OverflowError:
        raise InvalidSetting(
            f"'{text}' is larger than any number; write fewer decibels, such as 10dB, or inf for no noise at all.",
            field="rates",
            value=text,
        ) from None


_PLUS = re.compile(r"(?<!\d[eE])\+")  # between corruptions, not within a rate such as 1e+3


def chained(text: str) -> list[str]:
    """The corruptions of a chain: ['gaussian:1e+3', 'missing-even'] of 'gaussian:1e+3+missing-even'."""
    return [part.strip() for part in _PLUS.split(text)]


def numbers_from(text: str) -> tuple[int, ...]:
    """(2, 3, 4) from '2:4', both ends included; (2, 5) from '2,5'; with several parts each number once.

    Raises InvalidSetting for any other text, and for a range whose first number is the larger.
    """
    numbers: list[int] = []
    for part in text.split(","):
        first, colon, last = part.partition(":")
        try:
            low, high = int(first), int(last if colon else first)
        except ValueError:
            raise InvalidSetting(
                f"'{text}' is neither a number nor a range such as 2:10.", field="n_clusters", value=text
            ) from None
        if not low <= high < low + _MOST_NUMBERS:
            raise InvalidSetting(
                f"'{text}' is not a range: give the smaller number first, and {_MOST_NUMBERS} numbers at most.",
                field="n_clusters",
                value=text,
            )
        numbers += range(low, high + 1)
    return tuple(dict.fromkeys(numbers))


def parse_duration(text: str) -> float:
    """Seconds from '90', '90s', '10m', '1.5h'."""
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None or float(match["number"]) <= 0:
        raise InvalidSetting(
            f"'{text}' is not a duration; write a positive number with a unit, such as 90s, 10m or 2h.",
            field="timeout_s",
            value=text,
        )
    return float(match["number"]) * _UNITS[match["unit"] or "s"]


def raw_params(settings: Iterable[str]) -> dict[str, dict[str, tuple[Any, ...]]]:
    """'apmc.n_neighbors=7,10' settings as component -> parameter -> texts; InvalidSetting for any other text.

    Several settings of one parameter make one grid.
    """
    grid: dict[str, dict[str, tuple[Any, ...]]] = {}
    for setting in settings:
        target, equals, text = setting.partition("=")
        component, dot, parameter = target.strip().rpartition(".")
        if not equals or not dot or not component or not parameter:
            raise InvalidSetting(
                f"'{setting}' is not a parameter; write NAME.PARAMETER=VALUE, as in apmc.n_neighbors=7.",
                field="params",
                value=setting,
            )
        values = grid.setdefault(component, {})
        values[parameter] = (*values.get(parameter, ()), *pieces(text))
    return grid


def pieces(text: str) -> list[str]:
    """Parts between commas; commas within the brackets of a list separate nothing."""
    return re.findall(r"\s*\[[^\]]*\]\s*|[^,]+", text) or [text]


# Reads amounts of memory as users write them.

_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[kmgt]i?b?|b)?", re.IGNORECASE)
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(text: str) -> int:
    """Bytes from '8GiB', '8G' (powers of 1024), '500MB' (powers of 1000) or '1000000'.

    Raises InvalidSetting for anything else.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or float(match["number"]) <= 0:
        raise InvalidSetting(
            f"'{text}' is not an amount of memory; write a positive number with a unit, such as 512MiB or 8GiB.",
            field="memory",
            value=text,
        )
    unit = (match["unit"] or "b").lower()
    base = 1000 if len(unit) == 2 and unit.endswith("b") else 1024
    return int(float(match["number"]) * base ** _POWERS.get(unit[0], 0))


Shard: TypeAlias = tuple[int, int]
"""(2, 8): the second of eight parts of a plan."""


def parse_shard(text: str) -> Shard:
    """(2, 8) from '2/8'. Raises InvalidSetting for any other text, and for a part that there is not."""
    match = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", text)
    index, of = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= index <= of:
        raise InvalidSetting(
            f"'{text}' is not a part of a study; of eight parts write 1/8 for the first and 8/8 for the last.",
            field="shard",
            value=text,
        )
    return index, of
