"""Each thing once: data sets, methods, conditions, protocols, environments and texts are rows that trials refer to.

Of each trial the value that its protocol counts stays, metric by metric, and the labels of the restart that counts.
Methods get their cards, and their parameters that are not the defaults, from what is installed at the upgrade.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from alembic import op

from mvarena.contracts.outcome import Score
from mvarena.contracts.protocol import counted_restart, counted_value
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec, MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.errors import MvarenaError, StoreError
from mvarena.registry.catalog import installed_catalog
from mvarena.store import schema
from mvarena.store.cards import described, set_variants, store_cards
from mvarena.store.descriptions import condition_row, method_row, protocol_row, within_64_bits
from mvarena.store.encoding import WIDTH, fingerprint, pack_labels, unpack_labels
from mvarena.store.numbering import Numbers
from mvarena.store.trials import parts_of
from mvarena.store.write_outcomes import score_rows

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_OLD = "old_"
_TABLES = ("environments", "truths", "contents", "sample_ids", "trials", "names", "attempts", "labellings", "scores",
           "runs", "key_sets", "run_keys")  # fmt: skip
_AT_ONCE = 2000


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        raise StoreError(
            f"a database of schema {down_revision} is upgraded where it is a file, not on a server; export its scores "
            "with the version that wrote it, or run the study again into another database."
        )
    old = _set_apart(connection)
    schema.metadata.create_all(connection)
    numbers = Numbers(connection)
    truths = _copy_truths(connection, numbers, old["truths"])
    _copy_contents(connection, numbers, old, truths)
    environments = {row.id: numbers.of_environment(row.json) for row in _rows(connection, old["environments"])}
    picks: dict[str, tuple[int, str]] = {}
    for rows in parts_of(_rows(connection, old["trials"], "key"), _AT_ONCE):
        picks |= _copy_trials(connection, numbers, old, rows)
    _copy_attempts(connection, numbers, old, truths, environments, picks)
    _copy_runs(connection, old, environments)
    _describe(connection)
    for name in reversed(_TABLES):
        old[name].drop(connection)


def _set_apart(connection: sa.Connection) -> dict[str, sa.Table]:
    """The tables as they were, under other names, so that the new ones can have theirs."""
    for name in _TABLES:
        op.rename_table(name, f"{_OLD}{name}")
    tables = sa.MetaData()
    return {name: sa.Table(f"{_OLD}{name}", tables, autoload_with=connection, resolve_fks=False) for name in _TABLES}


def _rows(connection: sa.Connection, table: sa.Table, *order: str) -> list[Any]:
    return list(connection.execute(sa.select(table).order_by(*(table.c[name] for name in order))).fetchall())


def _copy_truths(connection: sa.Connection, numbers: Numbers, old: sa.Table) -> dict[str, int]:
    """Digest as hex -> number."""
    return {
        row.id: numbers.of(schema.truths, digest=bytes.fromhex(row.id), n_samples=row.n_samples, labels=row.labels)
        for row in _rows(connection, old)
    }


def _copy_contents(
    connection: sa.Connection, numbers: Numbers, old: Mapping[str, sa.Table], truths: Mapping[str, int]
) -> None:
    ids = {row.content: row.ids for row in _rows(connection, old["sample_ids"])}
    facts = {row.content: row for row in _rows(connection, old["contents"])}
    for content in sorted(facts.keys() | ids.keys()):
        row: dict[str, Any] = {"content": content, "ids": ids.get(content)}
        if content in facts:
            known = facts[content]
            row |= {name: getattr(known, name) for name in ("corpus", "n_samples", "n_clusters", "views")}
            row["truth"] = truths.get(known.truth_id or "")
        numbers.of(schema.datasets, **row)


def _copy_trials(
    connection: sa.Connection, numbers: Numbers, old: Mapping[str, sa.Table], rows: list[Any]
) -> dict[str, tuple[int, str]]:
    """Key -> the trial's number, and which of its restarts count. Names go along.

    Raises StoreError for a key that is not that of its description.
    """
    keys = [row.key for row in rows]
    called: dict[str, list[Any]] = defaultdict(list)
    names = old["names"]
    for row in connection.execute(sa.select(names).where(names.c.key.in_(keys)).order_by(names.c.key)):
        called[row.key].append(row)
    found: dict[str, tuple[int, str]] = {}
    named = []
    for row in rows:
        trial = Trial.from_identity(json.loads(row.identity), _NOWHERE)
        if trial.key != row.key:
            raise StoreError(f"trial {row.key[:12]} has another description than its key says.")
        own = called[row.key]
        picked = next((one.picks_by_labels for one in own if one.picks_by_labels), None)
        number = _add_trial(numbers, trial, own[0].protocol if own else "", picked)
        found[row.key] = (number, trial.protocol.pick)
        for one in own:
            source = numbers.of(schema.sources, name=one.dataset, json=one.source or "")
            protocol = numbers.of(schema.protocols, name=one.protocol, **trial.protocol.settings())
            named.append({"trial": number, "source": source, "protocol": protocol})
    if named:
        connection.execute(schema.names.insert(), named)
    return found


_NOWHERE = Source(dataset="stored")


def _add_trial(numbers: Numbers, trial: Trial, protocol: str, picked: str | None) -> int:
    return numbers.of(
        schema.trials,
        key=trial.key,
        method=numbers.of(schema.methods, **method_row(trial) | {"picks_by_labels": picked}),
        dataset=numbers.of(schema.datasets, content=trial.content),
        condition=numbers.of(schema.conditions, **condition_row(trial)),
        protocol=numbers.of(schema.protocols, **protocol_row(trial.protocol) | {"name": protocol}),
        seed=within_64_bits(trial.seed),
        repeat=trial.repeat,
    )


_TEXTS = {name: name for name in schema.TEXTS} | {"code": "source_hash"}
_KEPT = ("id", "number", "status", "signal", "wall_s", "cpu_s", "fit_s", "peak_rss_mb", "n_iter")


def _copy_attempts(
    connection: sa.Connection,
    numbers: Numbers,
    old: Mapping[str, sa.Table],
    truths: Mapping[str, int],
    environments: Mapping[str, int],
    picks: Mapping[str, tuple[int, str]],
) -> None:
    directions = {s.name: s.higher_is_better for s in installed_catalog().specs("metric") if isinstance(s, MetricSpec)}
    for rows in parts_of(_rows(connection, old["attempts"], "id"), _AT_ONCE):
        span = rows[0].id, rows[-1].id
        labels = _restarts(connection, old["labellings"], span)
        values = _values(connection, old["scores"], span)
        added, scored = [], []
        kept: dict[int, int] = {}
        for row in rows:
            trial, pick = picks[row.key]
            own, of_metrics = labels.get(row.id, {}), values.get(row.id, {})
            inertias = {restart: one.inertia for restart, one in own.items()}
            restart = _counted(pick, inertias, of_metrics.get("acc", (None, {}))[1])
            added.append({name: getattr(row, name) for name in _KEPT} | {
                **{name: numbers.of_text(_plain_text(name, getattr(row, before))) for name, before in _TEXTS.items()},
                "trial": trial, "converged": bool(row.converged), "started_at": row.started_at.replace(tzinfo=UTC),
                "objective": row.objective or None, "environment": environments[row.environment_id],
                "truth": truths.get(row.truth_id or ""), "restart": restart,
                "n_labels": None if restart is None else own[restart].n_labels,
            })  # fmt: skip
            if restart is not None:
                kept[row.id] = restart
            scored += score_rows(numbers, row.id, _scores(pick, of_metrics, inertias, directions))
        connection.execute(schema.attempts.insert(), added)
        _copy_labels(connection, old["labellings"], kept)
        if scored:
            connection.execute(schema.scores.insert(), scored)


def _plain_text(name: str, text: str) -> str:
    return "" if name == "achieved" and text == "{}" else text


def _restarts(connection: sa.Connection, table: sa.Table, span: tuple[int, int]) -> dict[int, dict[int, Any]]:
    """Attempt -> restart -> its inertia (NaN where unknown) and number of clusters."""
    columns = [table.c[name] for name in ("attempt_id", "restart", "n_labels")]
    query = sa.select(*columns, sa.type_coerce(table.c.inertia, schema.Real()).label("inertia"))
    result: dict[int, dict[int, Any]] = defaultdict(dict)
    for row in connection.execute(query.where(table.c.attempt_id.between(*span)).order_by(*columns[:2])):
        result[row.attempt_id][row.restart] = row
    return result


def _values(connection: sa.Connection, table: sa.Table, span: tuple[int, int]) -> dict[int, dict[str, Any]]:
    """Attempt -> metric -> its version, and restart -> value."""
    value = sa.type_coerce(table.c.value, schema.Real()).label("value")
    columns = [table.c[name] for name in ("attempt_id", "metric", "restart", "metric_version")]
    query = sa.select(*columns, value).where(table.c.attempt_id.between(*span)).order_by(*columns[:3])
    result: dict[int, dict[str, Any]] = defaultdict(dict)
    for (attempt, metric), rows in groupby(connection.execute(query), attrgetter("attempt_id", "metric")):
        several = list(rows)
        result[attempt][metric] = (several[0].metric_version, {row.restart: row.value for row in several})
    return result


def _counted(pick: Any, inertias: Mapping[int, float], judged: Mapping[int, float]) -> int | None:
    if not inertias:
        return None
    restarts = list(inertias)
    scored = [judged.get(restart, math.nan) for restart in restarts] if judged else []
    return restarts[counted_restart(pick, [inertias[restart] for restart in restarts], scored)]


def _scores(
    pick: Any, of_metrics: Mapping[str, Any], inertias: Mapping[int, float], directions: Mapping[str, bool]
) -> list[Score]:
    result = []
    for metric, (version, values) in of_metrics.items():
        of_restarts = [inertias.get(restart, math.nan) for restart in values]
        counted = counted_value(pick, list(values.values()), of_restarts, directions.get(metric, True))
        result.append(Score(metric, version, *counted))
    return result


def _copy_labels(connection: sa.Connection, table: sa.Table, kept: Mapping[int, int]) -> None:
    """Copy the labels of one restart of each attempt, packed as today."""
    if not kept:
        return
    query = sa.select(table).where(table.c.attempt_id.between(min(kept), max(kept)))
    rows = [
        {"attempt": row.attempt_id, "restart": row.restart, "inertia": row.inertia, "labels": _packed(row.labels)}
        for row in connection.execute(query)
        if kept.get(row.attempt_id) == row.restart
    ]
    connection.execute(schema.labellings.insert(), rows)


def _packed(labels: bytes) -> bytes:
    return pack_labels(unpack_labels(labels))


def _copy_runs(connection: sa.Connection, old: Mapping[str, sa.Table], environments: Mapping[str, int]) -> None:
    for row in _rows(connection, old["runs"]):
        values = {name: value for name, value in row._mapping.items() if name != "environment_id"}
        values |= {"began_at": row.began_at.replace(tzinfo=UTC), "environment": environments[row.environment_id]}
        values["ended_at"] = None if row.ended_at is None else row.ended_at.replace(tzinfo=UTC)
        connection.execute(schema.runs.insert(), values)
    ids = {}
    for row in _rows(connection, old["key_sets"]):
        packed = b"".join(row.packed[start : start + WIDTH] for start in range(0, len(row.packed), _WHOLE_KEY))
        ids[row.id] = fingerprint(packed)
        connection.execute(schema.key_sets.insert(), {"id": ids[row.id], "packed": packed})
    for row in _rows(connection, old["run_keys"]):
        connection.execute(schema.run_keys.insert(), dict(row._mapping) | {"set_id": ids[row.set_id]})


_WHOLE_KEY = 32  # bytes, as sets of keys had them


def _describe(connection: sa.Connection) -> None:
    """Store the cards of what is installed."""
    specs: dict[str, AlgorithmSpec | None] = dict.fromkeys(
        connection.scalars(sa.select(schema.methods.c.name).distinct())
    )
    datasets = set()
    for text in connection.scalars(sa.select(schema.sources.c.json).where(schema.sources.c.json != "")):
        with suppress(MvarenaError):
            datasets.add(Source.from_json(text).dataset)
    store_cards(connection, described(specs, datasets - {""}, installed_catalog()))
    set_variants(connection)
