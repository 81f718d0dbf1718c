"""Parameters of a stored trial that set it apart from the method as its authors set it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache

from sqlalchemy import Connection, select

from mvarena.registry.catalog import Catalog
from mvarena.store.encoding import canonical_json
from mvarena.store.schema import trials
from mvarena.study.components import defaults_of

Variants = Callable[[str, str], str]
"""(algorithm, its parameters) -> those that differ from the defaults; JSON both."""


def variants(connection: Connection, catalog: Catalog) -> Variants:
    """Of an algorithm whose defaults nobody knows, those parameters that have several values in the database."""
    settings: dict[str, list[str]] = defaultdict(list)
    for algorithm, text in connection.execute(select(trials.c.algorithm, trials.c.params).distinct()):
        settings[algorithm].append(text)
    defaults = defaults_of(settings, catalog)
    common = {name: _common(texts) for name, texts in settings.items() if name not in defaults}

    @cache
    def variant(algorithm: str, text: str) -> str:
        usual = defaults[algorithm] if algorithm in defaults else common[algorithm]
        kept = {name: value for name, value in json.loads(text).items() if not _same(name, value, usual)}
        return canonical_json(kept)

    return variant


def _same(name: str, value: object, usual: dict[str, object]) -> bool:
    return name in usual and canonical_json(value) == canonical_json(usual[name])


def _common(texts: Iterable[str]) -> dict[str, object]:
    """The parameters that have one value in all settings."""
    first, *others = map(json.loads, texts)
    return {name: value for name, value in first.items() if all(name in one and one[name] == value for one in others)}
