"""What a report says beside its numbers: which way a metric goes, what a rate is, what the data are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mvarena.contracts.specs import CorruptionSpec, MetricSpec
from mvarena.errors import MvarenaError
from mvarena.loaders.cards import load_card
from mvarena.registry.catalog import Catalog
from mvarena.study.sources import Source, source_named


@dataclass(frozen=True, slots=True)
class Context:
    """What `summarize`, `build_tables` and `write_report` take.

    directions: metric -> higher is better. rate_meanings: corruption -> words. dataset_notes: data set ->
    words. percent: the metrics whose range ends at 1, shown in percent.
    """

    directions: dict[str, bool]
    rate_meanings: dict[str, str]
    dataset_notes: dict[str, str]
    percent: frozenset[str]


def context_of(catalog: Catalog, datasets: Iterable[str]) -> Context:
    """The context for results on `datasets`; a data set whose plugin is gone gets no note."""
    metrics = [spec for spec in catalog.specs("metric") if isinstance(spec, MetricSpec)]
    corruptions = [spec for spec in catalog.specs("corruption") if isinstance(spec, CorruptionSpec)]
    notes = {}
    for name in dict.fromkeys(datasets):
        try:
            notes[name] = _note(source_named(name, catalog))
        except MvarenaError:
            continue  # results outlive plugins and files: the numbers are shown without the note
    return Context(
        {spec.name: spec.higher_is_better for spec in metrics},
        {spec.name: spec.rate_means for spec in corruptions},
        notes,
        frozenset(spec.name for spec in metrics if spec.highest == 1),
    )


def _note(source: Source) -> str:
    if source.card is None:
        return source.spec.summary if source.spec else "a file of the user"
    card = load_card(source.card)
    views = [view for view in card.views if not source.views or view.name in source.views]
    shown = ", ".join(f"{view.name} ({view.dimension})" for view in views)
    picked = len(views) < len(card.views)
    samples = f"{card.clusters} classes" if picked else f"{card.samples} samples, {card.clusters} classes"
    return f"{samples}, views {shown}"
