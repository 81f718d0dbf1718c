"""Pages of the data sets, and the one that lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median
from typing import Any

from generation.cards import dataset_card
from generation.components import ROOT, own
from generation.markdown import code, named, percent, sentence, table
from mvarena.registry.catalog import Catalog

DATA_PICTURES = ROOT / "docs" / "gallery" / "data"


def dataset_pages(catalog: Catalog) -> dict[str, str]:
    """Page of each data set, and the one that lists them."""
    specs = own(catalog, "dataset")
    cards = {spec.name: dataset_card(spec.name, catalog) for spec in specs}
    rows = [
        (f"[{name}]({name}.md)", card["samples"] or "–", card["clusters"] or "–", len(card["views"]) or "–",
         percent(card["one_cluster"]), "drawn at random" if card["generated"] else card["terms"] or "not stated")
        for name, card in cards.items()
    ]  # fmt: skip
    pages = {f"data/{name}.md": dataset_page(name, card) for name, card in cards.items()}
    index = [
        "# Data sets",
        "Each has a card with its source, terms and caveats. *One cluster* is the ACC of a single cluster for all "
        "samples: a method below it has found nothing. mvarena fetches the files from their publishers, or tells "
        "where to put them.",
        "List the available ones, download one and check it, print a card:",
        "    mvarena data list\n    mvarena data fetch 3sources\n    mvarena show digits",
        table(("data set", "samples", "classes", "views", "one cluster (%)", "terms"), rows),
        "```{toctree}\n:hidden:\n\n" + "\n".join(cards) + "\n```",
    ]
    return pages | {"data/index.md": "\n\n".join(index) + "\n"}


def dataset_page(name: str, card: dict[str, Any]) -> str:
    facts = [
        ("Samples", card["samples"]),
        ("Classes", card["clusters"]),
        ("ACC of a single cluster (baseline, %)", percent(card["one_cluster"])),
        ("Source", re.sub(r"(https?://\S+)", r"[\1](\1)", card["source"] or "")),
        ("Terms", "none: it is drawn at random" if card["generated"] else card["terms"] or "not stated"),
    ]
    parts = [
        f"# {name}",
        sentence(card["summary"]),
        table(("", ""), [(key, value) for key, value in facts if value]),
        f"    mvarena run --algo {'apmc ' if len(card['views']) > 1 else ''}concat --data {name}",
    ]
    if (DATA_PICTURES / f"{name}.png").exists():
        parts.append(
            f"![{name}: a dot per sample and a panel per view](../gallery/data/{name}.png)\n\n"
            "*First two principal components of at most six views, scaled by `auto`: a dot is a sample (at most "
            f"1000 of them), its colour the class. `python docs/gallery/draw_data.py {name}` draws it.*"
        )
    if card["views"]:
        views = [(named(view["name"]), view["dimension"] or "–", view["meaning"] or "–") for view in card["views"]]
        parts += ["## Views", table(("view", "features", "meaning"), views)]
        parts += [f'`--data "{name}[{card["views"][0]["name"]}]"` takes this view alone.']
    if card["class_counts"]:
        parts += ["## Sizes of the classes", _sizes(card["class_counts"])]
    if card["traps"]:
        parts += ["## Caveats", "\n".join(f"- {trap}" for trap in card["traps"])]
    if card["citation"]:
        parts += ["## Cite", code(card["citation"], "bibtex")]
    return "\n\n".join(parts) + "\n"


_MOST_SIZES = 8  # of classes that are all named


def _sizes(counts: Sequence[int]) -> str:
    """A sentence on the numbers of samples in the classes."""
    if len(set(counts)) == 1:
        return f"{len(counts)} classes of {counts[0]} samples."
    if len(counts) <= _MOST_SIZES:
        return f"{', '.join(map(str, sorted(counts, reverse=True)))}."
    return f"{len(counts)} classes of {min(counts)} to {max(counts)} samples, median {median(counts):g}."
