"""The conditions of a study: chains of corruptions at their rates, and which of them are possible on a data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, product
from typing import TypeAlias

from mvarena.contracts.corruption import Corruption
from mvarena.contracts.specs import CorruptionSpec
from mvarena.contracts.trial import Step
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog
from mvarena.study.components import step_variants
from mvarena.study.model import DEFAULT_CORRUPTION, DEFAULT_RATE, Study
from mvarena.study.values import chained, parse_rate

NOTHING = "none"

Point: TypeAlias = tuple[Step, ...]
"""The corruptions of one condition in order, each with its rate; none at all for the data as they are."""


@dataclass(frozen=True, slots=True)
class Link:
    """One corruption of a chain; rate : its own, or None where the study's rates are meant."""

    spec: CorruptionSpec
    rate: float | None


@dataclass
class Conditions:
    """Corruptions of a study, read once: each condition is a chain of corruptions, empty for 'none'.

    Raises UnknownName for a corruption that there is not, and InvalidSetting for a chain in which one cannot follow
    another and for rates that no corruption takes.
    """

    study: Study
    catalog: Catalog
    chains: list[tuple[Link, ...]] = field(init=False)
    points: list[Point] = field(init=False)
    _possible: set[Point] = field(init=False, default_factory=set)
    _refused: dict[Point, InvalidSetting] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        requested = (DEFAULT_CORRUPTION,) if self.study.corruptions is None else self.study.corruptions
        self.chains = [_chain(text, self.catalog) for text in dict.fromkeys(requested)]
        swept = [link.spec for chain in self.chains for link in chain if link.rate is None]
        _check_rates(self.study, swept)
        self.points = list(dict.fromkeys(point for chain in self.chains for point in self._points(chain)))

    @property
    def specs(self) -> list[CorruptionSpec]:
        return [link.spec for chain in self.chains for link in chain]

    @property
    def rates(self) -> tuple[float, ...]:
        """Of the corruptions without a rate of their own."""
        return self.study.rates if self.study.rates is not None else (DEFAULT_RATE,)

    def _points(self, chain: tuple[Link, ...]) -> Iterator[Point]:
        rates = self.rates if any(link.rate is None for link in chain) else self.rates[:1]
        for rate in rates:
            yield from product(*(self._steps(link, rate) for link in chain))

    def _steps(self, link: Link, rate: float) -> list[Step]:
        requested = self.study.params.get(link.spec.name, {})
        own = rate if link.rate is None else link.rate
        return step_variants(link.spec, link.spec.version, own, requested, self.catalog)

    def refusal(self, point: Point, data: MultiViewData) -> InvalidSetting | None:
        """Reason why `point` is not possible on `data`; None if it is. The result is kept for `check_possible`."""
        try:
            for step in point:
                self._check(step, data)
        except InvalidSetting as refusal:
            self._refused.setdefault(point, refusal)
            return refusal
        self._possible.add(point)
        return None

    def _check(self, step: Step, data: MultiViewData) -> None:
        """Raise InvalidSetting for a rate that is not possible; the one that means "nothing" always is."""
        spec = self.catalog.corruption(step.name)
        kind: Callable[..., Corruption] = self.catalog.load(spec)
        rate = step.rate
        assert rate is not None
        with self.catalog.calling(spec):
            corruption = kind(**step.params)
            if rate != (math.inf if spec.rate_kind == "snr" else 0):
                corruption.check(data, rate)

    def check_possible(self) -> None:
        """Raise InvalidSetting for a point that none of the data sets asked about so far allows, with the reason."""
        for point, refusal in self._refused.items():
            if point not in self._possible:
                raise refusal


def conditions_on(data: MultiViewData, conditions: Conditions) -> tuple[list[Point], list[str]]:
    """The points of the study that are possible on `data`, and sentences on what was decided and what is left out.

    The study's own default removes samples from complete data; data that miss samples by nature, and those of a
    single view, are then taken as they are.
    """
    study = conditions.study
    if study.corruptions is None and study.rates is None:
        if not data.is_complete:
            return [()], [f"{data.name} is naturally incomplete and used as it is."]
        if data.n_views == 1:
            return [()], [f"{data.name} has a single view, in which no sample can be missing; it is used as it is."]
    refusals = {point: conditions.refusal(point, data) for point in conditions.points}
    points = [point for point, refusal in refusals.items() if refusal is None]
    notes = _decided(data, points, conditions) if points else []
    if points:
        refused = [(point, str(refusal)) for point, refusal in refusals.items() if refusal is not None]
        notes += _left_out(data, refused)
    else:
        notes.append(f"{data.name} is left out of the study: {next(iter(refusals.values()))}")
    return points, notes


