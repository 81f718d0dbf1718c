"""The places where data files are looked for, in order, and the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

import mvarena
from mvarena.loaders.cards import Card, cards_root


def cache_root() -> Path:
    """The user's cache: the environment variable MVARENA_CACHE, or the platform's usual folder."""
    chosen = os.environ.get("MVARENA_CACHE")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("mvarena"))


def download_folder(name: str) -> Path:
    """Where fetched and imported files of the data set `name` go."""
    return cache_root() / "datasets" / name


def data_roots() -> list[Path]:
    """Folders that hold one folder per data set, most wanted first.

    The folders in MVARENA_DATA (separated as in PATH), the project's `datasets/`, the copy bundled with an
    installed package, the user's cache.
    """
    chosen = [Path(part).expanduser() for part in os.environ.get("MVARENA_DATA", "").split(os.pathsep) if part]
    bundled = Path(mvarena.__file__).parent / "_datasets"
    roots = [*chosen, cards_root(), bundled, cache_root() / "datasets"]
    return list(dict.fromkeys(roots))


def find_file(card: Card, file_name: str) -> Path | None:
    """The first place that holds the card's file, unchecked; None if there is none."""
    for root in data_roots():
        for folder in (card.name, *card.also_in):
            path = root / folder / file_name
            if path.is_file():
                return path
    return None
