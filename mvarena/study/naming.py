"""Short names of a user's own files: their stems, unless a program gives others."""

from __future__ import annotations

from collections.abc import Iterable

from mvarena.contracts.source import Source, file_name, short_name
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog

_LONGEST = 80


def told_apart(sources: Iterable[Source], catalog: Catalog) -> tuple[Source, ...]:
    """The sources, of which files whose stem is the name of an announced data set keep their ending, so that no table
    takes one for the other."""
    return tuple(_told_apart(source, catalog) for source in sources)


def checked_name(name: str, catalog: Catalog) -> None:
    """Raise InvalidSetting for what cannot be a short name: empty, long, a path, or the name of a data set."""
    plain = name.strip()
    if not plain or len(plain) > _LONGEST or not plain.isprintable() or set(plain) & set("/\\[]?*"):
        raise InvalidSetting(
            f"'{name}' is not a short name; take one without / \\ [ ] ? *, of at most {_LONGEST} letters.",
            field="names",
            value=name,
        )
    if plain in catalog.names("dataset"):
        raise InvalidSetting(f"there is a data set called '{plain}'; choose another name.", field="names", value=name)


def _told_apart(source: Source, catalog: Catalog) -> Source:
    name = source.name.partition("[")[0]
    if source.paths and name == short_name(source.paths) and name in catalog.names("dataset"):
        return source.called("+".join(map(file_name, source.paths)))
    return source
