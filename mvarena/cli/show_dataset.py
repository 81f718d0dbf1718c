"""What `mvarena show` says of a data set beside its spec: how many samples and clusters, the views, the terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mvarena.contracts.data_source import DataSource, SourceCard
    from mvarena.registry.catalog import Catalog

_NO_TERMS = "not stated"


def dataset_facts(name: str, catalog: Catalog) -> dict[str, Any]:
    """The facts of `digits` or of `digits[fou,fac]`, whose picked views alone are told.

    What does not say how many samples it has, or where only some views are picked, is loaded and counted if it is at
    hand.
    """
    from mvarena.study.sources import data_source, source_from_text

    source = data_source(source_from_text(name), catalog)
    card = source.describe()
    counted = {} if card.samples is not None or card.state != "ready" else _counted(source)
    return {
        "samples": card.samples,
        "clusters": card.clusters,
        "views": _views(card),
        **counted,
        "state": "drawn at random" if card.generated else card.state,
        "terms": card.terms or ("none: it is drawn at random" if card.generated else _NO_TERMS),
        "traps": list(card.traps),
        "description": card.citation,
    }


def _views(card: SourceCard) -> list[str]:
    return [f"{view.name} ({view.dimension})" if view.dimension else view.name for view in card.views]


def _counted(source: DataSource) -> dict[str, Any]:
    """What loading tells; where it fails, what failed, as the run would say."""
    try:
        data = source.load(0)
    except Exception as error:  # a stranger's code may fail in any way
        return {"cannot_be_loaded": f"{type(error).__name__}: {error}"}
    views = [f"{view.name} ({view.n_features})" for view in data.views]
    return {"samples": data.n_samples, "clusters": data.n_clusters, "views": views}
