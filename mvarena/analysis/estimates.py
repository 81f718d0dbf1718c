"""Estimates of time and memory for trials, from stored trials of the same method at this and other sizes.

On the same data it is their median. At other sizes it is a power law in n, fitted where at least three sizes are
stored that differ twofold; with two it goes through both and is called rough. One size says something only of sizes
within a factor of two of it. Beyond that, and where nothing is stored, the measurements of reports/speed stand in: a
power law through their three sizes of digits, scaled by what is stored. Of a method that is neither stored nor measured
nothing is said.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from mvarena.contracts.trial import Trial
from mvarena.store.costs import Cost
from mvarena.store.encoding import canonical_json

Basis: TypeAlias = Literal["same data", "power law", "rough", "measured"]
_NEAR = 2.0  # sizes that differ by no more say something of each other


@dataclass(frozen=True, slots=True)
class Guess:
    """value : seconds or MiB. spread : the factor (at least 1) within which it lies about two times of three; NaN
    where that cannot be told. exponent : of the power law, NaN where there is none."""

    value: float
    spread: float
    basis: Basis
    exponent: float = math.nan


def _medians(known: Iterable[tuple[int, float]]) -> dict[int, float]:
    """Size -> the median of its values, by size."""
    by_size: dict[int, list[float]] = defaultdict(list)
    for size, value in known:
        by_size[size].append(value)
    return {size: float(np.median(by_size[size])) for size in sorted(by_size)}


def guess(n: int, medians: Mapping[int, float]) -> Guess | None:
    """Estimate at `n`, given the medians of values above 0 at other sizes, by size; None where these do not allow one.

    A power law is fitted to them by least squares of logarithms; its exponent is at least 0. The spread is that of the
    regression's prediction at n, so that it grows with the distance from the sizes known.
    """
    known = list(medians)
    if not known:
        return None
    if len(known) == 1 or known[-1] < _NEAR * known[0]:
        nearest = min(known, key=lambda size: abs(math.log(size / n)))
        near = max(nearest / n, n / nearest) <= _NEAR
        return Guess(medians[nearest], math.nan, "rough") if near else None
    x, y = np.log(known), np.log([medians[size] for size in known])
    centre, sxx = x.mean(), ((x - x.mean()) ** 2).sum()
    slope = max(0.0, float(((x - centre) * (y - y.mean())).sum() / sxx))
    at = math.log(n)
    value = math.exp(float(y.mean()) + slope * (at - float(centre)))
    if len(known) == 2:
        return Guess(value, math.nan, "rough", slope)
    residuals = y - y.mean() - slope * (x - centre)
    noise = math.sqrt(float((residuals**2).sum()) / (len(known) - 2))
    return Guess(value, math.exp(noise * math.sqrt(1 + 1 / len(known) + (at - centre) ** 2 / sxx)), "power law", slope)


@dataclass(frozen=True, slots=True)
class Forecast:
    """Estimated cost of the trials to run.

    seconds, memory : key -> what is expected of that trial, where something is. unknown : algorithm -> how many of its
    trials nothing is known of.
    """

    seconds: Mapping[str, Guess]
    memory: Mapping[str, Guess]
    unknown: Mapping[str, int]

    def total(self) -> tuple[float, float, float]:
        """Seconds of all trials one after the other: expected, least and most, were all off alike.

        Least and most are NaN where one of the spreads is not known.
        """
        guesses = self.seconds.values()
        return (
            sum(guess.value for guess in guesses),
            sum(guess.value / guess.spread for guess in guesses),
            sum(guess.value * guess.spread for guess in guesses),
        )

    @property
    def is_rough(self) -> bool:
        """True if any part of it rests on too few sizes, or on other data alone."""
        return any(second.basis in ("rough", "measured") for second in self.seconds.values())

    @property
    def peak_mb(self) -> float:
        """The most memory that any of the trials is expected to take; 0 where nothing is known."""
        return max((item.value for item in self.memory.values()), default=0.0)


def forecast(
    trials: Iterable[Trial],
    samples: Mapping[str, int],
    costs: Sequence[Cost],
    limit_s: float | None = None,
    measured: Sequence[Cost] = (),
) -> Forecast:
    """Estimate the cost of `trials`; samples : content -> number of samples of the data.

    costs : of stored trials. limit_s : seconds after which a trial is ended; None: none. measured : costs that count
    where the stored ones say nothing (`measured_costs`).
    Of a method's stored trials those with the same parameters count, or all of them where there are none.
    """
    by_method, measured_of = _by_method(costs), _by_method(measured)
    seconds: dict[str, Guess] = {}
    memory: dict[str, Guess] = {}
    unknown: dict[str, int] = defaultdict(int)
    histories: dict[tuple[str, str], tuple[_History, _History]] = {}
    known: dict[tuple[str, str, str], tuple[Guess | None, Guess | None]] = {}
    for trial in trials:
        method = (trial.algorithm, canonical_json(dict(trial.params)))
        if method not in histories:
            every, other = by_method[trial.algorithm], measured_of[trial.algorithm]
            own = [cost for cost in every if cost.params == method[1]] or every
            histories[method] = (
                _History(own, other, lambda cost: cost.wall_s),
                _History(own, other, lambda cost: cost.peak_rss_mb),
            )
        point = (*method, trial.content)
        if point not in known:
            of_time, of_memory = histories[method]
            n = samples[trial.content]
            known[point] = (of_time.guess(trial.content, n), of_memory.guess(trial.content, n))
        wall, peak = known[point]
        if wall is None:
            unknown[trial.algorithm] += 1
        else:
            seconds[trial.key] = wall if limit_s is None else replace(wall, value=min(wall.value, limit_s))
        if peak is not None:
            memory[trial.key] = peak
    return Forecast(seconds, memory, dict(unknown))


@cache
def measured_costs() -> tuple[Cost, ...]:
    """Costs of the methods that come with mvarena on digits, three sizes each, with default parameters.

    `python -m benchmarks.speed` writes them: CPU seconds of preparing, representing and 20 k-means starts, and the peak
    of resident memory, as a trial with one thread of linear algebra has them.
    """
    with Path(__file__).with_name("measured_costs.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Cost(row["algorithm"], "", "", int(row["n"]), float(row["seconds"]), float(row["peak_mb"]))
            for row in csv.DictReader(file)
        )


def _by_method(costs: Iterable[Cost]) -> dict[str, list[Cost]]:
    result: dict[str, list[Cost]] = defaultdict(list)
    for cost in costs:
        result[cost.algorithm].append(cost)
    return result


class _History:
    """Known seconds, or MiB, of a method with some parameters.

    costs : stored. measured : on other data (`measured_costs`). value : of a cost; 0 where it is not known.
    """

    def __init__(self, costs: Iterable[Cost], measured: Iterable[Cost], value: Callable[[Cost], float]) -> None:
        self._known = [(cost.content, cost.n, value(cost)) for cost in costs if cost.n > 0 and value(cost) > 0]
        self._medians = _medians((n, found) for _, n, found in self._known)
        self._measured = _medians((cost.n, value(cost)) for cost in measured)
        self._of_content: dict[str, list[float]] = defaultdict(list)
        for content, _, found in self._known:
            self._of_content[content].append(found)

    def guess(self, content: str, n: int) -> Guess | None:
        """Of a trial on data of n samples: from the same data, else from other sizes, else from what was measured."""
        same = np.log(self._of_content.get(content, []))
        if same.size:
            spread = float(np.exp(same.std(ddof=1))) if same.size > 1 else math.nan
            return Guess(float(np.exp(np.median(same))), spread, "same data")
        return guess(n, self._medians) or self._by_measurements(n)

    def _by_measurements(self, n: int) -> Guess | None:
        """The growth that was measured on other data, through what is stored where anything is."""
        law = guess(n, self._measured)
        if law is None:
            return None
        value = law.value * (float(np.exp(np.median(np.log(self._ratios)))) if self._ratios else 1.0)
        return replace(law, value=value, spread=math.nan, basis="measured")

    @cached_property
    def _ratios(self) -> list[float]:
        """Stored values in units of the measured ones at the same sizes."""
        there = {n: guess(n, self._measured) for n in self._medians}
        return [found / law.value for _, n, found in self._known if (law := there[n])]
