"""Metrics over what is stored: computed from the labels that were kept, without running an algorithm again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from mvarena.contracts.outcome import Score
from mvarena.contracts.specs import MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.scoring import Material, Metric, scores_by
from mvarena.engine.stages import staged
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.done_trials import DoneTrial, scored_keys
from mvarena.store.outcomes import labellings, truth
from mvarena.store.recording import add_scores
from mvarena.study.places import located


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

    External metrics need the classes, which are stored with the labels. Internal ones look at the views
    before any preparation, the same for every method: the data are loaded and corrupted again, from the same seeds. An
    embedding is not stored, so a metric of the embedding alone is NaN for every trial and counts as without.

    Raises what loading the data raises (DataUnavailable, InvalidData).
    """
    known = scored_keys(db, spec.name, spec.version)
    metric = (spec, catalog.load(spec))
    scored = without = 0
    for trial in trials:
        if trial.key not in known:
            found = _scores(db, metric, trial, catalog)
            scored += bool(found)
            without += not found
            if found:
                add_scores(db, trial.key, found)
        if on_trial:
            on_trial()
    return Rescored(spec.name, scored, len(trials) - scored - without, without)


def _scores(db: Database, metric: Metric, trial: DoneTrial, catalog: Catalog) -> list[Score]:
    material = Material(
        labels=[one.labels for one in labellings(db, trial.key)],
        truth=partial(truth, db, trial.key),
        views=partial(_views, trial, catalog),
    )
    needs = metric[0].needs
    found = scores_by([metric], needs, material)
    # where the embedding may be all that a metric looks at, NaN says that it is not there, not what the value is
    return [score for score in found if needs != "points" or score.value == score.value]


def _views(trial: DoneTrial, catalog: Catalog) -> MultiViewData:
    source = located(trial.source, trial.identity["content"], catalog)
    return staged(Trial.from_identity(trial.identity, source), catalog).corrupted
