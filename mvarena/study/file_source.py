"""Users' files as a source of data: which reader reads them, and what it makes of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mvarena import __version__
from mvarena.cache.folder import file_sha256, note, noted
from mvarena.contracts.data_source import DataSource, FileCheck, SourceCard
from mvarena.contracts.reader import Reader, Understanding
from mvarena.contracts.source import Source
from mvarena.contracts.specs import ReaderSpec
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting, PluginError
from mvarena.readers.conversions import conversion
from mvarena.registry.catalog import Catalog
from mvarena.text import visible

if TYPE_CHECKING:
    from mvarena.data import MultiViewData

_NOTES = "not-used"


class FileSource(DataSource):
    """The files that a source names. Raises InvalidSetting for files that no reader reads."""

    def __init__(self, source: Source, catalog: Catalog) -> None:
        self.source = source
        self.spec = reader_of(source.paths, catalog)
        self._catalog = catalog

    def understand(self) -> Understanding:
        """Content of the files, with the reasons for its interpretation.

        Raises DataUnavailable for a file that is not there, InvalidData (one sentence) for one that is damaged or
        cannot be data, and InvalidSetting for options that do not go with it.
        """
        self.files()
        read: Reader = self._catalog.load(self.spec)
        paths = [Path(path) for path in self.source.paths]
        try:
            with self._catalog.calling(self.spec):
                result = read(paths, self.source.options)
                if not isinstance(result, Understanding):
                    raise TypeError(f"it returned a {type(result).__name__} instead of an Understanding")
                return result
        except MemoryError as error:
            raise InvalidData(f"{self.source.paths[0]} needs more memory than is available.") from error
        except InvalidData as error:
            error.args = (visible(str(error)),)
            raise

    def load(self, seed: int) -> MultiViewData:
        """The data, read once and then memory-mapped from the user's cache. Raises as `understand` does."""
        from mvarena.cache.mapped import mapped
        from mvarena.study.file_locations import remember

        del seed
        remember(self.source)
        path = hashlib.sha256(str(Path(self.source.paths[0]).resolve()).encode("utf-8", "surrogateescape")).hexdigest()
        return mapped(f"file-{path[:16]}", self._parts(), self.spec.target, lambda: self._remembered().data)

    def notes(self) -> tuple[list[str], list[str], str]:
        """Sentences that a run tells of how the files are read; parts of them that are not used; and a sentence on
        values that were filled in, empty where none were.

        Remembered in the user's cache from when the files were read. Raises as `understand` does.
        """
        try:
            facts = noted(_NOTES, self._key())
            return list(map(str, facts["understood"])), list(map(str, facts["not_used"])), str(facts["imputed"])
        except (KeyError, TypeError):
            result = self._remembered()
            return _apart_from_imputed(result), list(map(str, result.not_used)), str(result.imputed)

    def _remembered(self) -> Understanding:
        """Content of the files; what a plan tells of them is cached, where that can be written."""
        result = self.understand()
        facts = {
            "understood": _apart_from_imputed(result),
            "not_used": list(result.not_used),
            "imputed": result.imputed,
        }
        note(_NOTES, self._key(), facts)
        return result

    def _key(self) -> str:
        return json.dumps([__version__, *self._parts()])

    def _parts(self) -> list[str]:
        """Identity of the content: the files, by name and checksum, views before labels, and the read options."""
        files = [f"{path.name}:{file_sha256(path)}" for path in self.files()]
        files.insert(len(self.source.paths), "labels:")  # what follows is no view
        given = {"orientation": None, **self.source.options.given()}
        return [*files, *(f"{option}:{value}" for option, value in given.items() if option != "labels")]

    def describe(self) -> SourceCard:
        there = [path for path in self.source.files if path.is_file()]
        return SourceCard(
            name=self.source.name,
            summary="a file of the user" if len(self.source.paths) == 1 else "files of the user",
            state="ready" if len(there) == len(self.source.files) else "manual",
            bytes=sum(path.stat().st_size for path in there),
            files=tuple(str(path) for path in self.source.files),
            missing=tuple(str(path) for path in self.source.files if path not in there),
        )

    def files(self) -> tuple[Path, ...]:
        for path in self.source.files:
            if not path.is_file():
                raise DataUnavailable(f"There is no file {path}.", field="datasets")
        return self.source.files

    def verify(self) -> tuple[FileCheck, ...]:
        return tuple(
            FileCheck(str(path), path, None) if path.is_file() else FileCheck(str(path), None, "not available")
            for path in self.source.files
        )


def reader_of(paths: tuple[str, ...], catalog: Catalog) -> ReaderSpec:
    """The reader of files with these endings; the longest ending counts.

    Raises InvalidSetting if there is none for one of them, or another for each; PluginError if several plugins claim
    an ending.
    """
    values = [_reader_of(path, catalog) for path in paths]
    if any(spec.name != values[0].name for spec in values):
        raise InvalidSetting(
            f"{', '.join(paths)} are files of several types; give files of one type for a data set.", field="datasets"
        )
    return values[0]


def _reader_of(path: str, catalog: Catalog) -> ReaderSpec:
    specs = [spec for spec in catalog.specs("reader") if isinstance(spec, ReaderSpec)]
    fitting = [(ending, spec) for spec in specs for ending in spec.endings if path.lower().endswith(ending)]
    if not fitting:
        known = ", ".join(sorted({ending for spec in specs for ending in spec.endings}))
        raise InvalidSetting(f"{path}: data files end in {known}.{conversion(path)}", field="datasets", value=path)
    longest = max(len(ending) for ending, _ in fitting)
    best = [(ending, spec) for ending, spec in fitting if len(ending) == longest]
    if len(best) > 1:
        owners = " and ".join(catalog.plugin_of(spec).distribution for _, spec in best)
        raise PluginError(f"'{best[0][0]}' files can be read by {owners}; uninstall one of them.")
    return best[0][1]


def _apart_from_imputed(found: Understanding) -> list[str]:
    return [sentence for sentence in found.understood if sentence != found.imputed]


def write_data(data: MultiViewData, path: Path, catalog: Catalog) -> None:
    """Write `data` in the form that the ending of `path` says.

    Raises InvalidSetting if nothing writes that form, DataUnavailable if the place cannot be written.
    """
    specs = [spec for spec in catalog.specs("reader") if isinstance(spec, ReaderSpec) and spec.writer]
    fitting = [spec for spec in specs if path.name.lower().endswith(spec.endings)]
    if not fitting:
        known = " or ".join(sorted({ending for spec in specs for ending in spec.endings}))
        raise InvalidSetting(f"{path} must end in {known}, the format that is written.", field="out", value=str(path))
    catalog.function(replace(fitting[0], target=fitting[0].writer))(data, path)
