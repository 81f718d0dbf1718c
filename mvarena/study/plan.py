"""From a study to its trials. Everything that is wrong with a study is said here, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from mvarena.contracts.specs import AlgorithmSpec, CorruptionSpec, Spec
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.registry.catalog import Catalog
from mvarena.study.model import DEFAULT_CORRUPTION, DEFAULT_RATE, Study
from mvarena.study.protocol import Protocol, protocol_named
from mvarena.study.sources import Source, load_source, source_named
from mvarena.study.trial import Step, Trial
from mvarena.study.values import parse_rate

# set by the arena itself: they shape how often clusters are assigned, not what is represented
_ARENA_PARAMS = ("n_init", "random_state")


@dataclass(frozen=True, slots=True)
class Plan:
    """The trials of a study, in the order in which they run, and sentences on what was decided by default."""

    trials: tuple[Trial, ...]
    notes: tuple[str, ...]


def plan_study(study: Study, catalog: Catalog) -> Plan:
    """Expand `study`. Loads each data set once (its content is part of the keys).

    Raises UnknownName or InvalidSetting for anything that cannot run as asked.
    """
    protocol = protocol_named(study.protocol).with_restarts(study.restarts)
    n_trials = protocol.trials if study.trials is None else study.trials
    algorithms = [catalog.algorithm(name) for name in dict.fromkeys(study.algorithms)]
    sources = [source_named(name, catalog) for name in dict.fromkeys(study.datasets)]
    prepare = {spec.name: _preparation(study, spec, catalog) for spec in algorithms}
    variants = {spec.name: list(_variants(study, spec, catalog)) for spec in algorithms}
    trials: list[Trial] = []
    notes: list[str] = []
    for source in sources:
        data = load_source(source.name, catalog)
        points, note = _points(study, data, catalog)
        notes += note
        for corruptions, repeat, spec in product(points, range(n_trials), algorithms):
            for params in _per_view(spec, variants[spec.name], data):
                trials.append(
                    _trial(study, protocol, source, data, corruptions, repeat, spec, params, prepare[spec.name])
                )
    notes += _protocol_note(study, protocol, n_trials)
    return Plan(tuple({trial.key: trial for trial in trials}.values()), tuple(notes))


def _trial(
    study: Study,
    protocol: Protocol,
    source: Source,
    data: MultiViewData,
    corruptions: tuple[Step, ...],
    repeat: int,
    spec: AlgorithmSpec,
    params: dict[str, Any],
    prepare: tuple[Step, ...],
) -> Trial:
    return Trial(
        algorithm=spec.name,
        algorithm_version=spec.version,
        params=params,
        dataset=source.name,
        content=source.content(data),
        corruptions=corruptions,
        prepare=prepare,
        protocol=protocol,
        seed=study.seed,
        repeat=repeat,
        picks_by_labels=spec.picks_by_labels,
    )


def _protocol_note(study: Study, protocol: Protocol, n_trials: int) -> list[str]:
    if study.trials is not None and study.restarts is not None:
        return []
    return [f"Protocol {protocol.name}: {n_trials} trials of {protocol.restarts} restarts each, seed {study.seed}."]


# corruptions ----------------------------------------------------------------------------------------------


def _points(study: Study, data: MultiViewData, catalog: Catalog) -> tuple[list[tuple[Step, ...]], list[str]]:
    """The corruption steps of each point on `data`, and what was decided for the user."""
    if study.corruptions is None and not data.is_complete:
        if study.rates is not None:
            raise InvalidSetting(
                f"{data.name} misses samples by nature, so --rates needs a --corrupt that says how to remove more."
            )
        return [()], [f"{data.name} is naturally incomplete: taken as it is."]
    if study.corruptions is None and study.rates is None and data.n_views == 1:
        return [()], [f"{data.name} has a single view, of which no sample can be missing: taken as it is."]
    named = study.corruptions if study.corruptions is not None else (DEFAULT_CORRUPTION,)
    rates = study.rates if study.rates is not None else (DEFAULT_RATE,)
    notes = []
    if study.corruptions is None:
        shown = ", ".join(f"{rate:g}" for rate in rates)
        notes.append(
            f"{data.name} is complete: {DEFAULT_CORRUPTION} at {'rate' if len(rates) == 1 else 'rates'} {shown}."
        )
    fixed = [name.partition(":") for name in named if name != "none"]
    swept = [name for name, colon, _ in fixed if not colon]
    if study.rates is not None and not swept:
        raise InvalidSetting("--rates needs a --corrupt without a rate of its own, as in --corrupt missing-even.")
    points = [
        tuple(_step(name, parse_rate(text) if colon else rate, data, catalog) for name, colon, text in fixed)
        for rate in (rates if swept else rates[:1])
    ]
    return points, notes


def _step(name: str, rate: float, data: MultiViewData, catalog: Catalog) -> Step:
    spec = catalog.corruption(name)
    _check_rate(spec, rate, data, catalog)
    return Step(spec.name, spec.version, rate)


def _check_rate(spec: CorruptionSpec, rate: float, data: MultiViewData, catalog: Catalog) -> None:
    largest = catalog.load(spec)().largest_rate(data)
    if spec.makes_missing and not data.is_complete and rate > largest:
        raise InvalidSetting(
            f"{spec.name} starts from complete data and {data.name} misses samples already; "
            "leave --corrupt out to take it as it is, or use complete data."
        )
    if spec.rate_kind == "snr" and rate <= 0:
        raise InvalidSetting(f"{spec.name} needs a rate above 0, not {rate:g}: a rate is {spec.rate_means}.")
    if not 0 <= rate <= largest:
        raise InvalidSetting(
            f"{spec.name} cannot have a rate of {rate:g} on {data.name}, where the largest possible rate is "
            f"{largest:.6g} (a rate is {spec.rate_means})."
        )


# algorithms -----------------------------------------------------------------------------------------------


def _preparation(study: Study, spec: AlgorithmSpec, catalog: Catalog) -> tuple[Step, ...]:
    names = spec.prepare if study.prepare is None else study.prepare
    return tuple(Step(name, catalog.transform(name).version) for name in names)


def _variants(study: Study, spec: AlgorithmSpec, catalog: Catalog) -> Iterator[dict[str, Any]]:
    """Every combination of the parameter values asked for, completed with the defaults."""
    defaults = _parameters(spec, catalog)
    asked = dict(study.params.get(spec.name, {}))
    if study.n_clusters is not None:
        asked.setdefault("n_clusters", (study.n_clusters,))
    for name in asked:
        if name not in defaults:
            raise unknown_name(
                f"parameter of {spec.name}", name, defaults, f"Its parameters are {', '.join(sorted(defaults))}."
            )
    for values in product(*asked.values()):
        yield defaults | dict(zip(asked, values, strict=True))


def _parameters(spec: Spec, catalog: Catalog) -> dict[str, Any]:
    parameters: dict[str, Any] = catalog.load(spec)().get_params()
    return {name: value for name, value in sorted(parameters.items()) if name not in _ARENA_PARAMS}


def _per_view(spec: AlgorithmSpec, variants: list[dict[str, Any]], data: MultiViewData) -> Iterator[dict[str, Any]]:
    """One variant per view, for an algorithm whose view the literature picks by labels and the user left open."""
    for params in variants:
        if spec.picks_by_labels == "view" and params.get("view") is None:
            yield from (params | {"view": name} for name in data.view_names)
        else:
            yield params
