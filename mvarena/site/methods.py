"""Pages of methods and of data sets: what is announced of each, and the missing data under each corruption."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import numpy as np

from mvarena.analysis.naming import names_by_content
from mvarena.contracts.data_source import SourceCard
from mvarena.contracts.parameters import Parameter, parameters_of
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.registry.citations import cite
from mvarena.report.formatting import file_name
from mvarena.site.data import Material
from mvarena.site.scripts import reals
from mvarena.store.frames import achieved_frame
from mvarena.text import visible, visible_lines


def method_cards(material: Material) -> dict[str, dict[str, Any]]:
    """Algorithm -> its card; with `installed` False and no more where no plugin provides it here."""
    names = sorted(map(str, material.trials["algorithm"].unique()))
    return {name: method_card(name, material.catalog) for name in names}


def method_card(name: str, catalog: Catalog) -> dict[str, Any]:
    """Everything that a plugin says of an algorithm, in words; a broken one says nothing of its parameters."""
    try:
        spec = catalog.algorithm(name)
        plugin = catalog.plugin_of(spec)
    except MvarenaError:
        return {"name": name, "label": visible(name), "installed": False}
    card = {
        "name": name,
        "installed": True,
        "label": spec.label or name,
        "summary": spec.summary,
        "source": spec.source,
        "status": spec.status,
        "version": spec.version,
        "cost": spec.cost,
        "prepare": ", ".join(spec.prepare),
        "takes": spec.capabilities.words,
        "threads": spec.capabilities.threads_words,
        "picks_by_labels": spec.picks_by_labels or "",
        "citation": cite([name], {}, catalog).bibtex(),
        "provided_by": f"{plugin.distribution} {plugin.version}",
    }
    return card | _of_code(spec, catalog)


def _of_code(spec: AlgorithmSpec, catalog: Catalog) -> dict[str, Any]:
    try:
        target = catalog.load(spec)
        parameters = [_parameter(parameter) for parameter in parameters_of(target).values()]
    except Exception as error:  # a stranger's code may fail in any way, and the page is of results that exist
        return {"parameters": [], "description": f"Its code cannot be loaded here: {error}"}
    texts = {"description": inspect.getdoc(target) or "", "objective": objective_of(target)}
    return {"parameters": parameters} | {name: visible_lines(text) for name, text in texts.items()}


def objective_of(target: Any) -> str:
    """Objective and equations of a method: its module's docstring after the first line; empty where there is none."""
    module = sys.modules.get(target.__module__)
    return "" if module is None else (inspect.getdoc(module) or "").partition("\n\n")[2]


def _parameter(one: Parameter) -> dict[str, str]:
    default = "" if one.default is inspect.Parameter.empty else _as_typed(one.default)
    return {"name": one.name, "default": default, "may_be": one.words}


def _as_typed(value: Any) -> str:
    if value is None:
        return "none"
    return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


# Data-set pages: the card, and the missing data of each view under each corruption.

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
        card = catalog.card_of(spec)
    except Exception:  # a user's own file, or a plugin that is gone or broken: the results stand by themselves
        return {"name": name, "installed": False}
    return {"name": name, "installed": True} | _said(card, set(picked.split(",")) if picked else set())


def _said(card: SourceCard, picked: set[str]) -> dict[str, Any]:
    return {
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

    Means over the masks that are stored.
    """
    frame = achieved_frame(material.db, keys=material.keys)
    if frame.empty:
        return {}
    frame = frame.assign(dataset=frame["dataset"].map(file_name))
    frame = frame.assign(dataset=names_by_content(frame))
    frame = frame.astype(dict.fromkeys(("missing", "incomplete"), float))
    frame["mask"] = frame.groupby(["seed", "repeat"]).ngroup()
    masks = frame.groupby(_POINT)["mask"].nunique()
    incomplete = frame.groupby(_POINT)["incomplete"].mean()
    means = frame.groupby([*_POINT, "view"], sort=False)[["missing"]].mean().reset_index("view")
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
            "incomplete": float(incomplete[point]),
        })  # fmt: skip
    return result
