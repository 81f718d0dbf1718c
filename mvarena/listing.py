"""What is installed, as tables: `mvarena.algorithms()` and `mvarena.datasets()`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mvarena.contracts.data_source import as_data_source
from mvarena.contracts.specs import AlgorithmSpec, DatasetSpec
from mvarena.registry.catalog import installed_catalog
from mvarena.study.families import family_of

if TYPE_CHECKING:
    import pandas as pd


def list_algorithms() -> pd.DataFrame:
    """Every installed algorithm, by name: family, summary, version, status, cost, source, and who provides it."""
    catalog = installed_catalog()
    rows = [
        {
            "name": spec.name,
            "family": family_of(spec),
            "summary": spec.summary,
            "version": spec.version,
            "status": spec.status,
            "cost": spec.cost,
            "source": spec.source,
            "provided_by": catalog.plugin_of(spec).distribution,
        }
        for spec in catalog.specs("algorithm")
        if isinstance(spec, AlgorithmSpec)
    ]
    return _table(rows)


def list_datasets() -> pd.DataFrame:
    """Every announced data set, by name: samples, clusters, views, whether it is at hand, terms; nothing is loaded.

    state : ready, downloadable, or manual (someone must put files in place).
    """
    catalog = installed_catalog()
    rows = []
    for spec in catalog.specs("dataset"):
        if isinstance(spec, DatasetSpec):
            card = as_data_source(spec, catalog.load(spec)).describe()
            row: dict[str, Any] = {"name": spec.name, "samples": card.samples, "clusters": card.clusters}
            row |= {"views": ", ".join(view.name for view in card.views), "state": card.state, "bytes": card.bytes}
            rows.append(row | {"terms": card.terms, "summary": spec.summary})
    return _table(rows).astype({"samples": "Int64", "clusters": "Int64"})


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows).set_index("name")
