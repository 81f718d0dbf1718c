"""The files of a data set: are they at hand, where, and fetch them if not."""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.cache.folder import cache_root, file_sha256
from mvarena.contracts.data_source import BytesSeen, FileCheck, SourceCard, State, ViewFacts
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting
from mvarena.loaders.archives import LARGEST_MEMBER, unpack
from mvarena.loaders.cards import Card, CardFile
from mvarena.loaders.download import download_files
from mvarena.loaders.specs import bundled_cards, cards_root

_BY_HAND = "have no address to be downloaded from"
_TOLD = ("name", "title", "summary", "samples", "clusters", "terms", "source", "citation", "traps", "generated")


def required_files(card: Card) -> list[tuple[Card, CardFile, Path | None]]:
    """Files of a data set, each with its card and its path, unchecked (None: not found)."""
    return [(owner, file, find_file(owner, file.name)) for owner in card.used for file in owner.files]


def describe(card: Card) -> SourceCard:
    """Facts on a data set and its files; their sizes are checked, checksums are not."""
    files = required_files(card)
    missing = [file for _, file, at in files if at is None]
    state: State = "ready"
    if missing:
        state = "downloadable" if all(file.downloadable for file in missing) else "manual"
    return SourceCard(
        **{name: getattr(card, name) for name in _TOLD},
        class_counts=card.counts,
        views=tuple(ViewFacts(view.name, view.dimension, view.meaning) for view in card.views),
        state=state,
        bytes=sum(file.bytes or 0 for _, file, _ in files),
        files=tuple(file.name for _, file, _ in files),
        missing=tuple(file.name for file in missing),
    )


def fetch(card: Card, progress: BytesSeen | None = None) -> tuple[Path, ...]:
    """Download the missing files of a data set; the paths of all its files, checked.

    progress : called with (file name, bytes so far, bytes in all or None) while files arrive.
    Raises DataUnavailable, saying which files to put where, if something cannot be downloaded.
    """
    for owner in card.used:
        missing = _missing(owner)
        if stuck := [file for file in missing if not file.downloadable]:
            raise DataUnavailable(_where_to_put(owner, stuck, _BY_HAND))
        try:
            if missing:
                download_files(missing, download_folder(owner.name), progress)
        except (DataUnavailable, InvalidData) as error:
            reason = f"could not be downloaded: {str(error).rstrip('.')}"
            raise DataUnavailable(_where_to_put(owner, _missing(owner), reason)) from error
    return paths(card)


def _missing(card: Card) -> list[CardFile]:
    """Files of the card itself that are not at hand."""
    return [file for file in card.files if find_file(card, file.name) is None]


def _where_to_put(card: Card, files: list[CardFile], reason: str) -> str:
    names = ", ".join(file.name for file in files)
    return (
        f"The files of '{card.name}' are not available and {reason}. Put {names} into "
        f"{download_folder(card.name)} (or into a folder '{card.name}' inside a folder that MVARENA_DATA names); "
        f"they come from {card.source}."
    )


def paths(card: Card) -> tuple[Path, ...]:
    """The files of a data set, checked against its card, in the card's order.

    Raises DataUnavailable if one is missing, InvalidData if one is damaged.
    """
    values = []
    for owner, file, at in required_files(card):
        if at is None:
            absent = _missing(owner)
            reason = "have not been downloaded" if all(f.downloadable for f in absent) else _BY_HAND
            raise DataUnavailable(_where_to_put(owner, absent, reason))
        check_file(at, file, owner.source)
        values.append(at)
    return tuple(values)


def verify(card: Card) -> tuple[FileCheck, ...]:
    """Check every file of a data set against its card, and go on after a bad one."""
    checks = []
    for owner, file, at in required_files(card):
        problem = None if file.sha256 else "the card has no checksum for it"
        try:
            if at is None:
                problem = "not available"
            else:
                check_file(at, file, owner.source)
        except InvalidData as error:
            problem = str(error)
        checks.append(FileCheck(file.name, at, problem))
    return tuple(checks)


# The places where data files are looked for, in order.


