"""Filters: which of the stored trials are meant, said once for reports, exports, scores, picks and deletions.

A `Filter` is data; `chosen` turns it into SQL over what a trial refers to. Names are compared with what
is stored, so that a filter that matches nothing can say what there is.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Self

from sqlalchemy import Column, ColumnElement, Connection, select, tuple_

from mvarena.contracts.outcome import Status
from mvarena.errors import InvalidSetting, UnknownName, unknown_name
from mvarena.store.cards import METHOD, cards_within
from mvarena.store.database import Database
from mvarena.store.descriptions import NAMED
from mvarena.store.schema import attempts, conditions, methods, protocols, sources, trials
from mvarena.store.trials import IS_CURRENT
from mvarena.study.adaptation import NONE, filling_in, scaling_in
from mvarena.study.families import is_pattern
from mvarena.study.values import parse_rate, parse_rates

_MOST_SHOWN = 12
_JOINED = NAMED.join(attempts, attempts.c.trial == trials.c.id)
Condition = ColumnElement[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Selection of stored trials; an empty field restricts nothing, several values of a field are alternatives.

    algorithms, families, datasets, corruptions, scalings, protocols : names, or patterns with * and ?. A scaling is
        'auto', 'none' or 'tfidf,unit-rows', whatever adaptation came after it.
    fillings : 'knn', 'mean' and so on; 'none' for trials in which nothing is filled.
    preparations : all steps, as 'minmax,fill-mean', or 'none'.
    params : 'mic.beta=0.1'; only trials that have such a parameter, so that other algorithms are left out. Different
        parameters of one algorithm must all fit, values of one are alternatives.
    stored_rates : '0.3', '0.1:0.5' (from, to).
    statuses : of the current attempt, as 'done' or 'out-of-memory'.
    """

    algorithms: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    stored_rates: tuple[str, ...] = ()
    corruptions: tuple[str, ...] = ()
    scalings: tuple[str, ...] = ()
    fillings: tuple[str, ...] = ()
    preparations: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()

    @classmethod
    def of(cls, **words: Any) -> Self:
        """A filter from what a program has: one value or several, numbers for rates, `rates` for stored_rates.

        Raises UnknownName for a word that filters nothing.
        """
        words = {"stored_rates" if name == "rates" else name: value for name, value in words.items()}
        known = [field.name for field in fields(cls)]
        for name in words:
            if name not in known:
                shown = ["rates" if item == "stored_rates" else item for item in known]
                raise unknown_name("filter", name, shown, f"There are {', '.join(shown)}.")
        return cls(**{name: _texts(value) for name, value in words.items() if value is not None})

    def __bool__(self) -> bool:
        return self != Filter()


