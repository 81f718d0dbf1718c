"""Descriptions of trials as rows of data sets, methods, conditions and protocols, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Row, select

from mvarena.contracts.protocol import Protocol
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.errors import InvalidSetting
from mvarena.store.encoding import canonical_json
from mvarena.store.schema import conditions, datasets, methods, names, protocols, sources, trials
from mvarena.study.adaptation import filling_in, scaling_in

TRIALS: FromClause = (
    trials.join(methods, methods.c.id == trials.c.method)
    .join(datasets, datasets.c.id == trials.c.dataset)
    .join(conditions, conditions.c.id == trials.c.condition)
)
"""Trials with what they are of, their protocols apart."""

NAMED: FromClause = (
    TRIALS.join(names, names.c.trial == trials.c.id)
    .join(sources, sources.c.id == names.c.source)
    .join(protocols, protocols.c.id == names.c.protocol)
)
"""Trials with what they are of, once under each of their names."""

DESCRIBED: FromClause = TRIALS.join(protocols, protocols.c.id == trials.c.protocol)
"""Trials with all that their keys are computed from."""

_COLUMNS: Sequence[ColumnElement[Any]] = (
    trials.c.key, methods.c.name, methods.c.version, methods.c.params, datasets.c.content, conditions.c.corruptions,
    conditions.c.prepare, protocols.c.restarts, protocols.c.unit_rows, protocols.c.pick, trials.c.seed, trials.c.repeat,
)  # fmt: skip


def method_row(trial: Trial) -> dict[str, Any]:
    """The row of `methods`, without the variant."""
    return {
        "name": trial.algorithm,
        "version": trial.algorithm_version,
        "params": canonical_json(dict(trial.params)),
        "picks_by_labels": trial.picks_by_labels,
    }


def condition_row(trial: Trial) -> dict[str, Any]:
    """The row of `conditions`."""
    preparation = ",".join(str(step) for step in trial.prepare)
    return {
        "corruptions": canonical_json([step.identity() for step in trial.corruptions]),
        "prepare": canonical_json([step.identity() for step in trial.prepare]),
        "corruption": trial.corruption,
        "rate": trial.rate,
        "preparation": preparation,
        "scaling": scaling_in(preparation),
        "filling": filling_in(preparation),
    }


def protocol_row(protocol: Protocol) -> dict[str, Any]:
    """The row of `protocols`."""
    return {"name": protocol.name, **protocol.settings()}


@lru_cache(maxsize=128)
def source_row(source: Source) -> tuple[tuple[str, str], ...]:
    """Name and JSON of a source, as items of a row; a study has few sources, and each many trials."""
    return (("name", source.name), ("json", source.without_folders().to_json()))


def within_64_bits(seed: int) -> int:
    """The seed. Raises InvalidSetting for one that no database takes."""
    if not -(2**63) <= seed < 2**63:
        raise InvalidSetting(f"the seed {seed} is too large; give one of at most 18 digits.")
    return int(seed)


_NOWHERE = Source(dataset="stored")


def described_trials(connection: Connection, *where: ColumnElement[bool]) -> Iterator[tuple[str, Trial]]:
    """Stored keys with the trials of their descriptions; the source says nothing, the protocol its settings alone."""
    for row in connection.execute(select(*_COLUMNS).select_from(DESCRIBED).where(*where).order_by(trials.c.key)):
        yield row.key, _trial(row)


def identities_of(connection: Connection, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Key -> `Trial.identity()`, of the stored trials of these keys, for as many as fit into one statement."""
    return {key: trial.identity() for key, trial in described_trials(connection, trials.c.key.in_(list(keys)))}


def _trial(row: Row[Any]) -> Trial:
    return Trial(
        algorithm=row.name,
        algorithm_version=row.version,
        params=_read(row.params),
        source=_NOWHERE,
        content=row.content,
        corruptions=_steps(row.corruptions),
        prepare=_steps(row.prepare),
        protocol=_protocol(row.restarts, row.unit_rows, row.pick),
        seed=row.seed,
        repeat=row.repeat,
    )


@lru_cache(maxsize=10_000)
def _read(text: str) -> Any:
    return json.loads(text)


@lru_cache(maxsize=10_000)
def _steps(text: str) -> tuple[Step, ...]:
    return tuple(Step(*step) for step in json.loads(text))


@lru_cache(maxsize=100)
def _protocol(restarts: int, unit_rows: bool, pick: Any) -> Protocol:
    return Protocol(name="stored", summary="", restarts=restarts, unit_rows=unit_rows, pick=pick)
