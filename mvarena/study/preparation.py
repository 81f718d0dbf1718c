"""Preparation of every trial's data: scaling, the same for all, and adaptation, by method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from mvarena.contracts.protocol import Protocol
from mvarena.contracts.specs import AlgorithmSpec, TransformSpec
from mvarena.contracts.trial import Step
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, about, unknown_name
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import is_control
from mvarena.study.adaptation import (
    AUTO,
    NONE,
    PAPER,
    SCALE_AUTO,
    UNIT,
    Steps,
    adaptation,
    filling_named,
    has_features,
    scaling_named,
)
from mvarena.study.components import step_variants
from mvarena.study.model import DEFAULT_FILL, DEFAULT_SCALE, Contestant, Study
from mvarena.text import plural


@dataclass
class Preparations:
    """Preparation settings of a study, read once.

    scalings, fillings : the alternatives. said : all steps of a contestant's, or None for scaling and adaptation.

    Raises UnknownName for a transform or contestant that there is none of, and InvalidSetting for a scaling or filling
    that nobody's preparation would use.
    """

    study: Study
    contestants: list[Contestant]
    protocol: Protocol
    catalog: Catalog
    scalings: tuple[Steps, ...] = field(init=False)
    fillings: tuple[str, ...] = field(init=False)
    said: dict[str, Steps | None] = field(init=False)
    _adapted: dict[str, list[str]] = field(init=False, default_factory=dict)
    _handed: dict[str, set[str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.scalings = tuple(dict.fromkeys(scaling_named(text) for text in self.study.scale or DEFAULT_SCALE))
        self.fillings = tuple(dict.fromkeys(self.study.fill or (DEFAULT_FILL,)))
        with about("fill"):
            for fill in self.fillings:
                filling_named(fill, self.catalog)
        with about("scale"):
            self._look_up(self.scalings)
        with about("prepare"):
            self.said = self._read()
            self._look_up(self.said.values())
        if None not in self.said.values():
            for name in ("scale", "fill"):
                if getattr(self.study, name) is not None:
                    raise InvalidSetting(
                        f"{name} has no effect if all steps of preparation are given; remove one of the two, or "
                        f"prepare with '{AUTO}'.",
                        field=name,
                    )

    def _look_up(self, alternatives: Iterable[Steps | None]) -> None:
        for name in [name for steps in alternatives for name in steps or ()]:
            self.catalog.transform(name)

    def of(self, contestant: Contestant, data: MultiViewData) -> list[tuple[Step, ...]]:
        """The steps of the contestant's trials on `data`: one list for each scaling and combination of parameters."""
        values = [steps for names in self._names(contestant.spec, data) for steps in self._steps(names)]
        return list(dict.fromkeys(values))

    def used(self, data: MultiViewData) -> Iterator[TransformSpec]:
        """The transforms of all contestants on `data`."""
        for contestant in self.contestants:
            for names in self._names(contestant.spec, data):
                yield from (self.catalog.transform(name) for name in names)

    def scaling_details(self, data: MultiViewData) -> list[str]:
        """Sentences on the scaling of each view of `data`, where it decides by looking at it."""
        adapted = [contestant.spec for contestant in self.contestants if self.said[contestant.spec.name] is None]
        if not adapted:
            return []
        takers: dict[str, list[str]] = {}
        for spec in adapted:
            if spec.reads_labels and data.labels is None:
                continue  # it takes no part
            for scaling, fill in product(self.scalings, self.fillings):
                steps = adaptation(spec.capabilities, data, fill, scaling)
                names = takers.setdefault(", ".join(steps) or "nothing", [])
                names += [spec.name] if spec.name not in names else []
                for kind in () if is_control(spec) else {_kind_of_step(step) for step in steps}:
                    self._handed.setdefault(kind, set()).add(spec.name)
        settings = "; ".join(f"{steps} for {', '.join(names)}" for steps, names in takers.items())
        self._adapted.setdefault(settings, []).append(data.name)
        settings = scaling_decisions(data, self.catalog) if any(SCALE_AUTO in steps for steps in self.scalings) else ""
        return [f"{data.name}: scaling (auto), with the kind of each view: {settings}."] if settings else []

    def adaptation_notes(self) -> list[str]:
        """Sentences on what methods get beside the scaled data: how many get which, and what a class of one's own gets.

        Of the data that `scaling_details` has seen.
        """
        guesses = {contestant.spec.name: contestant.spec.handed for contestant in self.contestants}
        counts = sorted(self._handed.items(), key=lambda item: (-len(item[1]), item[0]))
        words = [f"{kind} for {plural(len(names), 'method')}" for kind, names in counts]
        return [
            *(f"{name} gets {handed}." for name, handed in guesses.items() if handed),
            *([f"Adaptation: {', '.join(words)}."] if words else []),
        ]

    def adaptation_details(self) -> list[str]:
        """Adaptations by method on these data."""
        if len(self._adapted) == 1:
            return [f"Adaptation: {item}." for item in self._adapted]
        return [f"Adaptation on {', '.join(names)}: {item}." for item, names in self._adapted.items()]

    def _names(self, spec: AlgorithmSpec, data: MultiViewData) -> list[Steps]:
        steps = self.said[spec.name]
        if steps is not None:
            return [steps]
        scalings = self.scalings if has_features(data) else ((),)
        return list(
            dict.fromkeys(
                (*scaling, *adaptation(spec.capabilities, data, fill, scaling))
                for scaling in scalings
                for fill in self.fillings
            )
        )

    def _steps(self, names: Steps) -> Iterator[tuple[Step, ...]]:
        specs = [self.catalog.transform(name) for name in names]
        params = self.study.params
        return product(
            *(step_variants(spec, spec.version, None, params.get(spec.name, {}), self.catalog) for spec in specs)
        )

    def _read(self) -> dict[str, Steps | None]:
        own = {name: text for name, equals, text in self._words() if equals}
        words = [name for name, equals, _ in self._words() if not equals]
        known = [contestant.spec.name for contestant in self.contestants]
        for name in own:
            if name not in known:
                raise unknown_name("algorithm of this study", name, known, "Steps are set as ALGORITHM=STEPS.")
        everyone = words or ([] if self.study.prepare == () else None)
        if everyone is None:
            everyone = [AUTO if self.study.scale is not None else self.protocol.prepare]
        return {
            contestant.spec.name: _steps_said(
                own[contestant.spec.name].split(",") if contestant.spec.name in own else everyone, contestant.spec
            )
            for contestant in self.contestants
        }

    def _words(self) -> list[tuple[str, str, str]]:
        return [text.partition("=") for text in self.study.prepare or ()]


