"""What stored trials took: seconds and memory beside the number of samples, for estimates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from mvarena.contracts.outcome import Status
from mvarena.store.codec import unpack_labels
from mvarena.store.database import Database
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
    """What every done trial of these algorithms took. Cost: one statement, and one per data set without classes."""
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
    found = [
        Cost(row.algorithm, row.params, row.content, row.n_samples or sizes[row.content], row.wall_s, row.peak_rss_mb)
        for row in rows
    ]
    return [one for one in found if one.n > 0 and one.wall_s > 0]
