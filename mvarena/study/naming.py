"""Short names for a user's own files, in place of the files' stems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from mvarena.contracts.source import Source, file_name, short_name
from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import Catalog

_LONGEST = 80


def named_sources(
    sources: Sequence[Source], names: Iterable[str], catalog: Catalog, *, folder: Path = Path()
) -> tuple[Source, ...]:
    """The sources, of which those of files get the names that are said, as 'faces=path/faces.mat'.

    The path is that of a file of the source, or just its name where that is enough. A single source of files can be
    named without it: 'faces'. Files whose stem is the name of an announced data set keep their ending, so that no table
    takes one for the other. folder : where relative paths start.
    Raises InvalidSetting for a name that says nothing, names a data set, or names no file of the study.
    """
    values = [_told_apart(source, catalog) for source in sources]
    for text in names:
        name, equals, path = text.partition("=")
        checked_name(name, catalog)
        own = [index for index, source in enumerate(values) if source.paths]
        places = [item for item in own if not equals or _has(values[item], path, folder)]
        if len(places) != 1:
            known = ", ".join(",".join(map(file_name, values[item].paths)) for item in own) or "none"
            raise InvalidSetting(
                f"'{text}' matches {len(places)} files of this study instead of one; write NAME=FILE. The files are: "
                f"{known}.",
                field="names",
                value=text,
            )
        values[places[0]] = values[places[0]].called(name.strip())
    return tuple(values)


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


def _has(source: Source, path: str, folder: Path) -> bool:
    """True if the path is that of one of the files, or its name."""
    given = [part for part in path.split(",") if part]
    known = {*source.paths, *map(file_name, source.paths)}
    return path in known or all(part in known or str((folder / part).absolute()) in known for part in given)
