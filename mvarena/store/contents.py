"""Facts on the data of stored trials, by content: corpus, size, classes, digests of the views, ids of the samples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select, update

from mvarena.store.cards import DATASET, cards_within
from mvarena.store.database import Database
from mvarena.store.descriptions import NAMED
from mvarena.store.encoding import pack_texts, unpack_labels, unpack_texts
from mvarena.store.numbering import Numbers
from mvarena.store.schema import attempts, datasets, sources, trials, truths
from mvarena.store.write_outcomes import truth_row
from mvarena.study.cards import ContentFacts


def describe_contents(db: Database, facts: Mapping[str, ContentFacts]) -> None:
    """Store facts on data, in the place of what was known of the same content.

    Ids of samples stay where the data have none now.
    """
    with db.write() as connection:
        numbers = Numbers(connection)
        for content, item in facts.items():
            truth = None if item.labels is None else numbers.of(truths, **truth_row(item.labels))
            row = {name: getattr(item, name) for name in _FACTS} | {"truth": truth}
            row |= {} if item.ids is None else {"ids": pack_texts(item.ids)}
            number = numbers.of(datasets, content=content, **row)
            connection.execute(update(datasets).where(datasets.c.id == number).values(**row))


_FACTS = ("corpus", "n_samples", "n_clusters", "views")


def ids_of_trial(db: Database, key: str, n_samples: int) -> tuple[str, ...] | None:
    """Ids of the samples of a stored trial that clusters n_samples; None where none are known of so many.

    A corruption may leave samples out, and which is not stored.
    """
    query = select(datasets.c.ids).join(trials, trials.c.dataset == datasets.c.id).where(trials.c.key == key)
    with db.read() as connection:
        packed = connection.scalar(query)
    ids = None if packed is None else unpack_texts(packed)
    return ids if ids is not None and len(ids) == n_samples else None


def number_by_content(db: Database, name: str) -> dict[str, int]:
    """Content of stored data -> its "n_samples" or "n_clusters", where that is known. Cost: one statement."""
    query = select(datasets.c.content, datasets.c[name]).where(datasets.c[name].is_not(None))
    with db.read() as connection:
        return {content: int(number) for content, number in connection.execute(query)}


def classes_by_content(db: Database, contents_of: Iterable[str]) -> dict[str, NDArray[np.int64]]:
    """Content -> (n,) the classes, -1 where unlabelled, of stored data that have any.

    Of data that are drawn anew in each repeat, the classes of one draw. Cost: two statements, O(samples).
    """
    wanted = set(contents_of)
    query = select(datasets.c.content, func.min(attempts.c.truth)).select_from(_TRIED)
    query = query.where(attempts.c.truth.is_not(None)).group_by(datasets.c.content)
    with db.read() as connection:
        ids = {content: truth for content, truth in connection.execute(query) if content in wanted}
        rows = connection.execute(select(truths).where(truths.c.id.in_(sorted(set(ids.values())))))
        labels = {row.id: unpack_labels(row.labels) for row in rows}
    return {content: labels[truth] for content, truth in ids.items()}


_TRIED = attempts.join(trials).join(datasets, datasets.c.id == trials.c.dataset)


# Corpora: which stored data come from one collection, and so count once in whatever is concluded.

_VIEWS = re.compile(r"\[[^\[\]]*\]\Z")


def corpus_of_contents(connection: Connection) -> dict[str, str]:
    """Content of stored data -> the name of its corpus.

    Two contents are of one corpus where their cards name the same, where their views are picked from one data set or
    file with the same classes, or where they share the classes and the numbers of a view. A corpus is called as the
    cards name it, else as the shortest name of its data sets. Content is compared over the whole database, so that a
    filter changes no corpus. Cost: three statements, O(contents).
    """
    named = _named(connection)
    facts = {row.content: row for row in connection.execute(select(datasets))}
    truths_of = _truths(connection)
    parent = {row.content: row.content for row in named}

    def root(content: str) -> str:
        while parent[content] != content:
            parent[content] = parent[parent[content]]
            content = parent[content]
        return content

    seen: dict[tuple[Any, ...], str] = {}
    for row in named:
        for mark in _marks(row, facts[row.content], truths_of.get(row.content)):
            first = seen.setdefault(mark, row.content)
            parent[root(row.content)] = root(first)
    called: dict[str, tuple[bool, int, str]] = {}
    for row in named:
        declared = facts[row.content].corpus
        name = declared or _VIEWS.sub("", row.name) or row.name
        rank = (not declared, len(name), name)
        called[root(row.content)] = min(called.get(root(row.content), rank), rank)
    result = {content: called[root(content)][2] for content in parent}
    return _distinct(result, root)


def kind_of_contents(connection: Connection) -> dict[str, str]:
    """Content of stored data -> its kind, as 'texts', by the cards that are stored; 'other' for all others."""
    kinds = {name: card.kind for name, card in cards_within(connection, DATASET).datasets.items()}
    result: dict[str, str] = {}
    for row in _named(connection):
        name = json.loads(row.json).get("dataset", "") if row.json else ""
        result[row.content] = kinds.get(name) or result.get(row.content, "other")
    return result


def _named(connection: Connection) -> list[Any]:
    """The distinct contents of stored trials with the names and sources that studies give them."""
    query = select(datasets.c.content, sources.c.name, sources.c.json).select_from(NAMED).distinct()
    return list(connection.execute(query).fetchall())


def _truths(connection: Connection) -> dict[str, int]:
    """Content -> the number of its classes, where all its trials have the same."""
    query = select(datasets.c.content, attempts.c.truth).select_from(_TRIED).distinct()
    several: dict[str, set[int]] = {}
    for content, truth in connection.execute(query.where(attempts.c.truth.is_not(None))):
        several.setdefault(content, set()).add(truth)
    return {content: next(iter(ids)) for content, ids in several.items() if len(ids) == 1}


def _marks(row: Any, facts: Any, truth: int | None) -> Iterator[tuple[Any, ...]]:
    """Marks of a content; two contents with an equal one are of one corpus."""
    if facts.corpus:
        yield "declared", facts.corpus
    truth = truth or facts.truth
    source: Mapping[str, Any] = json.loads(row.json) if row.json else {}
    if source.get("dataset"):
        yield "data set", source["dataset"]
    elif source.get("paths"):
        yield "files", tuple(source["paths"]), truth
    for view in json.loads(facts.views):
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
