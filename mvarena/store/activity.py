"""What is going on in a results database: what has ended, what runs, what waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, func, select

from mvarena.contracts.outcome import Status
from mvarena.store.clock import reading
from mvarena.store.database import Database
from mvarena.store.schema import attempts, claims, trials
from mvarena.store.taking import has_ended
from mvarena.store.trials import counts

_RECENTLY = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Activity:
    """ended : status -> trials, without what was interrupted. running : trials that are claimed; waiting : planned by
    some run, and not ended or claimed. owners : host and process of each run -> how many trials it runs now.
    per_second : trials that ended recently, by second; 0 where none did."""

    ended: Mapping[Status, int]
    running: int
    waiting: int
    owners: Mapping[str, int]
    per_second: float


def activity(db: Database, now: datetime | None = None) -> Activity:
    """What is going on just now. Cost: four statements."""
    now = now or datetime.now(UTC)
    ended = counts(db)
    ended.pop(Status.INTERRUPTED, None)
    recent = select(attempts.c.started_at, attempts.c.wall_s).where(attempts.c.started_at > now - _RECENTLY)
    with db.read() as connection:
        owners, _ = claimants(connection)
        planned = connection.scalar(select(func.count()).select_from(trials)) or 0
        lately = connection.execute(recent).fetchall()
    running = sum(owners.values())
    begun = min((row.started_at for row in lately), default=now)
    seconds = max((now - begun).total_seconds(), 1.0)
    return Activity(
        ended=ended,
        running=running,
        waiting=max(0, planned - sum(ended.values()) - running),
        owners=owners,
        per_second=len(lately) / seconds,
    )


def claimants(connection: Connection) -> tuple[dict[str, int], int]:
    """The runs under way, by host and process, with how many trials each has claimed; and how many claims have lapsed,
    which runs left that were stopped. Both by the database's clock."""
    lapsed = has_ended(connection.dialect.name)
    query = select(claims.c.host, claims.c.pid, lapsed, func.count()).group_by(claims.c.host, claims.c.pid, lapsed)
    rows = connection.execute(query, reading(connection)).fetchall()
    owners = {f"{host.partition(' ')[0]}, process {pid}": count for host, pid, ended, count in rows if not ended}
    return owners, sum(row[3] for row in rows if row[2])
