"""Sentences of a paper, checked: at how many of the points that they speak of they hold here.

above : the first has the higher mean than the second, at each data set, rate and metric.
falls : the first is lower at the last rate than at the first. grows, shrinks : so is its lead over the second.
flat : over the values of the parameter the means lie within 3 points. best-at : the highest mean is at `best`.
monotone : the objective never turns back, trial by trial. within : a trial ends in at most `at_most` iterations.
faster : the first fits in less time than the second, by the mean over trials on one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from mvarena.papers.compare import POINTS
from mvarena.papers.measure import Evidence, Measured, measure
from mvarena.papers.model import Claim, Column, Facts, Figure, Made, Printed, read_cell
from mvarena.papers.selector import Selector, joined

_ROUNDING = 1e-9  # of the objective's largest size: what floating point adds


@dataclass(frozen=True, slots=True)
class Point:
    """One place where a claim was looked at: what was seen, in words, and whether the claim holds there.

    keys : of the trials that were looked at.
    """

    holds: bool
    seen: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim and the points at which it was checked; none where nothing of it can be had."""

    claim: Claim
    points: tuple[Point, ...]

    @property
    def verdict(self) -> str:
        holds = sum(point.holds for point in self.points)
        if not self.points:
            return "cannot be checked"
        if holds == len(self.points):
            return "holds" if holds == 1 else f"holds at all {holds} points"
        return "does not hold" if not holds else f"holds at {holds} of {len(self.points)} points"


def check(figure: Figure, found: Evidence) -> tuple[Checked, ...]:
    """Every claim of `figure`, on what `found` holds."""
    return tuple(Checked(claim, tuple(_KINDS[claim.kind](_Seen(figure, claim, found)))) for claim in figure.claims)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Measured values that a claim is about."""

    figure: Figure
    claim: Claim
    found: Evidence

    def selector(self, made: Made, data: str | None, rate: float | None) -> Selector:
        return joined(self.figure.select, made, Selector(data=data, rate=rate))

    def number(self, made: Made, data: str | None, rate: float | None, metric: str) -> Measured | None:
        return measure(self.found, self.selector(made, data, rate), [metric], metric).get(metric)

    def places(self) -> Iterator[tuple[str | None, float | None, str]]:
        yield from product(self.claim.data or (None,), self.claim.rates or (None,), self.claim.metrics)

    def ends(self, made: Made, data: str | None, metric: str) -> list[Measured]:
        """Numbers at the first and the last of the claim's rates; empty where one of its rates is missing."""
        numbers = [self.number(made, data, rate, metric) for rate in self.claim.rates]
        known = [number for number in numbers if number is not None]
        return [known[0], known[-1]] if known and len(known) == len(numbers) else []

    def by_value(self, made: Made, data: str | None, rate: float | None, metric: str) -> dict[object, Measured]:
        """Value of the claim's parameter -> what was measured; empty where one is not there."""
        numbers: dict[object, Measured] = {}
        for value in self.claim.values:
            result = made.model_copy(update={"param": {**made.param, self.claim.param: value}})
            number = self.number(result, data, rate, metric)
            if number is None:
                return {}
            numbers[value] = number
        return numbers


def _at(data: str | None, rate: float | None, metric: str) -> str:
    words = [data or "", f"rate {rate:g}" if rate is not None else "", metric]
    return ", ".join(word for word in words if word)


def _keys(numbers: Iterable[Measured]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for number in numbers for key in number.keys))


def _above(seen: _Seen) -> Iterator[Point]:
    for data, rate, metric in seen.places():
        for first, second in product(seen.claim.first, seen.claim.second):
            item, other = seen.number(first, data, rate, metric), seen.number(second, data, rate, metric)
            if item is not None and other is not None:
                text = f"{_at(data, rate, metric)}: {first.label} {item.mean:.1f}, {second.label} {other.mean:.1f}"
                yield Point(item.mean > other.mean, text, _keys([item, other]))


def _falls(seen: _Seen) -> Iterator[Point]:
    for data, metric in product(seen.claim.data or (None,), seen.claim.metrics):
        for made in seen.claim.first:
            if ends := seen.ends(made, data, metric):
                start, end = (number.mean for number in ends)
                text = f"{_at(data, None, metric)}: {made.label} from {start:.1f} to {end:.1f}"
                yield Point(end < start, text, _keys(ends))


def _lead(seen: _Seen, sign: float) -> Iterator[Point]:
    for data, metric in product(seen.claim.data or (None,), seen.claim.metrics):
        for first, second in product(seen.claim.first, seen.claim.second):
            item, other = seen.ends(first, data, metric), seen.ends(second, data, metric)
            if item and other:
                start, end = (mine.mean - its.mean for mine, its in zip(item, other, strict=True))
                text = (
                    f"{_at(data, None, metric)}: lead of {first.label} over {second.label} {start:.1f}, then {end:.1f}"
                )
                yield Point(sign * (end - start) > 0, text, _keys([*item, *other]))


