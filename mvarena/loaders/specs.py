"""Specs of data sets and readers, and folders of cards, which say what a data set is called and who loads it."""

from __future__ import annotations

import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mvarena.contracts.specs import DatasetSpec, ReaderSpec
from mvarena.errors import InvalidData

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


def dataset_of_card(where: str) -> DatasetSpec:
    """The spec of the data set whose card is at `where`: "package:folder/card.toml" for one in a package.

    The data set is called as the folder of its card. The card is checked when it is used; here InvalidData says that
    it cannot be read, or lacks its summary.
    """
    path = card_path(where)
    try:
        card = _above_tables(path.read_text("utf-8"))
        return DatasetSpec(
            name=path.parent.name,
            target="mvarena.loaders.dataset:CardedData",
            summary=card["summary"] if card.get("verified", True) else _unverified(card["summary"]),
            source=card.get("source", ""),
            label=card.get("label", ""),
            generated=card.get("generated", False),
            version=card.get("version", "1"),
            card=where,
            corpus=card.get("corpus", ""),
            kind=card.get("kind", "other"),
        )
    except (OSError, ValueError) as error:
        raise InvalidData(f"The card {path} cannot be read: {error}.") from error
    except KeyError as error:
        raise InvalidData(f"The card {path} lacks {error}.") from error


def _above_tables(text: str) -> dict[str, Any]:
    """The keys of a card above its views and files, which make up most of it: mvarena reads all cards as it starts."""
    try:
        return tomllib.loads(text.partition("\n[")[0])
    except tomllib.TOMLDecodeError:  # that bracket was inside a value, or the card is wrong
        return tomllib.loads(text)


def _unverified(summary: str) -> str:
    return f"{summary.removesuffix('.')} (not verified on the original)."


CARDED = tuple(map(dataset_of_card, card_names()))

GENERATED = (
    DatasetSpec(
        name="synthetic-apmc",
        target="mvarena.loaders.synthetic:load_synthetic_apmc",
        summary="200 points of two Gaussians in two views.",
        source="APMC (AAAI 2019), section 5.1",
        views=("view1", "view2"),
        generated=True,
        kind="synthetic",
    ),
    DatasetSpec(
        name="synthetic-emvc",
        target="mvarena.loaders.synthetic:load_synthetic_emvc",
        summary="1000 points of two overlapping Gaussians in two views.",
        source="EMVC, section IV-B, eq. (33)",
        views=("view1", "view2"),
        generated=True,
        kind="synthetic",
    ),
)

DATASETS = (*CARDED, *GENERATED)

READERS = (
    ReaderSpec(
        name="npz",
        target="mvarena.readers.specs:read_npz_file",
        writer="mvarena.readers.npz:write_npz",
        endings=(".npz",),
        summary="NumPy's archives of plain arrays; mvarena writes its own form of them.",
        source="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html",
    ),
    ReaderSpec(
        name="mat",
        target="mvarena.readers.specs:read_mat_file",
        endings=(".mat",),
        summary="MATLAB's files of versions 5 to 7.3.",
        source="MathWorks, MAT-File Format, https://www.mathworks.com/help/pdf_doc/matlab/matfile_format.pdf",
    ),
    ReaderSpec(
        name="tables",
        target="mvarena.readers.specs:read_table_files",
        endings=(".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"),
        summary="Tables as text, one file for each view, with another for the labels.",
        source="RFC 4180, and what people make of it",
    ),
)
