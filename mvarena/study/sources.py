"""From what users say to sources of data, and from these to data."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from mvarena.cache.folder import cache_root
from mvarena.contracts.data_source import BytesSeen, DataSource, FileCheck, SourceCard
from mvarena.contracts.reader import ReadOptions, ReadSettings, Understanding
from mvarena.contracts.source import Source, file_name, short_name
from mvarena.contracts.specs import DatasetSpec
from mvarena.errors import DataUnavailable, InvalidSetting, MvarenaError, UnknownName
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.study.families import datasets_named, is_pattern
from mvarena.study.file_locations import IN_MEMORY, candidates
from mvarena.study.file_source import FileSource, write_data

if TYPE_CHECKING:
    from mvarena.contracts.outcome_table import OutcomeTable
    from mvarena.data import MultiViewData

_MOST_UNUSED = 8
_PICKED = re.compile(r"(?P<base>.+)\[(?P<views>[^\[\]]*)\]", re.DOTALL)


# from text ------------------------------------------------------------------------------------------------


def source_from_text(
    text: str,
    catalog: Catalog | None = None,
    *,
    folder: Path = Path(),
    **how: Unpack[ReadSettings],
) -> Source:
    """The source that a user types: `digits`, `digits[fou,fac]`, `my/data.mat`, `a.csv,b.csv` (one file per view).

    What is the path of a file as it stands, brackets and commas and all, is that file; else brackets at the end pick
    views and commas separate files. A word without a dot or a separator of folders is the name of a data set.
    folder : where relative paths start. how : fields of `ReadOptions`.

    Raises InvalidSetting for text that says nothing, or for options of reading files with a data set's name; and,
    where a catalog is given to look it up in, UnknownName with near names, or InvalidSetting for an ending that is not
    read.
    """
    source = _source(text, folder, how)
    if catalog is not None:
        data_source(source, catalog)
    return source


def sources_from_text(
    given: Iterable[str | Source],
    catalog: Catalog,
    *,
    folder: Path = Path(),
    **how: Unpack[ReadSettings],
) -> tuple[Source, ...]:
    """The sources that a user types, patterns such as 'webkb-*' and 'data/*.mat' and 'ready' among them; each once.

    What is a `Source` already stays as it is.

    Raises as `source_from_text`, and for a pattern that nothing matches.
    """
    sources: list[Source] = []
    for item in given:
        if isinstance(item, str):
            names = _files(item, folder) or datasets_named(item, catalog)
            sources += [source_from_text(name, catalog, folder=folder, **how) for name in names]
        else:
            sources.append(item)
    return tuple(dict.fromkeys(_told_apart(source, catalog) for source in sources))


def _told_apart(source: Source, catalog: Catalog) -> Source:
    """The source; files whose stem is the name of an announced data set keep their ending, for tables to tell them."""
    name = source.name.partition("[")[0]
    if source.paths and name == short_name(source.paths) and name in catalog.names("dataset"):
        return source.called("+".join(map(file_name, source.paths)))
    return source


def _files(text: str, folder: Path) -> list[str]:
    """The files that a pattern of paths matches, sorted; none for what is no pattern, or the path of a file itself."""
    base, bracket, views = text.partition("[")
    if not (is_path(base) and is_pattern(base)) or _is_file(text, folder):
        return []
    start = Path(base).anchor
    try:
        matching = (Path(start) if start else folder).glob(base.removeprefix(start))
        values = sorted(path for path in matching if path.is_file())
    except ValueError as error:
        raise InvalidSetting(f"'{text}' is not a pattern of files: {error}.", field="datasets", value=text) from error
    if not values:
        raise InvalidSetting(f"no file matches '{text}' in {folder.absolute()}.", field="datasets", value=text)
    shown = [path if start else path.relative_to(folder) for path in values]
    return [f"{path}{bracket}{views}" for path in shown]


def _source(text: str, folder: Path, how: ReadSettings) -> Source:
    base, views = base_and_views(text, folder)
    if is_path(base):
        paths = separated(base, folder)
        return Source.of_files(paths, views=views, folder=folder, **how)
    if not base or "[" in base:
        raise InvalidSetting(
            f"'{text}' is not a data set name; select views as in 'digits[fou,fac]'.", field="datasets", value=text
        )
    return Source(dataset=base, views=views, options=ReadOptions(**how))  # type: ignore[arg-type]


def base_and_views(text: str, folder: Path) -> tuple[str, tuple[str, ...]]:
    """The text before the brackets at its end, and the views that these name, if it is not the path of a file."""
    return (text, ()) if _is_file(text, folder) else _picked(text, folder)


def _picked(text: str, folder: Path) -> tuple[str, tuple[str, ...]]:
    match = _PICKED.fullmatch(text.rstrip())
    if match is None:
        return text.strip(), ()
    views = tuple(part.strip() for part in match["views"].split(",") if part.strip())
    if not views:
        raise InvalidSetting(
            f"'{text}' selects no view; name at least one between the brackets.", field="datasets", value=text
        )
    base = match["base"]
    return base if _is_file(base, folder) else base.strip(), views


def is_path(text: str) -> bool:
    """True if a text stands for files, and for no announced data set."""
    return any(sign in text for sign in (".", "/", os.sep))


def _is_file(text: str, folder: Path) -> bool:
    try:
        return is_path(text) and (folder / text).is_file()
    except (OSError, ValueError):  # too long, or with a character that no path has
        return False


def separated(text: str, folder: Path) -> list[str]:
    """The paths between commas; a comma inside the path of a file that is there separates nothing."""
    parts = text.split(",")
    paths = []
    while parts:
        lengths = range(len(parts), 0, -1)
        taken = next((length for length in lengths if _is_file(",".join(parts[:length]), folder)), 1)
        path = ",".join(parts[:taken])
        paths.append(path if _is_file(path, folder) else path.strip())
        parts = parts[taken:]
    return [path for path in paths if path]


# from data ------------------------------------------------------------------------------------------------


def source_of_data(data: MultiViewData | Sequence[Any]) -> Source:
    """A source of data in memory: written once to the user's cache, from where every process maps them.

    data : `MultiViewData`, or one array for each view. Tables call them by their own name, or by a part of their
    fingerprint.
    Raises DataUnavailable if the cache cannot be written. Cost: one pass over the entries, compressed, the first time.
    """
    from mvarena.data import MultiViewData

    given = data if isinstance(data, MultiViewData) else MultiViewData.from_arrays(data)
    # the fingerprint is that of the numbers; what the classes are called belongs to the file all the same
    classes = hashlib.sha256("\0".join(given.classes or ()).encode("utf-8", "surrogatepass")).hexdigest()
    path = cache_root() / IN_MEMORY / f"{given.fingerprint}-{classes[:16]}.npz"
    if not path.is_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataUnavailable(
                f"{path.parent} cannot be written: {error}. Set MVARENA_CACHE to another folder."
            ) from error
        write_data(given, path, installed_catalog())
    own = "" if given.name == "data" else given.name  # which data are that nobody named
    return Source.of_files([path], name=own or f"data-{given.fingerprint[:8]}")


# to data --------------------------------------------------------------------------------------------------


class NamedData(DataSource):
    """Data set or files behind a source, with the source's name and the picked views alone."""

    def __init__(self, source: Source, catalog: Catalog, spec: DatasetSpec | None) -> None:
        self.source = source
        self.spec = spec
        self._catalog = catalog
        self.inner = FileSource(source, catalog) if spec is None else catalog.data_source(spec)

    def _calling(self) -> AbstractContextManager[None]:
        """Name the data set in what its code raises meanwhile."""
        return nullcontext() if self.spec is None else self._catalog.calling(self.spec)

    @property
    def generated(self) -> bool:
        with self._calling():
            return self.inner.generated or (self.spec is not None and self.spec.generated)

    def load(self, seed: int) -> MultiViewData:
        from mvarena.data import MultiViewData

        with self._calling():
            data = self.inner.load(seed)
            if not isinstance(data, MultiViewData):
                raise TypeError(f"it returned a {type(data).__name__} instead of MultiViewData")
        return (data.select_views(self.source.views) if self.source.views else data).renamed(self.source.name)

    def describe(self) -> SourceCard:
        """As the data set says, but for the picked views; how many samples they have is not known then."""
        with self._calling():
            card = self.inner.describe()
        if not self.source.views:
            return replace(card, name=self.source.name)
        kept = tuple(view for name in self.source.views for view in card.views if view.name == name)
        unknown: dict[str, Any] = {"samples": None, "class_counts": ()} if len(kept) < len(card.views) else {}
        return replace(card, name=self.source.name, views=kept, **unknown)

    def content(self, data: MultiViewData) -> str:
        if not self.generated or self.spec is None:
            with self._calling():
                return self.inner.content(data)
        views = f"[{','.join(self.source.views)}]" if self.source.views else ""
        return f"generated:{self.spec.name}{views}:{self.spec.version}"

    def outcomes(self) -> OutcomeTable | None:
        with self._calling():
            return self.inner.outcomes()

    def files(self) -> tuple[Path, ...]:
        with self._calling():
            return self.inner.files()

    def verify(self) -> tuple[FileCheck, ...]:
        with self._calling():
            return self.inner.verify()

    def fetch(self, progress: BytesSeen | None = None) -> tuple[Path, ...]:
        with self._calling():
            return self.inner.fetch(progress)

    def put_in_place(self, found: Path) -> tuple[Path, ...]:
        with self._calling():
            return self.inner.put_in_place(found)


