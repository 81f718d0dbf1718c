"""Data-set pages: the card, and the missing data of each view under each corruption."""

from __future__ import annotations

from typing import Any

import numpy as np

from mvarena.analysis.naming import names_by_content
from mvarena.contracts.data_source import SourceCard
from mvarena.registry.catalog import Catalog
from mvarena.registry.data_sources import announced_source
from mvarena.report.formatting import file_name
from mvarena.site.data import Material
from mvarena.site.scripts import reals
from mvarena.store.frames import achieved_frame

_POINT = ["dataset", "corruption", "rate"]


def dataset_cards(material: Material) -> dict[str, dict[str, Any]]:
    """Data set, as results call it, -> its card, or what its stored classes say, and what its views missed."""
    missing, stored = missing_shares(material), _stored(material)
    return {
        name: stored.get(name, {}) | dataset_card(name, material.catalog) | {"missing": missing.get(name, [])}
        for name in material.datasets
    }


def _stored(material: Material) -> dict[str, dict[str, Any]]:
    """Data set -> what its stored classes say of it: all that is known of somebody's own file."""
    contents = material.trials.drop_duplicates("dataset").set_index("dataset")["content"]
    result = {}
    for name, content in contents.items():
        classes = material.results.classes.get(content)
        if classes is None:
            continue
        counts = np.unique(classes[classes >= 0], return_counts=True)[1].tolist()
        largest = max(counts) / sum(counts) if counts else None
        known = {"samples": len(classes), "clusters": len(counts), "class_counts": counts, "one_cluster": largest}
        result[str(name)] = known
    return result


def dataset_card(name: str, catalog: Catalog) -> dict[str, Any]:
    """Facts on data such as 'digits[fou,fac]' without loading them; `installed` False where unknown."""
    base, _, picked = name.partition(" #")[0].removesuffix("]").partition("[")
    try:
        spec = catalog.dataset(base)
        card = announced_source(spec, catalog).describe()
    except Exception:  # a user's own file, or a plugin that is gone or broken: the results stand by themselves
        return {"name": name, "installed": False}
    return {"name": name, "installed": True} | _said(card, set(picked.split(",")) if picked else set())


def _said(card: SourceCard, picked: set[str]) -> dict[str, Any]:
    return {
        "title": card.title,
        "summary": card.summary,
        "samples": card.samples,
        "clusters": card.clusters,
        "class_counts": list(card.class_counts),
        "one_cluster": card.acc_of_one_cluster,
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
    frame = achieved_frame(material.db, keys=material.keys)
    if frame.empty:
        return {}
    frame = frame.assign(dataset=frame["dataset"].map(file_name))
    frame = frame.assign(dataset=names_by_content(frame))
    frame = frame.astype(dict.fromkeys(("missing", "changed_rows", "incomplete"), float))
    frame["mask"] = frame.groupby(["seed", "repeat"]).ngroup()
    masks = frame.groupby(_POINT)["mask"].nunique()
    incomplete = frame.groupby(_POINT)["incomplete"].mean()
    means = frame.groupby([*_POINT, "view"], sort=False)[["missing", "changed_rows"]].mean().reset_index("view")
    of_views = {point: means.iloc[rows] for point, rows in means.groupby(level=_POINT).indices.items()}
    result: dict[str, list[dict[str, Any]]] = {}
    for point in masks.index:
        views = of_views[point]
        result.setdefault(str(point[0]), []).append({
            "corruption": point[1],
            "rate": point[2],
            "masks": int(masks[point]),
            "views": list(views["view"]),
            "missing": reals(views["missing"], 5),
            "changed": reals(views["changed_rows"], 5),
            "incomplete": float(incomplete[point]),
        })  # fmt: skip
    return result
