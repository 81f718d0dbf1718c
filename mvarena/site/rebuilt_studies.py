"""Studies of trials whose runs are not known: what they share, and a command that runs them."""

from __future__ import annotations

import inspect
import json
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.contracts.parameters import parameters_of
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.site.data import Material
from mvarena.store.overview import restarts_of
from mvarena.study.adaptation import scaling_in
from mvarena.study.protocols import PROTOCOLS
from mvarena.text import visible

_NONE = "none"


def rebuilt_studies(trials: pd.DataFrame, material: Material) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Some of `Material.trials`, by protocol, seed, corruption and (unless the protocol prepares as papers do) scaling:
    what is shown of each such study beside its trials, and these.

    command : what runs these trials on this mvarena, put together from what is stored of them; restarts and repeats are
    the largest numbers asked for.
    """
    trials = trials.assign(
        scaling=trials["prepare"].map({item: scaling_in(item) for item in trials["prepare"].unique()})
    )
    trials["asked"] = trials["scaling"].where(~trials["protocol"].map(_prepares_as_papers), "")
    defaults = {name: _defaults(name, material.catalog) for name in trials["algorithm"].unique()}
    by = ["protocol", "seed", "corruption", "asked"]
    one_each = trials.drop_duplicates([*by, "algorithm"])["key"]
    restarts = restarts_of(material.db, one_each)
    trials["asked_restarts"] = trials["key"].map(restarts)  # of those alone
    for key, part in trials.groupby(by, dropna=False):
        protocol, seed, corruption, scaling = key
        spoilt = "data as they are" if corruption == _NONE else corruption
        title = f"Protocol {protocol}, {spoilt}"
        title += f"{f', scaling {scaling}' if scaling else ''}{f', seed {seed}' if seed else ''}"
        shown = {
            "title": visible(title),
            "protocol": protocol,
            "corruption": corruption,
            "scaling": scaling or "as published",
            "seed": str(seed),
            "rebuilt": visible(shlex.join(_command(part, key, defaults))),
        }
        yield shown, part


def _command(part: pd.DataFrame, key: tuple[Any, ...], defaults: dict[str, dict[str, Any] | None]) -> list[str]:
    protocol, seed, corruption, scaling = key
    words = ["mvarena", "run", "--algo", *sorted(part["algorithm"].unique(), key=natural_order)]
    words += ["--data", *sorted({_source(name) for name in part["dataset"].unique()}, key=natural_order)]
    words += ["--corrupt", corruption]
    if corruption != _NONE:
        words += ["--rates", *(f"{rate:g}" for rate in sorted(part["rate"].unique()))]
    words += ["--repeats", str(int(part["repeat"].max()) + 1)]
    words += ["--restarts", str(int(part["asked_restarts"].max()))]
    words += ["--scale", scaling] if scaling and scaling != "auto" else []
    words += ["--protocol", protocol] if protocol != "fair" else []
    words += ["--seed", str(seed)] if seed else []
    settings = [text for name, rows in part.groupby("algorithm") for text in _settings(name, rows, defaults[name])]
    return [*words, *(["--param", *settings] if settings else [])]


def _settings(name: str, rows: pd.DataFrame, defaults: dict[str, Any] | None) -> list[str]:
    """'mic.beta=0.1,1' for each parameter with other values than the default alone; labels pick theirs unasked."""
    if defaults is None:
        return []
    given: dict[str, dict[str, Any]] = {}
    for text in rows["params"].unique():
        for parameter, value in json.loads(text).items():
            given.setdefault(parameter, {})[json.dumps(value, sort_keys=True)] = value
    picked = set(rows["picks_by_labels"].dropna())
    return [
        f"{name}.{parameter}={','.join(map(_as_typed, _in_order(values.values())))}"
        for parameter, values in given.items()
        if parameter not in picked and parameter != "n_clusters" and list(values.values()) != [defaults.get(parameter)]
    ]


def _defaults(name: str, catalog: Catalog) -> dict[str, Any] | None:
    """Parameter -> default; None for an algorithm that is not here."""
    try:
        parameters = parameters_of(catalog.load(catalog.algorithm(name)))
    except MvarenaError:
        return None
    return {item.name: item.default for item in parameters.values() if item.default is not inspect.Parameter.empty}


def _prepares_as_papers(protocol: str) -> bool:
    return protocol in PROTOCOLS and PROTOCOLS[protocol].prepare == "paper"


def _source(dataset: str) -> str:
    return dataset.partition(" #")[0]


def _in_order(values: Iterable[Any]) -> list[Any]:
    """Numbers by size, all else as it comes."""
    result = list(values)
    numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in result)
    return sorted(result) if numbers else result


def _as_typed(value: Any) -> str:
    return "none" if value is None else value if isinstance(value, str) else json.dumps(value)
