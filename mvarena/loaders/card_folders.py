"""Folders of cards: those of mvarena in one folder, a plugin's in its own package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from mvarena.errors import InvalidData

# Where cards are: those of mvarena in a folder of all data sets, a stranger's in their own package.

CARD = "card.toml"
_PACKAGE = Path(__file__).parents[1]


def bundled_cards() -> Path:
    """The folder of the cards inside an installed wheel."""
    return _PACKAGE / "_datasets"


def cards_root() -> Path:
    """The folder of mvarena's own cards: `datasets/` of a checkout, or the copy inside an installed wheel."""
    project = _PACKAGE.parent
    is_checkout = (project / "datasets").is_dir() and (project / "pyproject.toml").is_file()
    return project / "datasets" if is_checkout else bundled_cards()


def card_names() -> list[str]:
    """The data sets of mvarena that have a card, sorted."""
    return sorted(path.parent.name for path in cards_root().glob(f"*/{CARD}"))


def card_path(where: str) -> Path:
    """The path of a card: "digits" for one of mvarena's own, "package:folder/card.toml" for one in a package.

    The package is found, not imported. Raises InvalidData if there is none.
    """
    package, colon, inside = where.partition(":")
    if not colon:
        return cards_root() / where / CARD
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    folders = (spec.submodule_search_locations if spec else None) or []
    if not folders:
        raise InvalidData(f"The card '{where}' cannot be found: there is no package '{package}'.")
    cards = [Path(folder) / inside for folder in folders]
    return next((card for card in cards if card.is_file()), cards[0])
