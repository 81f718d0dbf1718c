"""Cards of methods and data sets with what their pages say beyond them: descriptions, objectives, parameters."""

from __future__ import annotations

import inspect
import json
import sys
from dataclasses import asdict
from typing import Any

from mvarena.contracts.parameters import parameters_of
from mvarena.registry.catalog import Catalog
from mvarena.study.cards import dataset_card as stored_dataset_card
from mvarena.study.cards import method_card as stored_method_card


def method_card(name: str, catalog: Catalog) -> dict[str, Any]:
    """The card of a method, its docstring as description, and of each parameter name, default and possible values."""
    spec = catalog.algorithm(name)
    target = catalog.load(spec)
    parameters = [
        {"name": one.name, "default": _as_typed(one.default), "may_be": one.words}
        for one in parameters_of(target).values()
    ]
    card = asdict(stored_method_card(spec, catalog))
    return card | {"parameters": parameters, "description": inspect.getdoc(target) or ""}


def objective_of(target: Any) -> str:
    """Objective and equations of a method: its module's docstring after the first line; empty where there is none."""
    return (inspect.getdoc(sys.modules[target.__module__]) or "").partition("\n\n")[2]


def _as_typed(value: Any) -> str:
    if value is inspect.Parameter.empty:
        return ""
    if value is None:
        return "none"
    return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)


def dataset_card(name: str, catalog: Catalog) -> dict[str, Any]:
    """The card of a data set, and the accuracy of one cluster for all samples (None where it is unknown)."""
    card = asdict(stored_dataset_card(name, catalog))
    counts = card["class_counts"]
    return card | {"one_cluster": max(counts) / sum(counts) if counts else None}