def download_folder(name: str) -> Path:
    """Destination of fetched and imported files of the data set `name`."""
    return cache_root() / "datasets" / name


def data_roots() -> list[Path]:
    """Folders that hold one folder per data set, most wanted first.

    The folders in MVARENA_DATA (separated as in PATH), the project's `datasets/`, the copy bundled with an
    installed package, the user's cache.
    """
    chosen = [Path(part).expanduser() for part in os.environ.get("MVARENA_DATA", "").split(os.pathsep) if part]
    return list(dict.fromkeys([*chosen, cards_root(), bundled_cards(), cache_root() / "datasets"]))


def find_file(card: Card, file_name: str) -> Path | None:
    """The first place that holds the card's file, unchecked; None if there is none. The card's own folder is last."""
    folders = [root / name for root in data_roots() for name in (card.name, *card.also_in)]
    return next((folder / file_name for folder in (*folders, card.folder) if (folder / file_name).is_file()), None)


# Check a file against its card.


def check_file(path: Path, file: CardFile, source: str) -> None:
    """Raise InvalidData unless `path` has the size and sha256 of `file`. Files without checksum pass."""
    size, found = path.stat().st_size, ""
    if file.bytes not in (None, size):
        found, expected = f"{size} bytes", str(file.bytes)
    elif file.sha256 is not None and not file.has(digest := file_sha256(path)):
        found, expected = f"the sha256 {digest[:12]}...", f"{file.sha256[:12]}..."
    if found:
        raise InvalidData(
            f"{path} has {found}; the card says {expected}. It is damaged or of another version: replace or remove it "
            f"(the original is at {source})."
        )


# Put hand-downloaded files in place, after checking that they are what the card describes.


def import_files(card: Card, source: Path) -> tuple[Path, ...]:
    """Copy the files of a data set from `source` into the user's cache; the new paths.

    source : a folder with some or all of the files, one of the files (under any name, if the card knows its
        checksum), or a .zip or .tar archive that holds all of them.

    Every file is checked before the first is put in place. Raises InvalidSetting if there is nothing to import,
    InvalidData for a file that is damaged or another version, DataUnavailable if the cache cannot be written.
    """
    if not card.files:
        source_of = f"it comes with {card.package}" if card.package else f"import {' and '.join(card.uses)} instead"
        raise InvalidSetting(f"'{card.name}' has no files of its own; {source_of}.")
    if not source.exists():
        raise InvalidSetting(f"There is no file or folder {source}.")
    folder = download_folder(card.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".import-", dir=folder) as name:
            fresh = Path(name)
            result = _found(card, source, fresh)
            for file, path in result.items():
                check_file(path, file, card.source)
                if path.parent != fresh:
                    shutil.copyfile(path, fresh / file.name)
            for file in result:  # a file under its final name is always whole
                os.replace(fresh / file.name, folder / file.name)
            return tuple(folder / file.name for file in result)
    except OSError as error:
        raise DataUnavailable(f"{error.filename or folder} cannot be read or written: {error.strerror}.") from error


def _found(card: Card, source: Path, fresh: Path) -> dict[CardFile, Path]:
    """The card's files in `source`; members of an archive are unpacked into the folder `fresh`."""
    if source.is_dir():
        result = {file: source / file.name for file in card.files if (source / file.name).is_file()}
    else:
        result = {file: source for file in card.files if _is(file, source)}
        if not result and (zipfile.is_zipfile(source) or tarfile.is_tarfile(source)):
            limit = max(file.bytes or LARGEST_MEMBER for file in card.files)
            unpack(source, [file.name for file in card.files], limit, fresh)
            result = {file: fresh / file.name for file in card.files}
    if not result:
        names = ", ".join(file.name for file in card.files)
        raise InvalidSetting(f"{source} contains none of the files of '{card.name}': {names}.")
    return result


def _is(file: CardFile, path: Path) -> bool:
    if path.name == file.name:
        return True
    return file.sha256 is not None and file.bytes == path.stat().st_size and file_sha256(path) == file.sha256
