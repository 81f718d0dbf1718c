"""Facts on the data of stored trials, by content: corpus, size, classes, digests of the views, ids of the samples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, func, select

from mvarena.registry.catalog import Catalog
from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.encoding import fingerprint, pack_texts, unpack_labels, unpack_texts
from mvarena.store.schema import attempts, contents, names, sample_ids, trials, truths
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


# Corpora: which stored data come from one collection, and so count once in whatever is concluded.

_VIEWS = re.compile(r"\[[^\[\]]*\]\Z")


def corpus_of_contents(connection: Connection) -> dict[str, str]:
    """Content of stored data -> the name of its corpus.

    Two contents are of one corpus where their cards name the same, where their views are picked from one data set or
    file with the same classes, or where they share the classes and the numbers of a view. A corpus is called as the
    cards name it, else as the shortest name of its data sets. Content is compared over the whole database, so that a
    filter changes no corpus. Cost: three statements, O(contents).
    """
    query = select(trials.c.content, names.c.dataset, names.c.source).select_from(trials.join(names)).distinct()
    named = connection.execute(query).fetchall()
    facts = {row.content: row for row in connection.execute(select(contents))}
    truths = _truths(connection)
    parent = {row.content: row.content for row in named}

    def root(content: str) -> str:
        while parent[content] != content:
            parent[content] = parent[parent[content]]
            content = parent[content]
        return content

    seen: dict[tuple[Any, ...], str] = {}
    for row in named:
        for mark in _marks(row, facts.get(row.content), truths.get(row.content)):
            first = seen.setdefault(mark, row.content)
            parent[root(row.content)] = root(first)
    called: dict[str, tuple[bool, int, str]] = {}
    for row in named:
        declared = facts[row.content].corpus if row.content in facts else ""
        name = declared or _VIEWS.sub("", row.dataset) or row.dataset
        rank = (not declared, len(name), name)
        called[root(row.content)] = min(called.get(root(row.content), rank), rank)
    result = {content: called[root(content)][2] for content in parent}
    return _distinct(result, root)


def kind_of_contents(connection: Connection, catalog: Catalog) -> dict[str, str]:
    """Content of stored data -> its kind, as 'texts'; 'other' for users' files and what is not installed."""
    query = select(trials.c.content, names.c.source).select_from(trials.join(names)).distinct()
    result: dict[str, str] = {}
    for content, source in connection.execute(query):
        name = json.loads(source).get("dataset", "") if source else ""
        known = name in catalog.names("dataset")
        result[content] = catalog.dataset(name).kind if known else result.get(content, "other")
    return result


def _truths(connection: Connection) -> dict[str, str]:
    """Content -> the identifier of its classes, where all its trials have the same."""
    query = select(trials.c.content, attempts.c.truth_id).select_from(attempts.join(trials)).distinct()
    several: dict[str, set[str]] = {}
    for content, truth_id in connection.execute(query.where(attempts.c.truth_id.is_not(None))):
        several.setdefault(content, set()).add(truth_id)
    return {content: next(iter(ids)) for content, ids in several.items() if len(ids) == 1}


def _marks(row: Any, facts: Any, truth_id: str | None) -> Iterator[tuple[Any, ...]]:
    """Marks of a content; two contents with an equal one are of one corpus."""
    if facts is not None and facts.corpus:
        yield "declared", facts.corpus
    truth = truth_id or (facts.truth_id if facts is not None else None)
    source: Mapping[str, Any] = json.loads(row.source) if row.source else {}
    if source.get("dataset"):
        yield "data set", source["dataset"]
    elif source.get("paths"):
        yield "files", tuple(source["paths"]), truth
    for view in json.loads(facts.views) if facts is not None else ():
        if view[-1]:
            yield "view", view[-1], truth


def _distinct(result: dict[str, str], root: Any) -> dict[str, str]:
    """Two corpora of one name, such as two users' files, as 'data' and 'data #2'."""
    order: dict[str, list[str]] = {}
    for content, name in sorted(result.items()):
        roots = order.setdefault(name, [])
        if root(content) not in roots:
            roots.append(root(content))
    numbers = {(name, item): index for name, roots in order.items() for index, item in enumerate(roots, 1)}
    return {
        content: name if (number := numbers[name, root(content)]) == 1 else f"{name} #{number}"
        for content, name in result.items()
    }
