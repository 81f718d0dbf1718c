"""Cards of methods and data sets: facts that are stored beside results, so that no page needs them installed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from mvarena.contracts.data_source import SourceCard
from mvarena.contracts.parameters import parameters_of
from mvarena.contracts.specs import AlgorithmSpec, Look
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import Catalog
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
        fields = json.loads(text)
        look = fields.pop("look")
        return cls(look=None if look is None else Look(**look), **fields)


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
class ViewCard:
    """Facts on a view: name, number of features (None: unknown), meaning of its numbers."""

    name: str
    dimension: int | None = None
    meaning: str = ""


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
    views: tuple[ViewCard, ...] = ()
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
        fields = json.loads(text)
        views = tuple(ViewCard(**view) for view in fields.pop("views"))
        counts, traps = tuple(fields.pop("class_counts")), tuple(fields.pop("traps"))
        return cls(views=views, class_counts=counts, traps=traps, **fields)


def dataset_card(name: str, catalog: Catalog) -> DatasetCard:
    """Card of an announced data set. Raises MvarenaError for what no plugin provides, and for an unreadable card."""
    spec = catalog.dataset(name)
    card: SourceCard = catalog.card_of(spec)
    return DatasetCard(
        name=name,
        title=card.title,
        label=spec.label,
        summary=card.summary,
        corpus=spec.corpus or spec.name,
        kind=spec.kind,
        samples=card.samples,
        clusters=card.clusters,
        class_counts=card.class_counts,
        views=tuple(ViewCard(name=one.name, dimension=one.dimension, meaning=one.meaning) for one in card.views),
        terms=card.terms,
        source=card.source,
        citation=card.citation,
        traps=card.traps,
        generated=card.generated,
    )
