"""Facts on data by their content: what says whether two data sets are of one corpus."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from mvarena.contracts.source import Source
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentFacts:
    """Facts on data, stored beside the results on them.

    corpus : the collection that a data set's card names; '' where it names none, and for users' files.
    ids : (n,) of the samples; None where they have none.
    labels : (n,) the classes; None for data without classes and for data that are drawn anew in each repeat.
    views : JSON, a list of [name, kind, number of features, digest of the numbers].
    """

    corpus: str
    n_samples: int
    n_clusters: int | None
    labels: np.ndarray[tuple[int], np.dtype[np.int64]] | None
    views: str
    ids: tuple[str, ...] | None = None


def facts_on(data: MultiViewData, source: Source, catalog: Catalog) -> ContentFacts:
    """Facts on the loaded data of a source. Cost: one pass over the entries, unless their digests are known."""
    corpus, generated = "", False
    if source.dataset:
        spec = catalog.dataset(source.dataset)
        corpus, generated = spec.corpus or spec.name, spec.generated
    digests = [""] * data.n_views if generated else data.view_digests
    views = [[view.name, view.kind, view.n_features, digest] for view, digest in zip(data.views, digests, strict=True)]
    return ContentFacts(
        corpus=corpus,
        n_samples=data.n_samples,
        n_clusters=data.n_clusters,
        labels=None if generated else data.labels,
        views=json.dumps(views, separators=(",", ":")),
        ids=None if generated else data.ids,
    )
