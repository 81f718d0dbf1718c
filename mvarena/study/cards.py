"""Facts on methods and data that are stored beside results, so that no page needs them installed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

import numpy as np

from mvarena.contracts.data_source import SourceCard, ViewFacts
from mvarena.contracts.metric import Contingency
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.source import Source
from mvarena.contracts.specs import AlgorithmSpec, CorruptionSpec, Look, MetricSpec
from mvarena.data import MultiViewData
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.citations import cite, link_of
from mvarena.registry.user_code import ARENA_PARAMS
from mvarena.study.families import CONTROL, family_of, family_words


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodCard:
    """Facts on a method; empty where unknown.

    doi : link to its publication. citation : BibTeX. prepare : the steps of its paper. takes : its data, in words.
    defaults : parameter -> default value; None where they are unknown. words : parameter -> its possible values.
    reads_labels : gets the classes. linear_memory : holds no n x n matrix. provided_by : package and version.
    """

    name: str
    family: str = ""
    label: str = ""
    summary: str = ""
    source: str = ""
    doi: str = ""
    citation: str = ""
    status: str = ""
    cost: str = ""
    prepare: str = ""
    takes: str = ""
    threads: str = ""
    defaults: Mapping[str, Any] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    reads_labels: bool = False
    linear_memory: bool = False
    look: Look | None = None
    provided_by: str = ""

    @property
    def is_control(self) -> bool:
        """True for what no method should fall below, or cannot pass."""
        return self.family == CONTROL

    @property
    def family_words(self) -> str:
        """The family as tables and pages have it."""
        return family_words(self.family, self.provided_by.partition(" ")[0])

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), default=str)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The card whose `to_json()` this is."""
        stored = json.loads(text)
        look = stored.pop("look")
        return cls(look=None if look is None else Look(**look), **stored)


def method_card(spec: AlgorithmSpec, catalog: Catalog) -> MethodCard:
    """Card of a method, announced by a plugin or of a user's own file. Cost: imports it."""
    try:
        provider = catalog.plugin_of(spec)
        provided_by, citation = f"{provider.distribution} {provider.version}", cite([spec.name], {}, catalog).bibtex()
    except MvarenaError:  # of one's own file
        provided_by = citation = ""
    parameters = [one for one in parameters_of(catalog.load(spec)).values() if one.name not in ARENA_PARAMS]
    return MethodCard(
        name=spec.name,
        family=family_of(spec),
        label=spec.label or spec.name,
        summary=spec.summary,
        source=spec.source,
        doi=link_of(citation),
        citation=citation,
        status=spec.status,
        cost=spec.cost,
        prepare=",".join(spec.prepare),
        takes=spec.capabilities.words,
        threads=spec.capabilities.threads_words,
        defaults={one.name: one.default for one in parameters},
        words={one.name: one.words for one in parameters},
        reads_labels=spec.reads_labels,
        linear_memory=spec.linear_memory,
        look=spec.look,
        provided_by=provided_by,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetCard:
    """Facts on a data set; empty where unknown.

    corpus : where its data come from. kind : of data, as 'texts'. class_counts : samples of each class. views : all,
    in order. terms, source, citation : what one may do with the data, where they come from, whom to cite (BibTeX).
    traps : what surprises people in these data. generated : drawn anew from each seed.
    """

    name: str
    title: str = ""
    label: str = ""
    summary: str = ""
    corpus: str = ""
    kind: str = ""
    samples: int | None = None
    clusters: int | None = None
    class_counts: tuple[int, ...] = ()
    views: tuple[ViewFacts, ...] = ()
    terms: str = ""
    source: str = ""
    citation: str = ""
    traps: tuple[str, ...] = ()
    generated: bool = False

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The card whose `to_json()` this is."""
        stored = json.loads(text)
        views = tuple(ViewFacts(**view) for view in stored.pop("views"))
        counts, traps = tuple(stored.pop("class_counts")), tuple(stored.pop("traps"))
        return cls(views=views, class_counts=counts, traps=traps, **stored)


def dataset_card(name: str, catalog: Catalog) -> DatasetCard:
    """Card of an announced data set. Raises MvarenaError for what no plugin provides, and for an unreadable card."""
    spec = catalog.dataset(name)
    card: SourceCard = catalog.card_of(spec)
    of_source = {item.name: getattr(card, item.name) for item in fields(DatasetCard) if hasattr(card, item.name)}
    own = {"name": name, "label": spec.label, "corpus": spec.corpus or spec.name, "kind": spec.kind}
    return DatasetCard(**of_source | own)


# Facts on metrics, corruptions, methods and data that pages need beside stored results, from what is installed.
# Nothing above this module reads the catalog to show what is stored.


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


# Facts on data by their content: what says whether two data sets are of one corpus.


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
