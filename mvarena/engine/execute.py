"""Execute one trial: its stages, then represent, assign, score. A pure function of the trial."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.corruption import corruption_effect
from mvarena.contracts.outcome import HAS_DEFAULTS, UNSCORED, Outcome, Score, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.checkpoints import checkpoint_labels
from mvarena.engine.scoring import Material, Unscored, scores_of
from mvarena.engine.stages import staged
from mvarena.engine.validation import plain_account, plain_facts, plain_labellings, plain_representation, said, traced
from mvarena.errors import Incompatible
from mvarena.numerics.kmeans import Labelling
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.plugins import CONTROLS
from mvarena.study.components import are_defaults
from mvarena.system.environment import PeakMemory, cpu_time, environment


@dataclass
class _Clock:
    """Measures one trial."""

    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=cpu_time)
    memory: PeakMemory = field(default_factory=PeakMemory)

    def __post_init__(self) -> None:
        self.memory.reset()

    def readings(self) -> dict[str, Any]:
        return {
            "started_at": self.started_at,
            "wall_s": time.perf_counter() - self.wall,
            "cpu_s": cpu_time() - self.cpu,
            "peak_rss_mb": self.memory.read(),
            "environment": environment(),
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
    clock = _Clock()
    catalog = catalog or installed_catalog()
    result: dict[str, Any]
    try:
        result = _run(trial, catalog, lambda so_far: labelled(Outcome(**(clock.readings() | so_far))))
    except Incompatible as refusal:
        result = {"status": Status.SKIPPED, "reason": said(refusal)}
    except MemoryError:
        reason = f"{trial.algorithm} ran out of memory on {trial.dataset}."
        result = {"status": Status.OUT_OF_MEMORY, "reason": reason, "traceback": traced()}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        result = {"status": Status.FAILED, "reason": said(error), "traceback": traced()}
    return Outcome(**(clock.readings() | result))


def _is_told(kind: type[MultiViewClusterer]) -> bool:
    """True for a control that reads the classes, by its spec and by the module that holds it."""
    return kind.__module__.startswith(CONTROLS) and kind.spec.reads_labels


def failed(error: BaseException) -> Outcome:
    """The outcome of a trial that raised, where even its clock cannot be read; within `except`."""
    now = datetime.now(UTC)
    return Outcome(status=Status.FAILED, started_at=now, wall_s=0.0, reason=said(error), traceback=traced())


def _run(trial: Trial, catalog: Catalog, labelled: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    data = staged(trial, catalog)
    kind = catalog.load(trial.spec or catalog.algorithm(trial.algorithm))
    estimator: MultiViewClusterer = kind(**trial.params, random_state=trial.algorithm_seed)
    n_clusters = estimator.check(data.seen)
    seen = data.seen.holding(data.seen.views, data.seen.mask, data.whole.labels) if _is_told(kind) else data.seen
    started = time.perf_counter()
    result = estimator.represent(seen)
    fit_s = time.perf_counter() - started
    name, n_samples = trial.algorithm, data.whole.n_samples
    representation, account = plain_representation(name, result, n_samples), plain_account(name, result)
    seeds = trial.restart_seeds()

    def assigned(found: Representation) -> tuple[Labelling, ...]:
        given = found.assign(n_clusters, seeds, unit_length=trial.protocol.unit_rows)
        return plain_labellings(name, given, n_samples, len(seeds))

    labellings = assigned(representation)
    material = Material(
        labels=[labelling.labels for labelling in labellings],
        truth=lambda: data.whole.labels,
        views=lambda: data.corrupted,
        embedding=representation.embedding,
        checkpoints=checkpoint_labels(name, representation, labellings, assigned, trial.protocol.pick),
    )
    own = {} if trial.spec is None else {HAS_DEFAULTS: are_defaults(kind, trial.params)}
    achieved = plain_facts(corruption_effect(data.whole, data.corrupted) | {"decided": data.decided}) | own
    found = {
        "status": Status.DONE,
        "fit_s": fit_s,
        "labellings": labellings,
        "truth": data.whole.labels,
        "source_hash": code_digest(kind),
        **account,
    }

    def with_scores(scores: Sequence[Score], unscored: Unscored) -> dict[str, Any]:
        missing = {UNSCORED: unscored} if unscored else {}
        return found | {"scores": tuple(scores), "achieved": achieved | missing}

    return with_scores(*scores_of(material, catalog, lambda *so_far: labelled(with_scores(*so_far))))
