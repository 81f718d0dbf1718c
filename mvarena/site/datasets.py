"""What the page of a data set says of it beside results: its card, and what each view misses under each corruption."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mvarena.analysis.datasets import names_by_content
from mvarena.contracts.data_source import SourceCard, as_data_source
from mvarena.registry.catalog import Catalog
from mvarena.report.names import file_name
from mvarena.site.material import Material
from mvarena.site.scripts import reals
from mvarena.store.achieved_rates import achieved_frame

_POINT = ["dataset", "corruption", "rate"]


def dataset_cards(material: Material) -> dict[str, dict[str, Any]]:
    """Data set, as results call it, -> its card and what its views missed."""
    missing = missing_shares(material)
    return {
        name: dataset_card(name, material.catalog) | {"missing": missing.get(name, [])} for name in material.datasets
    }


def dataset_card(name: str, catalog: Catalog) -> dict[str, Any]:
    """What is known of data such as 'digits[fou,fac]' without loading them; `installed` False where nobody says."""
    base, _, picked = name.partition(" #")[0].removesuffix("]").partition("[")
    try:
        spec = catalog.dataset(base)
        card = as_data_source(spec, catalog.load(spec)).describe()
    except Exception:  # a user's own file, or a plugin that is gone or broken: the results stand by themselves
        return {"name": name, "installed": False}
    return {"name": name, "installed": True} | _said(card, set(picked.split(",")) if picked else set())


def _said(card: SourceCard, picked: set[str]) -> dict[str, Any]:
    return {
        "title": card.title,
        "summary": card.summary,
        "samples": card.samples,
        "clusters": card.clusters,
        "views": [
            {
                "name": view.name,
                "dimension": view.dimension,
                "meaning": view.meaning,
                "used": not picked or view.name in picked,
            }
            for view in card.views
        ],
        "terms": card.terms,
        "source": card.source,
        "citation": card.citation,
        "traps": list(card.traps),
        "generated": card.generated,
    }


def missing_shares(material: Material) -> dict[str, list[dict[str, Any]]]:
    """Data set -> per corruption and rate: what share of the samples each view misses, and how many are incomplete.

    Means over the masks that are stored; of corruptions that change numbers, the share of changed rows, too.
    """
    frame = achieved_frame(material.db, keys=material.trials["key"].unique())
    if frame.empty:
        return {}
    frame = frame.assign(dataset=frame["dataset"].map(file_name))
    frame = frame.assign(dataset=names_by_content(frame))
    found: dict[str, list[dict[str, Any]]] = {}
    for (dataset, corruption, rate), part in frame.groupby(_POINT):
        shares = part.astype({"missing": float, "changed_rows": float}).groupby("view", sort=False)
        means = shares[["missing", "changed_rows"]].mean()
        found.setdefault(str(dataset), []).append({
            "corruption": corruption,
            "rate": rate,
            "masks": len(part[["seed", "repeat"]].drop_duplicates()),
            "views": list(means.index),
            "missing": reals(means["missing"], 5),
            "changed": reals(means["changed_rows"], 5),
            "incomplete": reals(pd.Series([part["incomplete"].astype(float).mean()]), 5)[0],
        })  # fmt: skip
    return found
