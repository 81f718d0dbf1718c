"""The components that a study names, with the parameters that it sets: typed, in range, expanded to a grid."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any

from mvarena.contracts.parameters import checked_parameters, parameters_of, parsed_parameter
from mvarena.contracts.specs import AlgorithmSpec, Component, Spec
from mvarena.contracts.trial import Step
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting, PluginError, unknown_name
from mvarena.registry.catalog import Catalog
from mvarena.registry.plugins import named_errors
from mvarena.registry.user_code import ARENA_PARAMS
from mvarena.study.families import algorithms_named, controls
from mvarena.study.model import FAIR, Contestant, Study
from mvarena.study.values import Raw

_CONFIGURABLE: tuple[Component, ...] = ("algorithm", "corruption", "transform")

Grid = Mapping[str, tuple[Any, ...]]
_TIMES_CLUSTERS = re.compile(r"([1-9]\d*)k")


def contestants_of(study: Study, catalog: Catalog) -> list[Contestant]:
    """The study's algorithms, each once, with their specs, and the controls last; errors as `contestants_named`."""
    named = contestants_named(study.algorithms, catalog)
    if not study.controls or study.protocol != FAIR:
        return named
    known = {contestant.spec.name for contestant in named}
    return [*named, *(Contestant(spec) for spec in controls(catalog) if spec.name not in known)]


def contestants_named(algorithms: Iterable[str | Contestant], catalog: Catalog) -> list[Contestant]:
    """Algorithms by name, pattern or family, each once, with their specs.

    Raises UnknownName for what there is none of, and InvalidSetting for one's own whose name is that of another, which
    tables could not tell apart.
    """
    values: list[Contestant] = []
    for algorithm in algorithms:
        values += [algorithm] if isinstance(algorithm, Contestant) else _announced(algorithm, catalog)
    unique: list[Contestant] = []
    for algorithm in values:
        if algorithm not in unique:
            unique.append(algorithm)
    targets = {name: catalog.algorithm(name).target for name in catalog.names("algorithm")}
    for spec in (item.spec for item in unique):
        if targets.setdefault(spec.name, spec.target) != spec.target:
            raise InvalidSetting(
                f"there is another algorithm called '{spec.name}'; rename yours: its name is made from the class's, or "
                "is the class attribute `name`, or `name` in the file of a program.",
                field="algorithms",
                value=spec.name,
            )
    return unique


def _announced(text: str, catalog: Catalog) -> list[Contestant]:
    return [Contestant(catalog.algorithm(name)) for name in algorithms_named(text, catalog)]


def component_named(name: str, contestants: Iterable[Contestant], catalog: Catalog) -> Spec:
    """The algorithm, corruption or transform of that name; UnknownName where there is none."""
    specs = [contestant.spec for contestant in contestants]
    own = [spec for spec in specs if spec.name == name]
    announced = [spec for kind in _CONFIGURABLE for spec in catalog.specs(kind) if spec.name == name]
    if not own and not announced:
        known = {known for kind in _CONFIGURABLE for known in catalog.names(kind)} | {spec.name for spec in specs}
        raise unknown_name("algorithm, corruption or transform", name, known, "Parameters are set as NAME.PARAMETER.")
    return [*own, *announced][0]


def typed_params(
    raw: Raw, contestants: Iterable[Contestant], catalog: Catalog
) -> dict[str, dict[str, tuple[Any, ...]]]:
    """`raw` with every text read by the type that its parameter declares, each value once.

    Raises UnknownName for a component or parameter that there is not, and InvalidSetting for a value that it cannot
    have.
    """
    own = list(contestants)
    grid: dict[str, dict[str, tuple[Any, ...]]] = {}
    for component, parameters in raw.items():
        loaded = catalog.load(component_named(component, own, catalog))
        for parameter, values in parameters.items():
            read = [
                parsed_parameter(component, loaded, parameter, value)
                if isinstance(value, str)
                else checked_parameters(component, loaded, {parameter: value})[parameter]
                for value in values
            ]
            unique = [item for index, item in enumerate(read) if item not in read[:index]]
            grid.setdefault(component, {})[parameter] = tuple(unique)
    return grid


