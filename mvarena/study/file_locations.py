"""Locations of a user's files: results name them without their folders, so that they can be shared.

A file that was read on this machine is remembered in the user's cache; others are looked for by their names in the
present folder, in the folders of MVARENA_DATA, and among the data that programs held in memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from mvarena.cache.folder import cache_root, note, noted
from mvarena.contracts.source import Source

IN_MEMORY = "in-memory"
_PLACES = "places"
_MOST_REMEMBERED = 20


def remember(source: Source) -> None:
    """Note in the user's cache where the files of `source` are; nothing happens where that cannot be written."""
    here = [*source.paths, source.options.labels or ""]
    if not source.paths or Path(here[0]).parent == cache_root() / IN_MEMORY:
        return
    known = _remembered(source)
    if known[:1] != [here]:
        note(_PLACES, _key(source), [here, *(item for item in known if item != here)][:_MOST_REMEMBERED])


def candidates(source: Source) -> Iterator[Source]:
    """The source with each combination of places that holds all of its files."""
    for *paths, labels in _remembered(source):
        if result := _there(source, [Path(path) for path in paths], Path(labels) if labels else None):
            yield result
    names = [path.name for path in source.files]
    for folder in _folders(source):
        views = [folder / name for name in names[: len(source.paths)]]
        if result := _there(source, views, folder / names[-1] if source.options.labels else None):
            yield result


def remember_outcomes(source: Source) -> None:
    """Note in the user's cache where the file of outcomes is; nothing happens where that cannot be written."""
    if source.outcomes is not None and Path(source.outcomes.path).is_absolute():
        note(_PLACES, _key_of_outcomes(source), source.outcomes.path)


def outcomes_path(source: Source) -> Path | None:
    """The file of outcomes of a source on this machine; None where it is not found."""
    if source.outcomes is None:
        return None
    path = Path(source.outcomes.path)
    if path.is_absolute() and path.is_file():
        return path
    here, *others = (folder / path.name for folder in _folders(source))
    if isinstance(known := noted(_PLACES, _key_of_outcomes(source)), str):
        others.insert(0, Path(known))
    return next((place for place in (here, *others) if place.is_file()), None)


def _key_of_outcomes(source: Source) -> str:
    return replace(source.without_folders(), views=(), name="").to_json()


def _folders(source: Source) -> Iterator[Path]:
    yield Path.cwd()
    for part in filter(None, os.environ.get("MVARENA_DATA", "").split(os.pathsep)):
        yield Path(part).expanduser().absolute()
        yield Path(part).expanduser().absolute() / source.name.partition("[")[0]
    yield cache_root() / IN_MEMORY


def _there(source: Source, paths: list[Path], labels: Path | None) -> Source | None:
    with suppress(OSError, ValueError):  # a name that no path may have
        if len(paths) == len(source.paths) and all(path.is_file() for path in (*paths, *([labels] if labels else []))):
            options = replace(source.options, labels=str(labels) if labels else None)
            return replace(source, paths=tuple(map(str, paths)), options=options)
    return None


def _remembered(source: Source) -> list[list[str]]:
    try:
        return [list(map(str, item)) for item in noted(_PLACES, _key(source)) if len(item) == len(source.paths) + 1]
    except TypeError:  # nothing is noted, or something else
        return []


def _key(source: Source) -> str:
    plain = source.without_folders()
    return json.dumps([plain.paths, plain.options.labels])
