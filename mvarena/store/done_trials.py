"""The trials that are done, as they were described: what a later metric is computed from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, select

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.store.database import Database
from mvarena.store.schema import attempts, names, scores, trials
from mvarena.store.trials import IS_CURRENT


@dataclass(frozen=True, slots=True)
class DoneTrial:
    """A stored trial: its key, its identity (`Trial.identity()`) and one source of its data."""

    key: str
    identity: dict[str, Any]
    source: Source

    @property
    def dataset(self) -> str:
        """What tables call its data."""
        return self.source.name


def done_trials(
    db: Database,
    *,
    algorithms: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    where: Sequence[ColumnElement[bool]] = (),
) -> list[DoneTrial]:
    """Every trial that is done, each once, in the order of the keys.

    algorithms, datasets : only of these. where : only what a filter stands for (`mvarena.store.filters.chosen`).
    """
    query = select(trials.c.key, trials.c.identity, names.c.dataset, names.c.source)
    query = query.select_from(trials.join(names).join(attempts)).where(
        IS_CURRENT, attempts.c.status == Status.DONE, *where
    )
    if algorithms is not None:
        query = query.where(trials.c.algorithm.in_(list(algorithms)))
    if datasets is not None:
        query = query.where(names.c.dataset.in_(list(datasets)))
    with db.read() as connection:
        rows = connection.execute(query.order_by(trials.c.key, names.c.dataset)).fetchall()
    found = {
        row.key: DoneTrial(row.key, json.loads(row.identity), _source(row.dataset, row.source))
        for row in reversed(rows)
    }
    return list(reversed(found.values()))


def _source(dataset: str, source: str | None) -> Source:
    """Where nobody knows the source any more, a data set of that name, which says so when it is looked for."""
    return Source(dataset=dataset) if source is None else Source.from_json(source)


def scored_keys(db: Database, metric: str, version: str) -> set[str]:
    """The done trials that hold this version of a metric already."""
    query = select(attempts.c.key).select_from(attempts.join(scores)).where(IS_CURRENT)
    query = query.where(scores.c.metric == metric, scores.c.metric_version == version).distinct()
    with db.read() as connection:
        return set(connection.scalars(query))