def _flat(seen: _Seen) -> Iterator[Point]:
    for data, rate, metric in seen.places():
        for made in seen.claim.first:
            if numbers := seen.by_value(made, data, rate, metric):
                means = [number.mean for number in numbers.values()]
                text = f"{_at(data, rate, metric)}: {made.label} {min(means):.1f} to {max(means):.1f}"
                yield Point(max(means) - min(means) <= POINTS, text, _keys(numbers.values()))


def _best_at(seen: _Seen) -> Iterator[Point]:
    for data, rate, metric in seen.places():
        for made in seen.claim.first:
            if numbers := seen.by_value(made, data, rate, metric):
                best, number = max(numbers.items(), key=lambda item: item[1].mean)
                text = f"{_at(data, rate, metric)}: {made.label} is best at {best}, with {number.mean:.1f}"
                yield Point(best == seen.claim.best, text, _keys(numbers.values()))


def _runs(seen: _Seen) -> Iterator[tuple[str, str, int, np.ndarray]]:
    """Of each trial: its key, where it ran, its iterations, its objective."""
    for data, rate in product(seen.claim.data or (None,), seen.claim.rates or (None,)):
        for made in seen.claim.first:
            trials = seen.found.trials
            rows = trials[seen.selector(made, data, rate).chosen(trials)]
            for row in rows.itertuples():
                if row.key in seen.found.runs:
                    n_iter, objective = seen.found.runs[row.key]
                    where = f"{made.label} on {row.dataset}, rate {row.rate:g}"
                    yield row.key, where, n_iter, np.array(objective)


def _monotone(seen: _Seen) -> Iterator[Point]:
    for key, where, n_iter, objective in _runs(seen):
        if len(objective) > 1:
            steps = np.diff(objective)
            least = _ROUNDING * float(np.abs(objective).max())
            turns_not = bool((steps <= least).all() or (steps >= -least).all())
            yield Point(turns_not, f"{where}: {n_iter} iterations", (key,))


def _within(seen: _Seen) -> Iterator[Point]:
    most = seen.claim.at_most or 0.0
    for key, where, n_iter, _ in _runs(seen):
        yield Point(n_iter <= most, f"{where}: {n_iter} iterations", (key,))


def _faster(seen: _Seen) -> Iterator[Point]:
    trials = seen.found.trials
    for data, rate in product(seen.claim.data or (None,), seen.claim.rates or (None,)):
        for first, second in product(seen.claim.first, seen.claim.second):
            item, other = (trials[seen.selector(made, data, rate).chosen(trials)] for made in (first, second))
            mine, its = item["fit_s"].mean(), other["fit_s"].mean()
            if mine == mine and its == its:
                text = f"{data}, rate {rate}: {first.label} {mine:.2f} s, {second.label} {its:.2f} s"
                yield Point(bool(mine < its), text, (*item["key"], *other["key"]))


_KINDS: dict[str, Callable[[_Seen], Iterator[Point]]] = {
    "above": _above,
    "falls": _falls,
    "grows": lambda seen: _lead(seen, 1.0),
    "shrinks": lambda seen: _lead(seen, -1.0),
    "flat": _flat,
    "best-at": _best_at,
    "monotone": _monotone,
    "within": _within,
    "faster": _faster,
}


# Numbers of data sets, the paper's beside those of the stored trials' data.


@dataclass(frozen=True, slots=True)
class Fact:
    """One number of a data set; here : None where no stored trial knows it. same : None where one of them is not there.

    What is printed is rounded, so half a unit of its last digit is allowed.
    """

    column: Column
    name: str
    printed: Printed | None
    here: float | None

    @property
    def same(self) -> bool | None:
        if self.printed is None or self.here is None:
            return None
        return abs(self.printed.value - self.here) <= 0.5 * 10.0**-self.printed.digits + 1e-9


def check_facts(table: Facts, found: Evidence) -> tuple[Fact, ...]:
    """Every number of `table` beside that of the data here."""
    facts = []
    for column in table.columns:
        known = dict(found.facts.get(column.data or "", {}))
        known |= {
            f"missing-{i}": known[f"missing-{view}"]
            for i, view in enumerate(column.views, 1)
            if f"missing-{view}" in known
        }
        cells = read_cell(table.printed[column.name], len(table.facts))
        facts += [Fact(column, name, cell, known.get(name)) for name, cell in zip(table.facts, cells, strict=True)]
    return tuple(facts)