def _texts(value: Any) -> tuple[str, ...]:
    several = [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    return tuple(str(item.item() if hasattr(item, "item") else item) for item in several)


def chosen(db: Database, only: Filter) -> tuple[Condition, ...]:
    """The conditions that `only` stands for, on attempts and what their trials refer to; none for an empty one.

    Raises InvalidSetting for words that cannot be read, and UnknownName, which says what there is, where nothing
    stored fits one of its fields, or all of them together. Cost: one statement for each field, and one.
    """
    with db.read() as connection:
        parts = dict(_parts(connection, only))
        fitting = select(trials.c.id).select_from(_JOINED).where(IS_CURRENT, *parts.values()).limit(1)
        if parts and connection.scalar(fitting) is None:
            raise UnknownName(f"No stored trial matches {', '.join(parts)}; remove a filter.")
    return tuple(parts.values())


Values = list[tuple[Any, ...]]


class Part(NamedTuple):
    """A field of a filter: its words, and the values of rows that it takes, in these columns."""

    words: str
    columns: tuple[str, ...]
    values: Values


Distinct = Callable[..., Values]
_COLUMNS: Mapping[str, Column[Any]] = {
    "algorithm": methods.c.name, "params": methods.c.params, "prepare": conditions.c.preparation,
    "corruption": conditions.c.corruption, "rate": conditions.c.rate, "dataset": sources.c.name,
    "protocol": protocols.c.name, "status": attempts.c.status,
}  # fmt: skip


def parts_of(only: Filter, distinct: Distinct, families: Mapping[str, str]) -> Iterator[Part]:
    """The fields of a filter that restrict anything.

    distinct : gives the different rows of what is filtered in the named columns (algorithm, params, prepare,
    corruption, rate, dataset, protocol, status), each a tuple. families : algorithm -> its family. Raises as `chosen`.
    """
    for field, kind, option, column, names_of in _NAMED:
        if wanted := getattr(only, field):
            yield Part(_said(kind, wanted), (column,), _fitting(distinct, column, kind, option, wanted, names_of))
    if only.families:
        yield Part(_said("family", only.families), ("algorithm",), _of_families(distinct, only.families, families))
    if only.params:
        yield Part(_said("parameter", only.params), ("algorithm", "params"), _with_params(distinct, only.params))
    if only.stored_rates:
        yield Part(_said("rate", only.stored_rates), ("rate",), _at_rates(distinct, only.stored_rates))
    if only.statuses:
        yield Part(_said("status", only.statuses), ("status",), _statuses(only.statuses))


def _parts(connection: Connection, only: Filter) -> Iterator[tuple[str, Condition]]:
    """Words of the filter -> SQL condition."""

    def distinct(*columns: str) -> list[tuple[Any, ...]]:
        rows = connection.execute(_from_current(*(_COLUMNS[name] for name in columns)))
        return [tuple(row) for row in rows]

    families = {}
    if only.families:
        families = {name: card.family for name, card in cards_within(connection, METHOD).methods.items()}
    for part in parts_of(only, distinct, families):
        yield part.words, _condition(part)


def _condition(part: Part) -> Condition:
    columns = [_COLUMNS[name] for name in part.columns]
    if len(columns) == 1:
        return columns[0].in_([value for (value,) in part.values])
    return tuple_(*columns).in_(part.values)


def _from_current(*columns: ColumnElement[Any]) -> Any:
    return select(*columns).select_from(_JOINED).where(IS_CURRENT).distinct()


def _itself(text: str) -> tuple[str, ...]:
    return (text,)


def _with_plain_name(text: str) -> tuple[str, ...]:
    """'missing-blocks[n_groups=2]' is found by that and by 'missing-blocks'."""
    return (text, text.partition("[")[0]) if text.endswith("]") and "+" not in text else (text,)


Names = Callable[[str], tuple[str, ...]]
# field, what it is called, its option, column, and the names that a value of the column goes by
_NAMED: tuple[tuple[str, str, str, str, Names], ...] = (
    ("algorithms", "algorithm", "algorithms", "algorithm", _itself),
    ("datasets", "data set", "datasets", "dataset", _itself),
    ("protocols", "protocol", "protocols", "protocol", _itself),
    ("corruptions", "corruption", "corruptions", "corruption", _with_plain_name),
    ("scalings", "scaling", "scale", "prepare", lambda text: (scaling_in(text),)),
    ("fillings", "filling", "fill", "prepare", lambda text: (filling_in(text) or NONE,)),
    ("preparations", "preparation", "prepare", "prepare", lambda text: (text or NONE,)),
)


def _said(kind: str, wanted: Sequence[str]) -> str:
    return f"{kind} {' or '.join(wanted)}"


def _fitting(distinct: Distinct, column: str, kind: str, field: str, wanted: Sequence[str], names_of: Names) -> Values:
    """The values of a column by one of whose names they are wanted."""
    there = [str(value) for (value,) in distinct(column)]
    known = {name for value in there for name in names_of(value)}
    for pattern in wanted:
        if not any(fits(pattern, name) for name in known):
            raise _unknown(kind, field, pattern, known)
    return [(one,) for one in there if any(fits(pattern, name) for pattern in wanted for name in names_of(one))]


def _of_families(distinct: Distinct, wanted: Sequence[str], known: Mapping[str, str]) -> Values:
    family = {name: (known[name],) for name in known}
    return _fitting(distinct, "algorithm", "family", "families", wanted, lambda name: family.get(name, ()))


def _with_params(distinct: Distinct, wanted: Sequence[str]) -> Values:
    requested: dict[tuple[str, str], list[str]] = defaultdict(list)
    stored = [(name, text, json.loads(text)) for name, text in distinct("algorithm", "params")]
    for text in wanted:
        algorithm, parameter, value = parameter_wanted(text)
        requested[algorithm, parameter].append(value)
        of_name = [(name, params[parameter]) for name, _, params in stored if parameter in params]
        if not any(fits(algorithm, name) and has_value(item, value) for name, item in of_name):
            known = {f"{name}.{parameter}={item}" for name, item in of_name}
            raise _unknown(
                "parameter", "params", text, known or {f"{name}.{one}" for name, _, p in stored for one in p}
            )
    return [(name, text) for name, text, params in stored if _meets(name, params, requested)]


def _meets(name: str, params: dict[str, Any], asked: dict[tuple[str, str], list[str]]) -> bool:
    wanted = [(parameter, values) for (algorithm, parameter), values in asked.items() if fits(algorithm, name)]
    return bool(wanted) and all(
        parameter in params and any(has_value(params[parameter], value) for value in values)
        for parameter, values in wanted
    )


def _at_rates(distinct: Distinct, wanted: Sequence[str]) -> Values:
    there = distinct("rate")
    test = rate_test(wanted)
    values = [row for row in there if test(row[0])]
    if not values:
        raise _unknown("rate", "stored_rates", ", ".join(wanted), {f"{rate:g}" for (rate,) in there})
    return values


def _statuses(wanted: Sequence[str]) -> Values:
    result: Values = []
    for text in wanted:
        word = text.strip().upper().replace("-", "_").replace(" ", "_")
        fitting = [(status.value,) for status in Status if fits(word, status.value)]
        if not fitting:
            known = [status.value.lower().replace("_", "-") for status in Status]
            raise InvalidSetting(
                f"'{text}' is not a status; there are {', '.join(known)}.", field="statuses", value=text
            )
        result += fitting
    return result


def _unknown(kind: str, field: str, pattern: str, known: Iterable[str]) -> UnknownName:
    """The error for what fits nothing stored: near names, and what there is."""
    there = sorted(known)
    near = [] if is_pattern(pattern) else difflib.get_close_matches(pattern, there, n=3, cutoff=0.6)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    shown = ", ".join(there[:_MOST_SHOWN]) + (f" and {len(there) - _MOST_SHOWN} more" if len(there) > 12 else "")
    listed = f"Stored are {shown}." if there else "Nothing is stored yet; run a study first."
    return UnknownName(f"No stored {kind} matches '{pattern}'.{meant} {listed}", field=field, value=pattern)


def matching_names(db: Database, where: Sequence[Condition]) -> set[tuple[str, str, str]]:
    """The names (key, data set, protocol) of the trials that meet the conditions. Cost: one statement."""
    query = select(trials.c.key, sources.c.name, protocols.c.name).select_from(_JOINED).where(IS_CURRENT, *where)
    with db.read() as connection:
        return {(row[0], row[1], row[2]) for row in connection.execute(query)}


def matching_keys(db: Database, where: Sequence[Condition]) -> list[str]:
    """The keys of the trials that meet the conditions, sorted."""
    return sorted({key for key, _, _ in matching_names(db, where)})


# Syntax of filters: patterns of names, rates and ranges of rates, parameters.

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
