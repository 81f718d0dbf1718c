"""Costs of stored trials: seconds and memory beside the number of samples, for estimates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import func, select

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database
from mvarena.store.schema import attempts, datasets, methods, trials, truths
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
    """Cost of every done trial of these algorithms on data whose size is known. Cost: one statement."""
    n_samples = func.coalesce(truths.c.n_samples, datasets.c.n_samples).label("n")
    columns = (
        methods.c.name,
        methods.c.params,
        datasets.c.content,
        n_samples,
        attempts.c.wall_s,
        attempts.c.peak_rss_mb,
    )
    joined = attempts.join(trials).join(methods, methods.c.id == trials.c.method)
    joined = joined.join(datasets, datasets.c.id == trials.c.dataset)
    joined = joined.outerjoin(truths, truths.c.id == attempts.c.truth)
    query = select(*columns).select_from(joined)
    query = query.where(IS_CURRENT, attempts.c.status == Status.DONE, methods.c.name.in_(list(algorithms)))
    with db.read() as connection:
        rows = connection.execute(query.order_by(attempts.c.id)).fetchall()
    return [Cost(*row) for row in rows if row.n and row.wall_s > 0]
