"""The files of a data set: are they at hand, where, and fetch them if not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mvarena.contracts.data_source import BytesSeen, FileCheck, State
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.loaders.cards import Card, CardFile
from mvarena.loaders.checksums import check_file
from mvarena.loaders.download import download_files
from mvarena.loaders.places import download_folder, find_file

_BY_HAND = "have no address to be downloaded from"


@dataclass(frozen=True, slots=True)
class Holding:
    """What a user has of a data set.

    state : ready (all files are at hand), downloadable, or manual (someone must put files in place).
    bytes : of all files together, where the card says.
    found : file name -> where it is, unchecked.
    missing : names of the files that are not at hand.
    """

    state: State
    bytes: int
    found: dict[str, Path]
    missing: tuple[str, ...]


def required_files(card: Card) -> list[tuple[Card, CardFile]]:
    """Every file that the set is read from, with the card that it belongs to."""
    return [(owner, file) for owner in card.used for file in owner.files]


def holding(card: Card) -> Holding:
    """What is at hand of a data set; sizes are looked at, checksums are not."""
    pairs = required_files(card)
    places = [find_file(owner, file.name) for owner, file in pairs]
    found = {file.name: place for (_, file), place in zip(pairs, places, strict=True) if place is not None}
    missing = [file for (_, file), place in zip(pairs, places, strict=True) if place is None]
    state: State = "ready"
    if missing:
        state = "downloadable" if all(file.downloadable for file in missing) else "manual"
    size = sum(file.bytes or 0 for _, file in pairs)
    return Holding(state, size, found, tuple(file.name for file in missing))


def fetch(card: Card, progress: BytesSeen | None = None) -> tuple[Path, ...]:
    """Download what is missing of a data set; the paths of all its files, checked.

    progress : called with (file name, bytes so far, bytes in all or None) while files arrive.
    Raises DataUnavailable, saying which files to put where, if something cannot be downloaded.
    """
    for owner in card.used:
        _fetch_own(owner, progress)
    return paths(card)


def _fetch_own(card: Card, progress: BytesSeen | None) -> None:
    missing = [file for file in card.files if find_file(card, file.name) is None]
    if not missing:
        return
    stuck = [file for file in missing if not file.downloadable]
    if stuck:
        raise DataUnavailable(_where_to_put(card, stuck, _BY_HAND))
    try:
        download_files(missing, download_folder(card.name), progress)
    except (DataUnavailable, InvalidData) as error:
        still = [file for file in missing if find_file(card, file.name) is None]
        reason = f"could not be downloaded: {str(error).rstrip('.')}"
        raise DataUnavailable(_where_to_put(card, still, reason)) from error


def _where_to_put(card: Card, files: list[CardFile], reason: str) -> str:
    names = ", ".join(file.name for file in files)
    return (
        f"The files of '{card.name}' are not at hand and {reason}. Put {names} into "
        f"{download_folder(card.name)} (or into a folder '{card.name}' inside a folder that MVARENA_DATA names); "
        f"they come from {card.source}."
    )


def paths(card: Card) -> tuple[Path, ...]:
    """The files of a data set, checked against its card, in the card's order.

    Raises DataUnavailable if one is missing, InvalidData if one is damaged.
    """
    found = []
    for owner, file in required_files(card):
        at = find_file(owner, file.name)
        if at is None:
            absent = [f for f in owner.files if find_file(owner, f.name) is None]
            reason = "have not been fetched" if all(f.downloadable for f in absent) else _BY_HAND
            raise DataUnavailable(_where_to_put(owner, absent, reason))
        check_file(at, file, owner.source)
        found.append(at)
    return tuple(found)


def verify(card: Card) -> tuple[FileCheck, ...]:
    """Check every file of a data set against its card, and go on after a bad one."""
    return tuple(_verified(owner, file) for owner, file in required_files(card))


def _verified(card: Card, file: CardFile) -> FileCheck:
    at = find_file(card, file.name)
    if at is None:
        return FileCheck(file.name, None, "not at hand")
    try:
        check_file(at, file, card.source)
    except InvalidData as error:
        return FileCheck(file.name, at, str(error))
    return FileCheck(file.name, at, None if file.sha256 else "the card knows no checksum of it")
