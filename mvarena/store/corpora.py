"""Corpora: which stored data come from one collection, and so count once in whatever is concluded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, select

from mvarena.store.schema import attempts, contents, names, trials

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