def data_source(source: Source, catalog: Catalog) -> NamedData:
    """Data source of `source`, to be described, fetched or loaded; nothing is read yet.

    Raises UnknownName with near names, or InvalidSetting for files that no reader reads.
    """
    if source.paths:
        return NamedData(source, catalog, None)
    try:
        spec = catalog.dataset(source.dataset)
    except UnknownName as error:
        raise UnknownName(
            f"{error} The name of your own file needs an ending, such as .npz or .mat.", field="datasets"
        ) from None
    return NamedData(source, catalog, spec)


def understand_source(source: Source, catalog: Catalog) -> Understanding:
    """Content of the files of `source`, with the reasons for its interpretation; picked views do not matter here.

    Raises InvalidSetting for an announced data set, else as `FileSource.understand` does.
    """
    if not source.paths:
        raise InvalidSetting(
            f"'{source.name}' is not a file; give the path of one.", field="datasets", value=source.name
        )
    return FileSource(source, catalog).understand()


def reading_notes(source: Source, catalog: Catalog) -> list[str]:
    """Notes on how the files of `source` are read, what they hold that is not part of the data, and what was filled in.

    Raises as `FileSource.understand` does.
    """
    if not source.paths:
        return []
    told, unused, imputed = FileSource(source, catalog).notes()
    more = len(unused) - _MOST_UNUSED
    shown = [*unused[:_MOST_UNUSED], *([f"and {more} more"] if more > 0 else [])]
    notes = {"": "; ".join(told), "not used: ": "; ".join(shown), " ": imputed}
    return [f"{source.name}: {head.strip(' ') and head}{text}." for head, text in notes.items() if text]


