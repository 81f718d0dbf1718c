"""Facts on metrics, corruptions, methods and data that pages need beside stored results, from what is installed.

Nothing above this module reads the catalog to show what is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from mvarena.contracts.metric import Contingency
from mvarena.contracts.specs import CorruptionSpec, MetricSpec
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.study.cards import DatasetCard, MethodCard, dataset_card, method_card


def announced_metrics() -> dict[str, MetricSpec]:
    """Name -> the installed metric."""
    return {spec.name: spec for spec in installed_catalog().specs("metric") if isinstance(spec, MetricSpec)}


def announced_corruptions() -> dict[str, CorruptionSpec]:
    """Name -> the installed corruption."""
    return {spec.name: spec for spec in installed_catalog().specs("corruption") if isinstance(spec, CorruptionSpec)}


def announced_methods(names: Iterable[str]) -> dict[str, MethodCard]:
    """Name -> its card, of the installed methods among `names`. Cost: imports them."""
    catalog, result = installed_catalog(), {}
    for name in dict.fromkeys(names):
        with suppress(MvarenaError):  # of a plugin that is not installed: its name is all that is known
            result[name] = method_card(catalog.algorithm(name), catalog)
    return result


def announced_datasets(names: Iterable[str]) -> dict[str, DatasetCard]:
    """Name without picked views -> its card, of the installed data sets among names such as 'digits[fou,fac]'."""
    catalog, result = installed_catalog(), {}
    for name in dict.fromkeys(name.partition("[")[0] for name in names):
        with suppress(MvarenaError):  # a user's own file
            result[name] = dataset_card(name, catalog)
    return result


def scoring_functions(metrics: Iterable[str]) -> dict[str, Callable[[Contingency], float]]:
    """Metric -> its function, of the installed ones among `metrics` that compare classes with one labelling."""
    catalog, known = installed_catalog(), announced_metrics()
    return {name: catalog.load(known[name]) for name in metrics if name in known and known[name].needs == "truth"}
