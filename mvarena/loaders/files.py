"""The files of a data set: are they at hand, where, and fetch them if not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from mvarena.errors import DataUnavailable, InvalidData
from mvarena.loaders.cards import Card, CardFile, card_names, load_card
from mvarena.loaders.checksums import check_file
from mvarena.loaders.download import Progress, download_files
from mvarena.loaders.places import download_folder, find_file

_BY_HAND = "have no address to be downloaded from"
State: TypeAlias = Literal["ready", "downloadable", "manual"]


@dataclass(frozen=True, slots=True)
class Holding:
    """What a user has of a data set.

    state : ready (all files are at hand), downloadable, or manual (someone must put files in place).
    bytes : of all files together, where the card says.
    found : file name -> where it is, unchecked.
    missing : names of the files that are not at hand.
    """

    card: Card
    state: State
    bytes: int
    found: dict[str, Path]
    missing: tuple[str, ...]


def required_files(card: Card) -> list[tuple[Card, CardFile]]:
    """Every file that the set is read from, with the card that it belongs to."""
    own = [(card, file) for file in card.files]
    return own + [pair for name in card.uses for pair in required_files(load_card(name))]


def holding(name: str) -> Holding:
    """What is at hand of the data set `name`; sizes are looked at, checksums are not."""
    card = load_card(name)
    found: dict[str, Path] = {}
    missing: list[CardFile] = []
    pairs = required_files(card)
    for owner, file in pairs:
        path = find_file(owner, file.name)
        if path is None:
            missing.append(file)
        else:
            found[file.name] = path
    state: State = "ready"
    if missing:
        state = "downloadable" if all(file.downloadable for file in missing) else "manual"
    size = sum(file.bytes or 0 for _, file in pairs)
    return Holding(card, state, size, found, tuple(file.name for file in missing))


def holdings() -> list[Holding]:
    """What is at hand of every data set that has a card, by name."""
    return [holding(name) for name in card_names()]


def fetch(name: str, progress: Progress | None = None) -> tuple[Path, ...]:
    """Download what is missing of the data set `name`; the paths of all its files, checked.

    progress : called with (file name, bytes so far, bytes in all or None) while files arrive.
    Raises DataUnavailable, saying which files to put where, if something cannot be downloaded.
    """
    card = load_card(name)
    for owner in dict.fromkeys(owner.name for owner, _ in required_files(card)):
        _fetch_own(load_card(owner), progress)
    return path(name)


def _fetch_own(card: Card, progress: Progress | None) -> None:
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


def path(name: str) -> tuple[Path, ...]:
    """The files of the data set `name`, checked against its card, in the card's order.

    Raises DataUnavailable if one is missing, InvalidData if one is damaged.
    """
    found = []
    for owner, file in required_files(load_card(name)):
        at = find_file(owner, file.name)
        if at is None:
            absent = [f for f in owner.files if find_file(owner, f.name) is None]
            reason = "have not been fetched" if all(f.downloadable for f in absent) else _BY_HAND
            raise DataUnavailable(_where_to_put(owner, absent, reason))
        check_file(at, file, owner.source)
        found.append(at)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class FileCheck:
    """One file of a data set: where it is (None: nowhere) and what is wrong with it (None: nothing)."""

    file: CardFile
    path: Path | None
    problem: str | None


def verify(name: str) -> tuple[FileCheck, ...]:
    """Check every file of the data set `name` against its card, and go on after a bad one."""
    return tuple(_verified(owner, file) for owner, file in required_files(load_card(name)))


def _verified(card: Card, file: CardFile) -> FileCheck:
    at = find_file(card, file.name)
    if at is None:
        return FileCheck(file, None, "not at hand")
    try:
        check_file(at, file, card.source)
    except InvalidData as error:
        return FileCheck(file, at, str(error))
    return FileCheck(file, at, None if file.sha256 else "the card knows no checksum of it")


def files_of(name: str) -> dict[str, Path]:
    """File name -> checked path, fetching what is missing: what a loader calls first."""
    return {at.name: at for at in fetch(name)}
