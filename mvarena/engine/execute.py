"""Execute one trial: its stages, then represent and assign, then score. A pure function of the trial.

A worker runs it in a fork of itself for each trial (`mvarena.engine.trial_process`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.outcome import MEMORY_AT_START, UNSCORED, Outcome, Status
from mvarena.contracts.protocol import counted_restart
from mvarena.contracts.trial import Trial
from mvarena.data import MultiViewData
from mvarena.engine.checkpoints import Labels, checkpoint_labels
from mvarena.engine.scoring import Material, counted_scores, values_of
from mvarena.engine.stages import StagedData, staged
from mvarena.engine.validation import plain_account, plain_labellings, plain_representation, said, traced
from mvarena.errors import Incompatible
from mvarena.numerics.kmeans import Labelling
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.registry.code_digest import code_digest
from mvarena.registry.facts import full_environment
from mvarena.registry.plugins import is_control
from mvarena.system.environment import cpu_time, peak_memory_mb, peak_of_programs_mb, reset_peak_memory

Kind: TypeAlias = type[MultiViewClusterer]
_SEEDS = 2**32  # NumPy's old generator takes seeds below


@dataclass
class Clock:
    """Measures one trial in this process. at_start_mb : what the process held when it began."""

    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=cpu_time)
    at_start_mb: float = 0.0

    def __post_init__(self) -> None:
        reset_peak_memory()
        self.at_start_mb = round(peak_memory_mb(), 1)

    def readings(self) -> dict[str, Any]:
        """Fields of an `Outcome`."""
        return {
            "started_at": self.started_at,
            "wall_s": time.perf_counter() - self.wall,
            "cpu_s": cpu_time() - self.cpu,
            "peak_rss_mb": max(peak_memory_mb(), peak_of_programs_mb()),
            "environment": full_environment(),
        }


def execute(
    trial: Trial,
    catalog: Catalog | None = None,
    stages: Callable[[Trial, Catalog], StagedData] = staged,
    on_fitted: Callable[[], None] = lambda: None,
) -> Outcome:
    """The outcome of `trial`: DONE with labels and scores, SKIPPED where the algorithm cannot take the data,
    or FAILED / OUT_OF_MEMORY with the traceback.

    A metric that fails is a missing score, with a reason in `achieved`.
    Never raises for what goes wrong inside the trial, `sys.exit` included; what it holds can be stored.

    stages : gives the data of the trial, or raises; by default they are loaded and prepared here.
    on_fitted : is called when the algorithm has ended; clusters are assigned and scored then.
    """
    clock = Clock()
    try:
        fields = _done(trial, catalog or installed_catalog(), stages, on_fitted, clock.at_start_mb)
    except Incompatible as refusal:
        fields = {"status": Status.SKIPPED, "reason": said(refusal)}
    except MemoryError:
        reason = f"{trial.algorithm} ran out of memory on {trial.dataset}."
        fields = {"status": Status.OUT_OF_MEMORY, "reason": reason, "traceback": traced()}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        fields = {"status": Status.FAILED, "reason": said(error), "traceback": traced()}
    return Outcome(**(fields | clock.readings()))


def _done(
    trial: Trial,
    catalog: Catalog,
    stages: Callable[[Trial, Catalog], StagedData],
    on_fitted: Callable[[], None],
    at_start_mb: float,
) -> dict[str, Any]:
    """Fields of the outcome of a trial that is done. Raises whatever goes wrong."""
    data = stages(trial, catalog)
    kind: Any = kind_of(trial, catalog)
    achieved = {**data.achieved, MEMORY_AT_START: at_start_mb}
    digest = code_digest(kind)
    truth = data.whole.labels
    told = truth if reads_labels(trial, catalog) else None
    found = clustered(trial, kind, data.seen.holding(data.seen.views, data.seen.mask, told), on_fitted)
    every: tuple[Labelling, ...] = found.fields.pop("labellings")
    material = Material(
        labels=[labelling.labels for labelling in every],
        inertias=[labelling.inertia for labelling in every],
        pick=trial.protocol.pick,
        truth=lambda: truth,
        views=lambda: data.corrupted,
        embedding=lambda: found.embedding,
        checkpoints=found.checkpoints,
    )
    values, unscored = values_of(material, catalog)
    if unscored:
        achieved[UNSCORED] = unscored
    restart = counted_restart(material.pick, material.inertias, values.get("acc", ()))
    kept = every if trial.keep_restarts else (every[restart],)
    scores = counted_scores(values, material, catalog)
    fields = {"scores": scores, "labellings": kept, "restart": restart, "truth": truth}
    return found.fields | fields | {"achieved": achieved, "source_hash": digest}


def failed(error: BaseException) -> Outcome:
    """The outcome of a trial that raised, where even its clock cannot be read; within `except`."""
    now = datetime.now(UTC)
    return Outcome(status=Status.FAILED, started_at=now, wall_s=0.0, reason=said(error), traceback=traced())


def kind_of(trial: Trial, catalog: Catalog) -> Kind:
    """The class of the algorithm of `trial`. Raises what importing it raises."""
    kind: Kind = catalog.load(trial.spec or catalog.algorithm(trial.algorithm))
    return kind


def reads_labels(trial: Trial, catalog: Catalog) -> bool:
    """True for a control that gets the classes: by its spec, and by the module that holds it."""
    spec = trial.spec or catalog.algorithm(trial.algorithm)
    return is_control(spec) and spec.reads_labels


class Clustering(NamedTuple):
    """Result of an algorithm: fields of an `Outcome`, and what metrics look at besides (as for `Material`)."""

    fields: dict[str, Any]
    embedding: Any
    checkpoints: Callable[[], list[list[Labels]]] | None


def clustered(trial: Trial, kind: Kind, seen: MultiViewData, on_fitted: Callable[[], None]) -> Clustering:
    """Run the algorithm of `trial` on `seen` and assign clusters. Raises what the algorithm raises."""
    estimator = kind(**trial.params, random_state=trial.algorithm_seed)
    started = time.perf_counter()
    result = estimator.represent(seen)
    fit_s = time.perf_counter() - started
    on_fitted()
    n_clusters = seen.n_clusters if estimator.n_clusters is None else estimator.n_clusters
    assert n_clusters is not None  # `represent` has checked it
    name, n_samples = trial.algorithm, seen.n_samples
    representation, account = plain_representation(name, result, n_samples), plain_account(result)
    seeds = trial.restart_seeds()

    def assigned(found: Representation) -> tuple[Labelling, ...]:
        given = found.assign(n_clusters, seeds, unit_length=trial.protocol.unit_rows)
        return plain_labellings(name, given, n_samples, len(seeds))

    labellings = assigned(representation)
    fields = {"status": Status.DONE, "fit_s": fit_s, "labellings": labellings, **account}
    checkpoints = checkpoint_labels(name, representation, labellings, assigned, trial.protocol.pick)
    return Clustering(fields, representation.embedding, checkpoints)


def seed_generators(seed: int) -> None:
    """Seed the generators that a process has one of: those of `random` and of old NumPy."""
    random.seed(seed)
    np.random.seed(seed % _SEEDS)  # noqa: NPY002


@contextmanager
def seeded_generators(seed: int) -> Iterator[None]:
    """Have them seeded meanwhile, and afterwards as they were."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    seed_generators(seed)
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002