def _kind_of_step(step: str) -> str:
    """The result of a step of adaptation, in words."""
    if step.startswith("fill-"):
        return "filled data"
    if step == "center-kernels":
        return "centred kernels"
    if step == UNIT:
        return "features"
    return "kernels" if step.endswith("-kernel") else "features" if step.endswith("-features") else "shifted values"


def scaling_decisions(data: MultiViewData, catalog: Catalog) -> str:
    """Decision of 'auto' for each view of `data`, in words; '' where no view holds features."""
    if not has_features(data):
        return ""
    decisions = catalog.decisions(catalog.transform(SCALE_AUTO), data)
    return "; ".join(f"{views}: {decision}" for decision, views in decisions.items())


def _steps_said(words: Iterable[str], spec: AlgorithmSpec) -> Steps | None:
    names = tuple(word.strip() for text in words for word in text.split(",") if word.strip())
    alone: dict[str, Steps | None] = {AUTO: None, PAPER: spec.prepare, NONE: ()}
    for word, steps in alone.items():
        if names == (word,):
            return steps
        if word in names:
            raise InvalidSetting(f"'{word}' must be the only step.", field="prepare", value=word)
    return names


def preparation_for(
    spec: AlgorithmSpec | None, data: MultiViewData, words: Steps, fill: str, catalog: Catalog
) -> Steps:
    """The transforms that `words` ('auto', 'paper', or names) stand for on `data`, with the adaptation to `spec`."""
    if spec is not None and words == (PAPER,):
        return spec.prepare
    named = scaling_named(",".join(words))
    filling_named(fill, catalog)
    if spec is None:
        return named
    return (*(named if has_features(data) else ()), *adaptation(spec.capabilities, data, fill, named))
