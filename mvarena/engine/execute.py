"""Execute one trial: its stages, then represent, assign, score. A pure function of the trial."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.corruption_effect import corruption_effect
from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.code_fingerprint import code_fingerprint
from mvarena.engine.environment import PeakMemory, environment
from mvarena.engine.scoring import Material, scores_of
from mvarena.engine.stages import staged
from mvarena.errors import Incompatible, InvalidData, MvarenaError
from mvarena.numerics.labelling import Labelling
from mvarena.registry.catalog import Catalog, installed_catalog


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
    data = staged(trial, catalog)
    kind = catalog.load(trial.spec or catalog.algorithm(trial.algorithm))
    estimator: MultiViewClusterer = kind(**trial.params, random_state=trial.algorithm_seed)
    n_clusters = estimator.check(data.seen)
    started = time.perf_counter()
    representation = estimator.represent(data.seen)
    fit_s = time.perf_counter() - started
    labellings = representation.assign(n_clusters, trial.restart_seeds(), unit_length=trial.protocol.unit_rows)
    _check_labels(trial, labellings, data.whole.n_samples)
    material = Material(
        labels=[one.labels for one in labellings],
        truth=lambda: data.whole.labels,
        views=lambda: data.corrupted,
        embedding=representation.embedding,
    )
    return {
        "status": Status.DONE,
        "fit_s": fit_s,
        "labellings": tuple(labellings),
        "scores": scores_of(material, catalog),
        "truth": data.whole.labels,
        "objective": tuple(float(value) for value in representation.objective),
        "n_iter": representation.n_iter,
        "converged": representation.converged,
        "stopped_because": representation.stopped_because,
        "achieved": corruption_effect(data.whole, data.corrupted) | {"decided": data.decided},
        "source_hash": code_fingerprint(kind),
    }


def _check_labels(trial: Trial, labellings: Sequence[Labelling], n_samples: int) -> None:
    for one in labellings:
        if one.labels.shape != (n_samples,) or one.labels.dtype.kind not in "iu":
            raise InvalidData(
                f"{trial.algorithm} returned labels that are not one integer for each of {n_samples} samples."
            )
