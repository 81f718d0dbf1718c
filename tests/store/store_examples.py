"""Trials and outcomes to store: small, complete, and the same in every process."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import func, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Step, Trial
from mvarena.numerics.kmeans import Labelling
from mvarena.store.database import Database
from mvarena.study.protocols import PROTOCOLS

STARTED = datetime(2025, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


def example_trial(repeat: int = 0, **changes: Any) -> Trial:
    """A trial; the repeat alone gives each its own key."""
    settings: dict[str, Any] = {
        "algorithm": "apmc",
        "algorithm_version": "1",
        "params": {"anchors": 10, "alpha": 0.5},
        "source": Source(dataset="digits", views=("fou", "fac")),
        "content": "c0ffee",
        "corruptions": (Step("missing-even", "1", 0.3),),
        "prepare": (Step("fill-mean", "1"), Step("unit-rows", "2")),
        "protocol": PROTOCOLS["average"],
        "seed": 7,
        "repeat": repeat,
    }
    return Trial(**settings | changes)


def example_outcome(status: Status = Status.DONE, *, n: int = 6, **changes: Any) -> Outcome:
    """An outcome; a DONE one has the labels of restart 1, two scores and the truth."""
    settings: dict[str, Any] = {"status": status, "started_at": STARTED, "wall_s": 1.5, "environment": {"python": "3"}}
    if status is Status.DONE:
        labels = np.arange(n) % 3
        settings |= {
            "labellings": (Labelling(labels, 10.0),),
            "restart": 1,
            "scores": (Score("acc", "1", 0.5, 0.01), Score("nmi", "1", 0.5)),
            "truth": labels[::-1].copy(),
            "objective": (3.0, 2.0, 1.5),
            "achieved": {"fou": 0.7, "fac": 0.65},
            "source_hash": "5eed",
        }
    else:
        settings |= {"reason": f"it ended as {status}"}
    return Outcome(**settings | changes)


def rows(db: Database, table: Any) -> int:
    with db.read() as connection:
        return connection.scalar(select(func.count()).select_from(table))


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as lists and texts, in which NaN equals NaN."""
    found = dict(vars(outcome))
    found["labellings"] = [(one.labels.tolist(), number(one.inertia)) for one in outcome.labellings]
    found["scores"] = sorted(
        (one.metric, one.metric_version, number(one.value), number(one.spread)) for one in outcome.scores
    )
    found["truth"] = None if outcome.truth is None else outcome.truth.tolist()
    found["objective"] = repr(outcome.objective)
    return {name: number(value) if isinstance(value, float) else value for name, value in found.items()}


def number(value: float) -> str:
    return repr(value + 0.0)  # SQLite knows no negative zero
