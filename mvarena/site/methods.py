"""Method pages: the announcement of each method's plugin."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

from mvarena.contracts.parameters import Parameter, parameters_of
from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
from mvarena.report.citations import cite
from mvarena.site.data import Material
from mvarena.store.marks import MARKS
from mvarena.text import visible, visible_lines


def method_cards(material: Material) -> dict[str, dict[str, Any]]:
    """Algorithm -> its card; with `installed` False and no more where no plugin provides it here."""
    marks = material.results.context.marks
    names = sorted(map(str, material.trials["algorithm"].unique()))
    return {name: _marked(method_card(name, material.catalog), marks.get(name)) for name in names}


def _marked(card: dict[str, Any], mark: str | None) -> dict[str, Any]:
    """The card, of results that others submitted with their mark."""
    return card | {"label": f"{card['label']} [{mark}]", "mark": MARKS[mark]} if mark else card


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
