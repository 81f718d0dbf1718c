"""Facts on the data of stored trials, by content: corpus, size, classes, digests of the views, ids of the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Table, func, select

from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.encoding import fingerprint, pack_texts, unpack_labels, unpack_texts
from mvarena.store.schema import attempts, contents, sample_ids, trials, truths
from mvarena.study.contents import ContentFacts


def describe_contents(db: Database, facts: Mapping[str, ContentFacts]) -> None:
    """Store facts on data, in the place of what was known of the same content; nothing where all is known.

    Ids of samples stay where the data have none now.
    """
    _store_rows(db, contents, {content: _row(content, item) for content, item in facts.items()})
    named = {content: item.ids for content, item in facts.items() if item.ids is not None}
    _store_rows(db, sample_ids, {key: {"content": key, "ids": pack_texts(ids)} for key, ids in named.items()})


def _store_rows(db: Database, table: Table, rows: dict[str, dict[str, Any]]) -> None:
    """Add rows by content, in the place of those of the same content that differ."""
    if not rows:
        return
    with db.read() as connection:
        known = connection.execute(select(table).where(table.c.content.in_(list(rows)))).fetchall()
    for row in known:
        if dict(row._mapping) == rows[row.content]:
            del rows[row.content]
    if not rows:
        return
    with db.write() as connection:
        insert = insert_for(connection.dialect.name)(table)
        shown = {column.name: insert.excluded[column.name] for column in table.columns if not column.primary_key}
        connection.execute(insert.on_conflict_do_update(index_elements=["content"], set_=shown), list(rows.values()))


def _row(content: str, facts: ContentFacts) -> dict[str, Any]:
    return {
        "content": content,
        "corpus": facts.corpus,
        "n_samples": facts.n_samples,
        "n_clusters": facts.n_clusters,
        "truth_id": None if facts.labels is None else truth_digest(facts.labels),
        "views": facts.views,
    }


def truth_digest(labels: NDArray[np.int64]) -> str:
    """Identifier of classes (n,) in the table `truths`."""
    return fingerprint(labels.astype("<i8").tobytes())


def ids_of_trial(db: Database, key: str, n_samples: int) -> tuple[str, ...] | None:
    """Ids of the samples of a stored trial that clusters n_samples; None where none are known of so many.

    A corruption may leave samples out, and which is not stored.
    """
    query = select(sample_ids.c.ids).join(trials, trials.c.content == sample_ids.c.content).where(trials.c.key == key)
    with db.read() as connection:
        packed = connection.scalar(query)
    ids = None if packed is None else unpack_texts(packed)
    return ids if ids is not None and len(ids) == n_samples else None


def clusters_by_content(db: Database, contents_of: Iterable[str]) -> dict[str, int]:
    """Content -> number of clusters, of stored data of which it is known. Cost: one statement."""
    query = select(contents.c.content, contents.c.n_clusters).where(contents.c.n_clusters.is_not(None))
    wanted = set(contents_of)
    with db.read() as connection:
        return {content: count for content, count in connection.execute(query) if content in wanted}


def classes_by_content(db: Database, contents_of: Iterable[str]) -> dict[str, NDArray[np.int64]]:
    """Content -> (n,) the classes, -1 where unlabelled, of stored data that have any.

    Of data that are drawn anew in each repeat, the classes of one draw. Cost: two statements, O(samples).
    """
    wanted = set(contents_of)
    query = select(trials.c.content, func.min(attempts.c.truth_id)).select_from(attempts.join(trials))
    query = query.where(attempts.c.truth_id.is_not(None)).group_by(trials.c.content)
    with db.read() as connection:
        ids = {content: truth_id for content, truth_id in connection.execute(query) if content in wanted}
        rows = connection.execute(
            select(truths.c.id, truths.c.n_samples, truths.c.labels).where(truths.c.id.in_(sorted(set(ids.values()))))
        )
        labels = {row.id: unpack_labels(row.labels, row.n_samples) for row in rows}
    return {content: labels[truth_id] for content, truth_id in ids.items()}


def samples_by_content(db: Database) -> dict[str, int]:
    """Content -> number of samples, of all stored data of which it is known. Cost: one statement."""
    with db.read() as connection:
        rows = connection.execute(select(contents.c.content, contents.c.n_samples))
        return {row.content: int(row.n_samples) for row in rows if row.n_samples is not None}
