"""Put hand-downloaded files in place, after checking that they are what the card describes."""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.cache.sums import file_sha256
from mvarena.errors import DataUnavailable, InvalidSetting
from mvarena.loaders.archives import LARGEST_MEMBER, read_members
from mvarena.loaders.cards import Card, CardFile
from mvarena.loaders.checksums import check_file
from mvarena.loaders.places import download_folder


def import_files(card: Card, source: Path) -> tuple[Path, ...]:
    """Copy the files of a data set from `source` into the user's cache; the new paths.

    source : a folder with some or all of the files, one of the files (under any name, if the card knows its
        checksum), or a .zip or .tar archive that holds all of them.

    Every file is checked before the first is put in place. Raises InvalidSetting if there is nothing to import,
    InvalidData for a file that is damaged or another version, DataUnavailable if the cache cannot be written.
    """
    if not card.files:
        raise InvalidSetting(f"'{card.name}' has no files of its own; import {' and '.join(card.uses)} instead.")
    if not source.exists():
        raise InvalidSetting(f"There is no file or folder {source}.")
    folder = download_folder(card.name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".import-", dir=folder) as name:
            fresh = Path(name)
            found = _found(card, source, fresh)
            for file, path in found.items():
                check_file(path, file, card.source)
            return tuple(_place(path, folder / file.name, fresh) for file, path in found.items())
    except OSError as error:
        raise DataUnavailable(f"{error.filename or folder} cannot be read or written: {error.strerror}.") from error


def _found(card: Card, source: Path, fresh: Path) -> dict[CardFile, Path]:
    """The card's files in `source`; members of an archive are unpacked into the folder `fresh`."""
    if source.is_dir():
        found = {file: source / file.name for file in card.files if (source / file.name).is_file()}
    else:
        found = {file: source for file in card.files if _is(file, source)}
        if not found and (zipfile.is_zipfile(source) or tarfile.is_tarfile(source)):
            found = _unpacked(card, source, fresh)
    if not found:
        names = ", ".join(file.name for file in card.files)
        raise InvalidSetting(f"{source} is or holds none of the files of '{card.name}': {names}.")
    return found


def _is(file: CardFile, path: Path) -> bool:
    if path.name == file.name:
        return True
    return file.sha256 is not None and file.bytes == path.stat().st_size and file_sha256(path) == file.sha256


def _unpacked(card: Card, archive: Path, fresh: Path) -> dict[CardFile, Path]:
    limit = max(file.bytes or LARGEST_MEMBER for file in card.files)
    found: dict[CardFile, Path] = {}
    for name, content in read_members(archive, [file.name for file in card.files], limit).items():
        file = next(file for file in card.files if file.name == name)
        found[file] = fresh / name
        found[file].write_bytes(content)
    return found


def _place(path: Path, target: Path, fresh: Path) -> Path:
    """Copy by way of the folder `fresh`, so that a file under its final name is always whole."""
    if path == target:
        return target
    whole = fresh / target.name
    if path != whole:
        shutil.copyfile(path, whole)
    os.replace(whole, target)
    return target
