"""Metrics over what is stored: computed from the labels that were kept, without running an algorithm again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mvarena.contracts.metric import Contingency, Points, Restarts, Space
from mvarena.contracts.specs import MetricSpec
from mvarena.data import MultiViewData
from mvarena.engine.execute import seen_by_algorithm
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.done import DoneTrial, scored_keys
from mvarena.store.outcomes import labellings, truth
from mvarena.store.recording import add_scores
from mvarena.study.outcome import Labelling, Score
from mvarena.study.trial import Trial


@dataclass(frozen=True, slots=True)
class Rescored:
    """What became of one metric: trials scored now, scored before, and without what the metric needs."""

    metric: str
    scored: int
    before: int
    without: int


def rescore(
    db: Database,
    spec: MetricSpec,
    trials: Sequence[DoneTrial],
    catalog: Catalog,
    on_trial: Callable[[], None] | None = None,
) -> Rescored:
    """Add one metric to every stored trial that lacks it (or has another version of it).

    External metrics need the classes, which are stored with the labels. Internal ones look at the views as the
    algorithm saw them: the data are loaded, corrupted and prepared again, from the same seeds. An embedding is
    not stored, so a metric of the embedding alone is NaN for every trial and counts as without.

    Raises what loading the data raises (DataUnavailable, InvalidData).
    """
    known = scored_keys(db, spec.name, spec.version)
    metric = catalog.load(spec)
    scored = without = 0
    for trial in trials:
        if trial.key not in known:
            found = _scores(db, spec, metric, trial, catalog)
            scored += bool(found)
            without += not found
            if found:
                add_scores(db, trial.key, found)
        if on_trial:
            on_trial()
    return Rescored(spec.name, scored, len(trials) - scored - without, without)


def _scores(
    db: Database, spec: MetricSpec, metric: Callable[[Any], float], trial: DoneTrial, catalog: Catalog
) -> list[Score]:
    kept = labellings(db, trial.key)
    if spec.needs == "restarts":
        value = float(metric(Restarts([one.labels for one in kept])))
        return [Score(0, spec.name, spec.version, value)]
    if spec.needs == "truth":
        classes = truth(db, trial.key)
        if classes is None:
            return []
        tables = (Contingency.from_labels(classes, one.labels) for one in kept)
        return [Score(i, spec.name, spec.version, float(metric(table))) for i, table in enumerate(tables)]
    data = seen_by_algorithm(Trial.from_identity(trial.identity, trial.dataset), catalog)
    return list(_within(spec, metric, kept, data))


def _within(
    spec: MetricSpec, metric: Callable[[Any], float], kept: Sequence[Labelling], data: MultiViewData
) -> Iterator[Score]:
    views = Space.of_views(data)
    for one in kept:
        value = float(metric(Points(one.labels, None, views)))
        if value == value:
            yield Score(one.restart, spec.name, spec.version, value)