def algorithm_variants(
    contestant: Contestant, asked: Grid, view_names: tuple[str, ...], catalog: Catalog
) -> Iterator[dict[str, Any]]:
    """Every combination of the values asked for, completed with the defaults; checked against the declaration.

    A parameter over which the literature picks by labels takes all its values where the user left it open: the views
    for 'view', and otherwise the choices that it declares.
    """
    spec, target = contestant.spec, catalog.load(contestant.spec)
    defaults = {name: item.default for name, item in parameters_of(target).items() if name not in ARENA_PARAMS}
    asked = {name: (value,) for name, value in contestant.params.items() if name not in ARENA_PARAMS} | dict(asked)
    for name in asked:
        if name in ARENA_PARAMS:
            raise InvalidSetting(
                f"{spec.name}.{name} is set by the protocol and the study's seed.", field=f"{spec.name}.{name}"
            )
    picked = spec.picks_by_labels
    if picked and asked.get(picked, (None,)) == (None,):
        choices = view_names if picked == "view" else parameters_of(target)[picked].choices
        asked = asked | ({picked: choices} if choices else {})
    for params in _combinations(spec, target, asked):
        _check_together(target, defaults | params)
        yield defaults | params


def paper_grid(
    spec: AlgorithmSpec, data: MultiViewData, n_clusters: tuple[int, ...] | None
) -> dict[str, tuple[Any, ...]]:
    """Parameter -> values of the paper's grid, each once; '3k' becomes three times the number of clusters.

    n_clusters : in place of the number of classes; of several, the first counts.
    """
    k = n_clusters[0] if n_clusters else data.n_clusters
    grid = {} if spec.grid is None else dict(spec.grid.values)
    return {name: tuple(dict.fromkeys(_value(value, k) for value in values)) for name, values in grid.items()}


def _value(value: Any, k: int | None) -> Any:
    times = _TIMES_CLUSTERS.fullmatch(value) if isinstance(value, str) else None
    return value if times is None or k is None else int(times[1]) * k


def _check_together(target: Any, settings: Mapping[str, Any]) -> None:
    """Raise InvalidSetting for parameters that do not go together; whatever else a constructor does, its trials say."""
    from mvarena.contracts.algorithm import MultiViewClusterer

    if target.check_settings is MultiViewClusterer.check_settings:
        return
    with suppress(PluginError), named_errors(f"The constructor of '{target.__name__}'"):
        target(**settings).check_settings()


def step_variants(spec: Spec, version: str, rate: float | None, asked: Grid, catalog: Catalog) -> list[Step]:
    """A corruption or transform as applied, once for each combination of the values asked for."""
    target = catalog.load(spec)
    defaults = {name: item.default for name, item in parameters_of(target).items()}
    return [
        Step(spec.name, version, rate, {name: value for name, value in params.items() if value != defaults[name]})
        for params in _combinations(spec, target, asked)
    ]


def check_params_are_used(study: Study, used: Iterable[Spec], optional: Collection[str] = ()) -> None:
    """Raise InvalidSetting for parameters of a component that the study does not use, but for those of `optional`."""
    strangers = sorted(set(study.params) - {spec.name for spec in used} - set(optional))
    if strangers:
        raise unused_params(strangers[0])


def unused_params(component: str) -> InvalidSetting:
    """The error for parameters of a component that a study does not use."""
    return InvalidSetting(
        f"parameters are set for {component}, which the study does not use; add it, or remove them.",
        field="params",
        value=component,
    )


def _combinations(spec: Spec, target: Any, asked: Grid) -> Iterator[dict[str, Any]]:
    for values in product(*asked.values()):
        yield checked_parameters(spec.name, target, dict(zip(asked, values, strict=True)))
