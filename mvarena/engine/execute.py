"""Execute one trial: its stages, then represent and assign, then score. A pure function of the trial.

The parts are those of `mvarena.engine.trial_process`, too, where the algorithm has a process that holds no classes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.corruption import corruption_effect
from mvarena.contracts.outcome import HAS_DEFAULTS, UNSCORED, Outcome, Score, Status
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.checkpoints import checkpoint_labels
from mvarena.engine.messages import Checkpoints, Facts
from mvarena.engine.scoring import Material, Unscored, scores_of
from mvarena.engine.stages import Staged, staged
from mvarena.engine.validation import plain_account, plain_facts, plain_labellings, plain_representation, said, traced
from mvarena.errors import Incompatible
from mvarena.numerics.kmeans import Labelling
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.facts import full_environment
from mvarena.registry.plugins import is_control
from mvarena.study.components import are_defaults
from mvarena.system.environment import PeakMemory, cpu_time

Kind: TypeAlias = type[MultiViewClusterer]


@dataclass
class Clock:
    """Measures one trial in this process. anew : whether its peak memory is to begin anew, which a fork's does."""

    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=cpu_time)
    memory: PeakMemory = field(default_factory=PeakMemory)
    anew: bool = True

    def __post_init__(self) -> None:
        if self.anew:
            self.memory.reset()

    def readings(self) -> dict[str, Any]:
        """Fields of an `Outcome`."""
        return {
            "started_at": self.started_at,
            "wall_s": time.perf_counter() - self.wall,
            "cpu_s": cpu_time() - self.cpu,
            "peak_rss_mb": self.memory.read(),
            "environment": full_environment(),
        }


def execute(
    trial: Trial, catalog: Catalog | None = None, labelled: Callable[[Outcome], None] = lambda _: None
) -> Outcome:
    """The outcome of `trial`: DONE with labels and scores, SKIPPED where the algorithm cannot take the data,
    or FAILED / OUT_OF_MEMORY with the traceback.

    A metric that fails is a missing score, with a reason in `achieved`.
    Never raises for what goes wrong inside the trial, `sys.exit` included; what it holds can be stored.

    labelled : called with the outcome as it is before metrics that take long, or are a plugin's.
    """
    clock = Clock()
    chosen = catalog or installed_catalog()

    def run() -> dict[str, Any]:
        data, kind = staged(trial, chosen), kind_of(trial, chosen)
        facts = facts_of(data)
        facts = replace(facts, achieved=facts.achieved | own_facts(trial, kind), source_hash=code_digest(kind))
        told = data.whole.labels if reads_labels(trial, chosen) else None
        found = clustered(trial, kind, data.seen.holding(data.seen.views, data.seen.mask, told))
        outcome = Outcome(**(clock.readings() | found.fields))
        material = material_of(
            outcome, facts, lambda: data.corrupted, embedding=found.embedding, checkpoints=found.checkpoints
        )
        return vars(scored(outcome, facts, material, chosen, labelled))

    result = ended_so(trial, run)
    return Outcome(**(result | clock.readings()))


def ended_so(trial: Trial, deed: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of `deed`, or how it went wrong, as fields of an `Outcome`. Raises KeyboardInterrupt alone."""
    try:
        return deed()
    except Incompatible as refusal:
        return {"status": Status.SKIPPED, "reason": said(refusal)}
    except MemoryError:
        reason = f"{trial.algorithm} ran out of memory on {trial.dataset}."
        return {"status": Status.OUT_OF_MEMORY, "reason": reason, "traceback": traced()}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return {"status": Status.FAILED, "reason": said(error), "traceback": traced()}


def failed(error: BaseException) -> Outcome:
    """The outcome of a trial that raised, where even its clock cannot be read; within `except`."""
    now = datetime.now(UTC)
    return Outcome(status=Status.FAILED, started_at=now, wall_s=0.0, reason=said(error), traceback=traced())


def kind_of(trial: Trial, catalog: Catalog) -> Kind:
    """The class of the algorithm of `trial`. Raises what importing it raises."""
    kind: Kind = catalog.load(trial.spec or catalog.algorithm(trial.algorithm))
    return kind


def own_facts(trial: Trial, kind: Kind) -> dict[str, Any]:
    """Facts that are stored of the algorithm of `trial`, with its parameters."""
    return {} if trial.spec is None else {HAS_DEFAULTS: are_defaults(kind, trial.params)}


def facts_of(data: Staged) -> Facts:
    """Facts of the trial before its algorithm runs, without `own_facts`."""
    achieved = plain_facts(corruption_effect(data.whole, data.corrupted) | {"decided": data.decided})
    return Facts(data.whole.n_samples, data.whole.labels, achieved, "")


def reads_labels(trial: Trial, catalog: Catalog) -> bool:
    """True for a control that gets the classes: by its spec, and by the module that holds it."""
    spec = trial.spec or catalog.algorithm(trial.algorithm)
    return is_control(spec) and spec.reads_labels


class Clustered(NamedTuple):
    """Result of an algorithm: fields of an `Outcome`, and what metrics look at besides (as for `Material`)."""

    fields: dict[str, Any]
    embedding: Any
    checkpoints: Callable[[], Checkpoints] | None


def clustered(trial: Trial, kind: Kind, seen: MultiViewData) -> Clustered:
    """Run the algorithm of `trial` on `seen` and assign clusters. Raises what the algorithm raises."""
    estimator = kind(**trial.params, random_state=trial.algorithm_seed)
    n_clusters = estimator.check(seen.without_labels())
    started = time.perf_counter()
    result = estimator.represent(seen)
    fit_s = time.perf_counter() - started
    name, n_samples = trial.algorithm, seen.n_samples
    representation, account = plain_representation(name, result, n_samples), plain_account(name, result)
    seeds = trial.restart_seeds()

    def assigned(found: Representation) -> tuple[Labelling, ...]:
        given = found.assign(n_clusters, seeds, unit_length=trial.protocol.unit_rows)
        return plain_labellings(name, given, n_samples, len(seeds))

    labellings = assigned(representation)
    fields = {"status": Status.DONE, "fit_s": fit_s, "labellings": labellings, **account}
    checkpoints = checkpoint_labels(name, representation, labellings, assigned, trial.protocol.pick)
    return Clustered(fields, representation.embedding, checkpoints)


def material_of(outcome: Outcome, facts: Facts, views: Callable[[], MultiViewData], **more: Any) -> Material:
    """Inputs of the metrics for `outcome`, which is DONE. views, more : as for `Material`."""
    labels = [labelling.labels for labelling in outcome.labellings]
    return Material(labels=labels, truth=lambda: facts.truth, views=views, **more)


def scored(
    outcome: Outcome, facts: Facts, material: Material, catalog: Catalog, labelled: Callable[[Outcome], None]
) -> Outcome:
    """`outcome`, which is DONE, with facts and scores. labelled : as for `execute`."""

    def with_scores(scores: Sequence[Score], unscored: Unscored) -> Outcome:
        achieved = facts.achieved | ({UNSCORED: unscored} if unscored else {})
        known: dict[str, Any] = {"truth": facts.truth, "source_hash": facts.source_hash}
        return replace(outcome, scores=tuple(scores), achieved=achieved, **known)

    return with_scores(*scores_of(material, catalog, lambda *so_far: labelled(with_scores(*so_far))))
