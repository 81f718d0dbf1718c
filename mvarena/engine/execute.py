"""Execute one trial: load, corrupt, prepare, represent, assign, score. A pure function of the trial."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.corruptions.achieved import achieved
from mvarena.data import MultiViewData
from mvarena.engine.environment import PeakMemory, environment, source_hash
from mvarena.engine.scoring import scores_of
from mvarena.errors import Incompatible, InvalidData, MvarenaError
from mvarena.numerics.assignment import Assignment
from mvarena.registry.catalog import Catalog, installed_catalog
from mvarena.study.outcome import Labelling, Outcome, Status
from mvarena.study.sources import load_source, source_named
from mvarena.study.trial import Step, Trial


@dataclass
class _Clock:
    """Measures one trial."""

    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=time.process_time)
    memory: PeakMemory = field(default_factory=PeakMemory)

    def __post_init__(self) -> None:
        self.memory.reset()

    def readings(self) -> dict[str, Any]:
        return {
            "started_at": self.started_at,
            "wall_s": time.perf_counter() - self.wall,
            "cpu_s": time.process_time() - self.cpu,
            "peak_rss_mb": self.memory.read(),
            "environment": environment(),
        }


def execute(trial: Trial, catalog: Catalog | None = None) -> Outcome:
    """The outcome of `trial`: DONE with labels and scores, SKIPPED where the algorithm cannot take the data,
    or FAILED / OUT_OF_MEMORY with the traceback. Never raises for what goes wrong inside the trial."""
    clock = _Clock()
    catalog = catalog or installed_catalog()
    found: dict[str, Any]
    try:
        found = _run(trial, catalog)
    except Incompatible as refusal:
        found = {"status": Status.SKIPPED, "reason": str(refusal)}
    except MemoryError:
        reason = f"{trial.algorithm} ran out of memory on {trial.dataset}."
        found = {"status": Status.OUT_OF_MEMORY, "reason": reason, "traceback": traceback.format_exc()}
    except Exception as error:
        reason = str(error) if isinstance(error, MvarenaError) else f"{type(error).__name__}: {error}"
        found = {"status": Status.FAILED, "reason": reason, "traceback": traceback.format_exc()}
    return Outcome(**(clock.readings() | found))


def _run(trial: Trial, catalog: Catalog) -> dict[str, Any]:
    data, corrupted, prepared = _stages(trial, catalog)
    kind = catalog.load(catalog.algorithm(trial.algorithm))
    estimator: MultiViewClusterer = kind(**trial.params, random_state=trial.algorithm_seed)
    n_clusters = estimator.check(prepared)
    started = time.perf_counter()
    representation = estimator.represent(prepared)
    fit_s = time.perf_counter() - started
    assignments = representation.assign(n_clusters, trial.restart_seeds(), unit_length=trial.protocol.unit_rows)
    _check_labels(trial, assignments, data.n_samples)
    return {
        "status": Status.DONE,
        "fit_s": fit_s,
        "labellings": tuple(Labelling(i, a.labels, a.inertia) for i, a in enumerate(assignments)),
        "scores": scores_of([a.labels for a in assignments], data.labels, prepared, representation.embedding, catalog),
        "truth": data.labels,
        "objective": tuple(float(value) for value in representation.objective),
        "n_iter": representation.n_iter,
        "converged": representation.converged,
        "stopped_because": representation.stopped_because,
        "achieved": achieved(data, corrupted),
        "source_hash": source_hash(kind),
    }


def loaded(trial: Trial, catalog: Catalog) -> MultiViewData:
    """The data of `trial` as they are, with labels. Raises InvalidData if they are no longer what was planned."""
    source = source_named(trial.dataset, catalog)
    data = load_source(trial.dataset, catalog, trial.data_seed)
    if source.content(data) != trial.content:
        raise InvalidData(f"{trial.dataset} has changed since this trial was planned; run the same command again.")
    return data


def seen_by_algorithm(trial: Trial, catalog: Catalog) -> MultiViewData:
    """The data of `trial` as its algorithm sees them: corrupted, prepared, without labels."""
    return _stages(trial, catalog)[-1]


def _stages(trial: Trial, catalog: Catalog) -> tuple[MultiViewData, MultiViewData, MultiViewData]:
    """The data of `trial` right before the corruption, right after it, and as the algorithm sees them.

    Steps run in the order named; the corruption comes after the last of those that are to precede it.
    """
    data = loaded(trial, catalog)
    early = [catalog.transform(step.name).before_corruption for step in trial.prepare]
    first = len(early) - early[::-1].index(True) if any(early) else 0
    if first:
        # transforms see no labels, but a corruption may
        ready = _prepared(trial.prepare[:first], data, catalog)
        data = data.with_views(ready.views, mask=ready.mask)
    corrupted = _corrupted(trial, data, catalog)
    return data, corrupted, _prepared(trial.prepare[first:], corrupted, catalog)


def _corrupted(trial: Trial, data: MultiViewData, catalog: Catalog) -> MultiViewData:
    for index, step in enumerate(trial.corruptions):
        rng = np.random.default_rng(trial.corruption_seed(index))
        data = catalog.load(catalog.corruption(step.name))().apply(data, step.rate, rng)
    return data


def _prepared(steps: Sequence[Step], data: MultiViewData, catalog: Catalog) -> MultiViewData:
    data = data.without_labels()
    for step in steps:
        data = catalog.load(catalog.transform(step.name))(data)
    return data


def _check_labels(trial: Trial, assignments: Sequence[Assignment], n_samples: int) -> None:
    for assignment in assignments:
        if assignment.labels.shape != (n_samples,) or assignment.labels.dtype.kind not in "iu":
            raise InvalidData(
                f"{trial.algorithm} returned labels that are not one integer for each of {n_samples} samples."
            )
