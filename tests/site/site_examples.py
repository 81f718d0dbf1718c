"""Small databases for the site: a study with everything in it, and one whose every name is hostile."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.numerics.kmeans import Labelling
from mvarena.registry.catalog import installed_catalog
from mvarena.site.build import write_site
from mvarena.store.cards import describe_components
from mvarena.store.database import Database, open_database
from mvarena.store.write_outcomes import record
from mvarena.study.protocols import PROTOCOLS

METRICS = ("acc", "nmi", "entropy")
METHODS = ("apmc", "concat", "sc-concat", "mic", "stranger")
DATASETS = (*(f"data-{letter}" for letter in "abcdefghijk"), "digits[fou,fac]")
RATES = (0.1, 0.3)
HOSTILE = (
    "<script>document.title='taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "</script><b>bold</b>",
    "=cmd|'calc'!A1",
    "\u202eright-to-left\u2028line",
    "{{7*7}}${7*7}",
)
_BEGAN = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)


def trial(algorithm: str, dataset: str, rate: float | None = 0.3, repeat: int = 0, **changes: Any) -> Trial:
    """One trial; rate None: on the data as they are."""
    steps = () if rate is None else (Step("missing-even", "1", rate),)
    settings: dict[str, Any] = {
        "algorithm": algorithm, "algorithm_version": "1", "params": {}, "source": source_of(dataset),
        "content": f"content of {dataset}", "corruptions": steps, "prepare": (Step("scale-auto", "1"),),
        "protocol": PROTOCOLS["fair"].with_restarts(3), "seed": 0, "repeat": repeat,
    }  # fmt: skip
    return Trial(**settings | changes)


def source_of(dataset: str) -> Source:
    base, _, views = dataset.removesuffix("]").partition("[")
    return Source(dataset=base, views=tuple(views.split(",")) if views else ())


def done(
    rng: np.random.Generator, level: float, *, metrics: tuple[str, ...] = METRICS, labelled: bool = True
) -> Outcome:
    """An outcome around `level`, with labels that go with it, on 60 samples in 4 classes."""
    truth = np.arange(60) % 4
    labels = np.where(rng.random(60) < level, truth, rng.integers(0, 4, 60))
    scores = tuple(Score(metric, "1", float(np.clip(level + 0.05 * rng.normal(), 0, 1))) for metric in metrics)
    return Outcome(
        status=Status.DONE, started_at=_BEGAN + timedelta(seconds=float(rng.integers(10_000))), wall_s=1.5,
        fit_s=float(rng.uniform(0.01, 20)), peak_rss_mb=150.0, n_iter=12, stopped_because="tol was reached",
        labellings=(Labelling(labels, float(rng.random())),), scores=scores,
        truth=truth if labelled else None, objective=tuple(np.geomspace(10, 1, 12)), source_hash="5eed",
        environment={"python": "3.12.1", "mvarena": "0.1.0", "threads": {"openblas": 1}},
        achieved={"incomplete": 0.3, "samples_by_missing_views": [42, 18], "views": {
            "fou": {"missing": 0.2, "changed_rows": 0.0, "snr": None},
            "fac": {"missing": 0.1, "changed_rows": 0.0, "snr": None}}},
    )  # fmt: skip


def failed(status: Status, reason: str, traceback: str = "") -> Outcome:
    return Outcome(
        status=status,
        started_at=_BEGAN,
        wall_s=600.0,
        reason=reason,
        traceback=traceback,
        environment={"python": "3.12.1"},
    )


def study(path: Path, seed: int = 0) -> Path:
    """Five methods on twelve data sets at two rates, two repeats each: one times out here, one is skipped there, one is
    missing somewhere, a baseline is picked by labels, and equal values tie."""
    rng = np.random.default_rng(seed)
    with open_database(path) as db:
        trials = list(_study_trials(rng))
        for one, outcome in trials:
            record(db, one, outcome)
        describe_components(db, (one for one, _ in trials), installed_catalog())
    return path


def _study_trials(rng: np.random.Generator) -> Iterator[tuple[Trial, Outcome]]:
    for d, dataset in enumerate(DATASETS):
        for rate in RATES:
            for repeat in range(2):
                for m, method in enumerate(METHODS):
                    if (method, dataset) == ("stranger", "data-h"):
                        continue  # was never run there
                    yield trial(method, dataset, rate, repeat), _ending(rng, method, d, rate, repeat, 0.85 - 0.18 * m)
                for view in ("fou", "fac"):
                    changes = {"params": {"view": view}, "picks_by_labels": "view"}
                    yield trial("bsv-kmeans", dataset, rate, repeat, **changes), done(rng, 0.5)


def _ending(rng: np.random.Generator, method: str, d: int, rate: float, repeat: int, level: float) -> Outcome:
    if method == "mic" and d == 2 and rate == RATES[1]:
        return failed(Status.TIMEOUT, "it took more than 600 s.")
    if method == "sc-concat" and d == 4 and repeat == 1:
        return failed(Status.FAILED, "the <b>matrix</b> is singular.", "Traceback (most recent call last):\n  boom")
    if method == "concat" and d == 5:
        return failed(Status.SKIPPED, "it takes two views & no more.")
    if d == 6:
        return done(np.random.default_rng(repeat), 0.5)  # the same for everybody
    return done(rng, float(np.clip(level + 0.08 * rng.normal(), 0.05, 0.95)))


def hostile(path: Path) -> Path:
    """Methods, data sets, parameters and messages named as nobody should."""
    rng = np.random.default_rng(1)
    with open_database(path) as db:
        for name in HOSTILE:
            for dataset in HOSTILE:
                source = Source(paths=(f"/tmp/{dataset.replace('/', '-')}.csv",))
                changes = {"source": source, "params": {name: name}}
                add(db, name, dataset, done(rng, 0.6), **changes)
                add(db, name, dataset, failed(Status.FAILED, name, name), repeat=1, **changes)
    return path


def add(db: Database, algorithm: str, dataset: str, outcome: Outcome, **changes: Any) -> None:
    """Record one trial."""
    assert record(db, trial(algorithm, dataset, **changes), outcome)


def written(database: Path, folder: Path) -> Path:
    """Write the site of a database into a folder, and return the folder."""
    with open_database(database, readonly=True) as db:
        return write_site(db, folder).parent
