"""Where a trial's data come from: a data set's name, or a file; views are picked as in `digits[fou,fac]`.

A file is named by its path (several .csv files, one per view, by their paths with commas between), and what it
takes to read it follows a question mark: `faces.mat?orientation=columns`, `a.csv,b.csv?labels=y.csv`. So the name
alone says what a worker has to load.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from mvarena.contracts.specs import DatasetSpec
from mvarena.errors import InvalidSetting, UnknownName
from mvarena.registry.catalog import Catalog

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

_NAMED = re.compile(r"(?P<base>[^\[\]?]+)(?:\[(?P<views>[^\[\]]*)\])?(?:\?(?P<options>[^\[\]?]*))?")
_FILE_ENDINGS = (".npz", ".mat", ".csv", ".tsv", ".txt")
_FILE_OPTIONS = ("orientation", "labels")


@dataclass(frozen=True, slots=True)
class UserFile:
    """A user's own data: one file, or one .csv file per view, and how to read it."""

    paths: tuple[str, ...]
    orientation: str | None = None
    labels: str | None = None

    def read(self) -> MultiViewData:
        from mvarena.loaders.userfile.understanding import load_user_data

        paths = [Path(path) for path in self.paths]
        return load_user_data(
            paths, orientation=self.orientation, labels=None if self.labels is None else Path(self.labels)
        )

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """What changes when a file is written again; a file that is not there is left for `read` to tell."""
        files = [Path(path) for path in (*self.paths, *([self.labels] if self.labels else []))]
        found = [path.stat() for path in files if path.is_file()]
        return tuple((stat.st_mtime_ns, stat.st_size) for stat in found)


@dataclass(frozen=True, slots=True)
class Source:
    """A data set as users name it: exactly one of `spec` and `file` is set.

    views : the picked views, in order; empty for all.
    """

    name: str
    views: tuple[str, ...]
    spec: DatasetSpec | None = None
    file: UserFile | None = None

    @property
    def generated(self) -> bool:
        """True for data drawn at random."""
        return self.spec is not None and self.spec.generated

    @property
    def card(self) -> str | None:
        """The name of the data set's card, if it has one."""
        return self.spec.card or None if self.spec is not None else None

    def content(self, data: MultiViewData) -> str:
        """What identifies the numbers in a trial's key: their fingerprint, or the generator where they are drawn."""
        if self.spec is None or not self.generated:
            return data.fingerprint
        views = f"[{','.join(self.views)}]" if self.views else ""
        return f"generated:{self.spec.name}{views}:{self.spec.version}"


def source_named(name: str, catalog: Catalog) -> Source:
    """The source behind a name such as `digits`, `3sources[bbc,guardian]` or `my/data.mat?orientation=columns`.

    Raises UnknownName with near names, or InvalidSetting for a name that cannot be read.
    """
    match = _NAMED.fullmatch(name.strip())
    if match is None:
        raise InvalidSetting(f"'{name}' is no data set name; pick views as in 'digits[fou,fac]'.")
    base, views = match["base"].strip(), _picked(name, match["views"])
    shown = f"[{','.join(views)}]" if views else ""
    if base.lower().endswith(_FILE_ENDINGS):
        options = f"?{match['options']}" if match["options"] else ""
        return Source(f"{base}{shown}{options}", views, file=_user_file(base, match["options"] or ""))
    if match["options"] is not None:
        raise InvalidSetting(f"'{name}': what follows '?' says how to read a file, and {base} is none.")
    try:
        spec = catalog.dataset(base)
    except UnknownName as error:
        endings = ", ".join(_FILE_ENDINGS[:3])
        raise UnknownName(f"{error} A file of your own ends in {endings}.") from None
    return Source(f"{spec.name}{shown}", views, spec=spec)


def _picked(name: str, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    views = tuple(part.strip() for part in text.split(",") if part.strip())
    if not views:
        raise InvalidSetting(f"'{name}' picks no view; name at least one between the brackets.")
    return views


def _user_file(base: str, text: str) -> UserFile:
    options: dict[str, str] = {}
    for part in filter(None, text.split("&")):
        key, _, value = part.partition("=")
        options[key] = value
        if key not in _FILE_OPTIONS or not value:
            raise InvalidSetting(f"'{base}?{text}': write orientation=rows, orientation=columns or labels=FILE.")
    return UserFile(tuple(part.strip() for part in base.split(",")), options.get("orientation"), options.get("labels"))


def with_file_options(name: str, orientation: str | None, labels: str | None) -> str:
    """The name of a file with how to read it added; the name of a data set stays as it is."""
    if not name.partition("[")[0].partition("?")[0].strip().lower().endswith(_FILE_ENDINGS):
        return name
    options = [f"{key}={value}" for key, value in (("orientation", orientation), ("labels", labels)) if value]
    return f"{name}?{'&'.join(options)}" if options and "?" not in name else name


def load_source(name: str, catalog: Catalog, seed: int = 0) -> MultiViewData:
    """The data behind a name, with the picked views; kept for the next trials of the same process.

    `seed` matters only for data drawn at random.
    """
    source = source_named(name, catalog)
    return _load(source, catalog, seed if source.generated else 0, source.file.stamp() if source.file else ())


@lru_cache(maxsize=4)
def _load(source: Source, catalog: Catalog, seed: int, stamp: tuple[tuple[int, int], ...]) -> MultiViewData:
    del stamp  # a file that was written again is another entry
    if source.file is not None:
        data = source.file.read()
    else:
        assert source.spec is not None
        data = catalog.load(source.spec)(seed)
    if source.views:
        data = data.select_views(source.views)
    return data.renamed(source.name)
