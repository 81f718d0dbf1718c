"""Metrics over what is stored: computed from the labels that were kept; an algorithm runs again only for a metric that
looks at its embedding, which is not stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from mvarena.contracts.outcome import Score
from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.seeds import seed_for
from mvarena.contracts.source import Source
from mvarena.contracts.specs import MetricSpec
from mvarena.contracts.trial import Trial
from mvarena.engine.replay import Unscorable, embedding_of
from mvarena.engine.scoring import Material, counted_scores, inputs_of, values_by
from mvarena.engine.stages import staged
from mvarena.engine.validation import said
from mvarena.errors import InvalidData, PluginError
from mvarena.registry.catalog import Catalog
from mvarena.store.database import Database
from mvarena.store.read_outcomes import labellings, truth
from mvarena.store.trials import DoneTrial, scored_keys
from mvarena.store.write_outcomes import add_scores
from mvarena.study.outcomes import outcomes_of
from mvarena.study.sources import located

_UNDEFINED = "the outcomes lack what the metric needs (survival times, or columns), or there is only one cluster."


@dataclass(frozen=True, slots=True)
class Rescoring:
    """Summary for one metric: trials scored now, scored before, and not scored, with the reasons (and how many)."""

    metric: str
    scored: int
    before: int
    without: int
    reasons: Mapping[str, int] = field(default_factory=dict)


def rescore(
    db: Database,
    spec: MetricSpec,
    trials: Sequence[DoneTrial],
    catalog: Catalog,
    on_trial: Callable[[], None] | None = None,
) -> Rescoring:
    """Add one metric to every stored trial that lacks it (or has another version of it).

    External metrics need the classes, which are stored with the labels. Internal ones look at the views before any
    preparation, the same for every method: the data are loaded and corrupted again, from the same seeds. A metric that
    looks at the algorithm's embedding has it run again, in this process and without limits of time and memory
    (`mvarena.engine.replay`); what cannot be made again is not scored, and the reason is kept.

    Metrics by outcomes load these; the version of a score says by which outcomes it is, and scores by others are
    replaced. What they draw at random comes from the trial's seed and repeat, the same for every method.

    Where a metric raises, that is the reason.

    Raises what loading the data raises (DataUnavailable, InvalidData). Cost: where an embedding is needed, that of
    the trial without its k-means restarts.
    """
    known = cache(partial(scored_keys, db, spec.name))
    tables = cache(partial(_table, catalog))
    scored = 0
    reasons: Counter[str] = Counter()
    for trial in trials:
        try:
            table = tables(trial.source, trial.identity["content"]) if spec.needs == "outcomes" else None
            version = spec.version if table is None else table.version_of(spec.version)
            if trial.key not in known(version):
                score = replace(_score(db, spec, trial, catalog, table), metric_version=version)
                defined = spec.needs != "outcomes" or score.value == score.value
                if defined or trial.key in known(None):  # scores by other outcomes go in any case
                    add_scores(db, trial.key, [score])
                if not defined:
                    raise Unscorable(_UNDEFINED)
                scored += 1
        except Unscorable as reason:
            reasons[str(reason)] += 1
        if on_trial:
            on_trial()
    without = sum(reasons.values())
    return Rescoring(spec.name, scored, len(trials) - scored - without, without, dict(reasons.most_common()))


def _table(catalog: Catalog, source: Source, content: str) -> OutcomeTable:
    """Outcomes of the samples. Raises Unscorable where there are none or they do not fit, else as `outcomes_of`."""
    try:
        table = outcomes_of(source, content, catalog)
    except InvalidData as error:  # of these data; other data may fit
        raise Unscorable(str(error)) from error
    if table is None:
        raise Unscorable(f"{source.name} has no outcomes.")
    return table


def _score(db: Database, spec: MetricSpec, trial: DoneTrial, catalog: Catalog, table: OutcomeTable | None) -> Score:
    """The score of a trial. Raises Unscorable, which says what the metric needs and the trial has not."""
    stored = labellings(db, trial.key)
    protocol = trial.identity["protocol"]
    if spec.needs == "checkpoints":
        raise Unscorable("its checkpoints are scored during the run and not stored; run it again.")
    if not stored:
        raise Unscorable("its labels are not stored; run it again.")
    if len(stored) < protocol["restarts"] and (spec.needs == "restarts" or protocol["pick"] != "lowest-inertia"):
        raise Unscorable("the labels of one restart are stored, and it goes by all; run it again with --keep-restarts.")

    @cache
    def data() -> tuple[Trial, Any]:
        source = located(trial.source, trial.identity["content"], catalog)
        described = Trial.from_identity(trial.identity, source)
        return described, staged(described, catalog)

    material = Material(
        labels=[item.labels for item in stored],
        truth=partial(truth, db, trial.key),
        views=lambda: data()[1].corrupted,
        embedding=lambda: embedding_of(data()[0], data()[1].seen, stored, catalog),
        outcomes=lambda: table,
        seed=outcome_seed(trial),
        inertias=[item.inertia for item in stored],
        pick=protocol["pick"],
    )
    inputs = inputs_of(spec.needs, material)
    try:
        values = values_by(spec, inputs, catalog)
    except (PluginError, MemoryError) as error:
        raise Unscorable(said(error)) from error
    if not values:
        raise Unscorable("the classes of the data are not stored.")
    # where a metric looks at spaces, NaN for every restart says that there are none, not what the value is
    if spec.needs == "points" and all(value != value for value in values):
        raise Unscorable("there is no feature view or embedding for which the metric is defined.")
    return counted_scores({spec.name: values}, material, catalog)[0]


def outcome_seed(trial: DoneTrial) -> int:
    """Seed of what metrics by outcomes draw at random: the same for every method."""
    seed, repeat = trial.identity["seed"]
    return seed_for(seed, "outcomes", trial.identity["content"], repeat)
