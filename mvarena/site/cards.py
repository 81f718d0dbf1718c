"""Pages of methods and of data sets: their stored cards, and the missing data under each condition."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mvarena.analysis.naming import names_by_content
from mvarena.report.formatting import file_name
from mvarena.site.data import Material
from mvarena.site.scripts import reals
from mvarena.store.frames import achieved_frame
from mvarena.text import visible

_POINT = ["dataset", "corruption", "rate"]


def method_cards(material: Material) -> dict[str, dict[str, Any]]:
    """Algorithm -> its card, as stored with its results."""
    versions = material.trials.groupby("algorithm")["algorithm_version"].unique()
    return {str(name): _method(str(name), sorted(own), material) for name, own in versions.items()}


def _method(name: str, versions: list[str], material: Material) -> dict[str, Any]:
    card = material.results.context.cards.method(name)
    return {
        "name": name,
        "label": visible(card.label or name),
        "family": card.family_words,
        "summary": card.summary,
        "link": card.doi if card.doi.startswith("https://") else "",
        "citation": card.citation,
        "status": card.status,
        "cost": card.cost,
        "takes": card.takes,
        "prepare": card.prepare,
        "versions": ", ".join(map(visible, versions)),
        "parameters": [
            {"name": parameter, "default": _as_typed(default), "words": card.words.get(parameter, "")}
            for parameter, default in (card.defaults or {}).items()
        ],
    }


def _as_typed(value: Any) -> str:
    if value is None:
        return "none"
    return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


def dataset_cards(material: Material) -> dict[str, dict[str, Any]]:
    """Data set -> its card as stored, what its classes say, and what its views missed."""
    missing, contents = missing_shares(material), material.trials.drop_duplicates("dataset").set_index("dataset")
    return {
        name: _dataset(name, contents.at[name, "content"], material) | {"missing": missing.get(name, [])}
        for name in material.datasets
    }


def _dataset(name: str, content: str, material: Material) -> dict[str, Any]:
    results = material.results
    card = results.context.cards.dataset(name)
    picked = name.partition(" #")[0].removesuffix("]").partition("[")[2].split(",")
    views = [view for view in card.views if view.name in picked or picked == [""]]
    classes = results.classes.get(content)
    counts = list(card.class_counts)
    if classes is not None:
        counts = np.unique(classes[classes >= 0], return_counts=True)[1].tolist()
    return {
        "title": card.title,
        "summary": card.summary,
        "clusters": len(counts) or card.clusters,
        "class_counts": counts,
        "one_cluster": max(counts) / sum(counts) if counts else None,
        "views": [view.name + (f" ({view.dimension})" if view.dimension else "") for view in views],
        "source": card.source,
        "terms": "none: it is drawn at random" if card.generated else card.terms,
        "citation": card.citation,
        "traps": list(card.traps),
        "baseline": {metric: results.controls[content, metric].value for metric in material.metrics
                     if (content, metric) in results.controls},
    }  # fmt: skip


def missing_shares(material: Material) -> dict[str, list[dict[str, Any]]]:
    """Data set -> per condition: what share of the samples each view misses, and how many are incomplete.

    Means over the masks that are stored.
    """
    keys = None if material.everything else list(material.trials["key"].unique())
    frame = achieved_frame(material.db, keys=keys)
    if frame.empty:
        return {}
    frame = frame.assign(dataset=frame["dataset"].map(file_name))
    frame = frame.assign(dataset=names_by_content(frame))
    frame = frame.astype(dict.fromkeys(("missing", "incomplete"), float))
    frame = frame.assign(condition=material.codes_of_conditions(frame))
    result: dict[str, list[dict[str, Any]]] = {}
    for (dataset, condition), rows in frame.groupby(["dataset", "condition"]):
        means = rows.groupby("view", sort=False)["missing"].mean()
        result.setdefault(str(dataset), []).append({
            "condition": int(condition),
            "views": list(means.index),
            "missing": reals(means, 4),
            "incomplete": float(rows["incomplete"].mean()),
        })  # fmt: skip
    return result