def load_source(given: str | Source, catalog: Catalog, seed: int = 0) -> MultiViewData:
    """The data of a source, or of what a text names, with the picked views; kept for the process's next trials.

    `seed` matters only for data drawn at random. Raises as `DataSource.load` does.
    """
    source = source_from_text(given, catalog) if isinstance(given, str) else given
    result = data_source(source, catalog)
    return _load(source, catalog, seed if result.generated else 0, _stamp(source))


@lru_cache(maxsize=4)
def _load(source: Source, catalog: Catalog, seed: int, stamp: tuple[tuple[int, int], ...]) -> MultiViewData:
    del stamp  # a file that was written again is another entry
    return data_source(source, catalog).load(seed)


def forget_sources() -> None:
    """Let go of the data that `load_source` keeps."""
    _load.cache_clear()


def _stamp(source: Source) -> tuple[tuple[int, int], ...]:
    """Sizes and times of the files, which change when a file is written again; missing files are left to the reader."""
    values = [path.stat() for path in source.files if path.is_file()]
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in values)


def located(source: Source, content: str, catalog: Catalog) -> Source:
    """`source` with the paths of its files on this machine, where they hold `content` (`DataSource.content`).

    Raises DataUnavailable, with the files' names, where none of that content is found. Cost: where several files have
    these names, each is read.
    """
    if not source.paths or all(path.is_absolute() and path.is_file() for path in source.files):
        return source
    values = list(dict.fromkeys(candidates(source)))
    if len(values) == 1:
        return values[0]
    for item in values:
        with suppress(MvarenaError):
            if data_source(item, catalog).content(load_source(item, catalog)) == content:
                return item
    names = ", ".join(path.name for path in source.files)
    raise DataUnavailable(
        f"The files of {source.name} ({names}) were not found, and results do not store folders; run this in the "
        "folder that holds them, or name that folder in MVARENA_DATA.",
        field="datasets",
    )
