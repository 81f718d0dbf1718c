"""The conditions of a study on one data set: which corruptions at which rates, and what was decided by default."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import product

from mvarena.contracts.corruption import Corruption
from mvarena.contracts.specs import CorruptionSpec
from mvarena.contracts.trial import Step
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog
from mvarena.study.components import step_variants
from mvarena.study.model import DEFAULT_CORRUPTION, DEFAULT_RATE, Study
from mvarena.study.values import parse_rate

NOTHING = "none"


@dataclass
class Conditions:
    """What a study says of corruptions, read once: the specs in order, each with its own rate or None."""

    study: Study
    catalog: Catalog
    named: list[tuple[CorruptionSpec, float | None]] = field(init=False)

    def __post_init__(self) -> None:
        asked = (DEFAULT_CORRUPTION,) if self.study.corruptions is None else self.study.corruptions
        parts = [name.partition(":") for name in asked if name != NOTHING]
        self.named = [
            (self.catalog.corruption(name), parse_rate(text) if colon else None) for name, colon, text in parts
        ]

    @property
    def specs(self) -> list[CorruptionSpec]:
        return [spec for spec, _ in self.named]


def conditions_on(
    data: MultiViewData, conditions: Conditions, catalog: Catalog
) -> tuple[list[tuple[Step, ...]], list[str]]:
    """The corruption steps of each point on `data`, and what was decided for the user.

    Raises InvalidSetting for a rate that is not possible on `data`, and for rates that no corruption takes.
    """
    study = conditions.study
    default = study.corruptions is None
    if default and not data.is_complete:
        if study.rates is not None:
            raise InvalidSetting(
                f"{data.name} misses samples by nature, so rates need a corruption that says how to remove more.",
                field="rates",
            )
        return [()], [f"{data.name} is naturally incomplete: taken as it is."]
    if default and study.rates is None and data.n_views == 1:
        return [()], [f"{data.name} has a single view, of which no sample can be missing: taken as it is."]
    rates = study.rates if study.rates is not None else (DEFAULT_RATE,)
    notes = []
    if default:
        shown = ", ".join(f"{rate:g}" for rate in rates)
        notes.append(
            f"{data.name} is complete: {DEFAULT_CORRUPTION} at {'rate' if len(rates) == 1 else 'rates'} {shown}."
        )
    swept = [spec for spec, own in conditions.named if own is None]
    if study.rates is not None and not swept:
        raise InvalidSetting("rates need a corruption without a rate of its own, as in missing-even.", field="rates")
    points: list[tuple[Step, ...]] = []
    for rate in rates if swept else rates[:1]:
        steps = [_steps(spec, rate if own is None else own, data, study, catalog) for spec, own in conditions.named]
        points += product(*steps)
    return points, notes


def _steps(spec: CorruptionSpec, rate: float, data: MultiViewData, study: Study, catalog: Catalog) -> list[Step]:
    steps = step_variants(spec, spec.version, rate, study.params.get(spec.name, {}), catalog)
    for step in steps:
        _check_rate(spec, step, data, catalog)
    return steps


def _check_rate(spec: CorruptionSpec, step: Step, data: MultiViewData, catalog: Catalog) -> None:
    """Raise InvalidSetting for a rate that is not possible; the one that means "nothing" always is."""
    corruption: Corruption = catalog.load(spec)(**step.params)
    assert step.rate is not None
    if step.rate != (math.inf if spec.rate_kind == "snr" else 0):
        corruption.check(data, step.rate)
