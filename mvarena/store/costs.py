"""Costs of stored trials: seconds and memory beside the number of samples, for estimates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database
from mvarena.store.encoding import unpack_labels
from mvarena.store.schema import attempts, labellings, trials, truths
from mvarena.store.trials import IS_CURRENT


@dataclass(frozen=True, slots=True)
class Cost:
    """One stored trial that is done: n samples, wall seconds, peak resident MiB (0: not known)."""

    algorithm: str
    params: str
    content: str
    n: int
    wall_s: float
    peak_rss_mb: float


def costs_of(db: Database, algorithms: Iterable[str]) -> list[Cost]:
    """Cost of every done trial of these algorithms: one statement, and one per data set without classes."""
    columns = (trials.c.algorithm, trials.c.params, trials.c.content, truths.c.n_samples, attempts.c.id)
    query = select(*columns, attempts.c.wall_s, attempts.c.peak_rss_mb)
    query = query.select_from(attempts.join(trials).outerjoin(truths, attempts.c.truth_id == truths.c.id))
    query = query.where(IS_CURRENT, attempts.c.status == Status.DONE, trials.c.algorithm.in_(list(algorithms)))
    sizes: dict[str, int] = {}
    with db.read() as connection:
        rows = connection.execute(query.order_by(attempts.c.id)).fetchall()
        for row in rows:
            if row.n_samples is None and row.content not in sizes:
                labels = select(labellings.c.labels).where(labellings.c.attempt_id == row.id).limit(1)
                blob = connection.scalar(labels)
                sizes[row.content] = 0 if blob is None else len(unpack_labels(blob))
    values = [
        Cost(row.algorithm, row.params, row.content, row.n_samples or sizes[row.content], row.wall_s, row.peak_rss_mb)
        for row in rows
    ]
    return [item for item in values if item.n > 0 and item.wall_s > 0]