def _decided(data: MultiViewData, points: list[Point], conditions: Conditions) -> list[str]:
    """Notes on the points on `data` that a user may not expect."""
    missing = {spec.name for spec in conditions.specs if spec.makes_missing}
    removing = [step for point in points for step in point if step.name in missing]
    names = ", ".join(dict.fromkeys(step.name for step in removing))
    if removing and not data.is_complete:
        incomplete = int((~data.complete_samples).sum())
        return [
            f"{data.name} is naturally incomplete: {incomplete} of its {data.n_samples} samples already miss a view; "
            f"{names} removes views of the complete ones; rates are shares of these."
        ]
    if conditions.study.corruptions is None:
        shown = ", ".join(f"{rate:g}" for rate in conditions.rates)
        rates = f"{'rate' if len(conditions.rates) == 1 else 'rates'} {shown}"
        return [
            f"{data.name} is complete; trials remove samples from its views: {names} at {rates} (rate 0 removes none)."
        ]
    return []


def _left_out(data: MultiViewData, refused: list[tuple[Point, str]]) -> list[str]:
    """One sentence for each chain of which points are not possible on `data`; the first reason stands for all."""
    notes = []
    for _, result in groupby(refused, key=lambda one: [step.label for step in one[0]]):
        members = list(result)
        shown = ", ".join("+".join(map(str, point)) for point, _ in members)
        notes.append(f"{data.name} is left out of {shown}: {members[0][1]}")
    return notes


def _chain(text: str, catalog: Catalog) -> tuple[Link, ...]:
    """'missing-even:0.3+gaussian:10dB' as links; nothing for 'none'."""
    parts = chained(text)
    if parts == [NOTHING]:
        return ()
    if NOTHING in parts:
        raise InvalidSetting(
            f"'{text}' contains {NOTHING}, which is a condition of its own; give it separately.",
            field="corruptions",
            value=text,
        )
    links = []
    for part in parts:
        name, colon, rate = part.partition(":")
        links.append(Link(catalog.corruption(name), parse_rate(rate) if colon else None))
    for index, link in enumerate(links):
        _check_order([item.spec for item in links[:index]], link.spec, text)
    return tuple(links)


def _check_order(before: Iterable[CorruptionSpec], spec: CorruptionSpec, text: str) -> None:
    """Raise InvalidSetting where `spec` cannot follow what removes samples."""
    removing = next((item.name for item in before if item.makes_missing), None)
    if removing is None or not (spec.makes_missing or spec.needs_complete):
        return
    if spec.needs_complete:
        why = f"which removes samples: {spec.name} needs complete data; put it first, as in {spec.name}+{removing}."
    else:
        why = f"as a rate would no longer mean what it says; name them as two conditions, {removing} {spec.name}."
    raise InvalidSetting(f"'{text}': {spec.name} cannot follow {removing}, {why}", field="corruptions", value=text)


def _check_rates(study: Study, swept: list[CorruptionSpec]) -> None:
    """Raise InvalidSetting for rates that no corruption takes, and for shares that would be taken for noise.

    The study's rates are shares, unless all that take them are measured by signal-to-noise ratios and one of the rates
    is above 1.
    """
    if study.rates is not None and not swept:
        raise InvalidSetting("rates need a corruption without a rate of its own, as in missing-even.", field="rates")
    noisy = [spec.name for spec in swept if spec.rate_kind == "snr"]
    if not noisy or (study.rates is not None and len(noisy) == len(swept) and max(study.rates) > 1):
        return
    shown = ", ".join(f"{rate:g}" for rate in study.rates or (DEFAULT_RATE,))
    raise InvalidSetting(
        f"the rate of {noisy[0]} is a signal-to-noise ratio, so {shown} cannot be used as a rate for it; give it a "
        f"ratio of its own, as in {noisy[0]}:10dB or {noisy[0]}:0.1.",
        field="corruptions",
        value=noisy[0],
    )
