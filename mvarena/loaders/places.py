"""The places where data files are looked for, in order."""

from __future__ import annotations

import os
from pathlib import Path

from mvarena.cache.folder import cache_root
from mvarena.loaders.card_places import bundled_cards, cards_root
from mvarena.loaders.cards import Card


def download_folder(name: str) -> Path:
    """Where fetched and imported files of the data set `name` go."""
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
