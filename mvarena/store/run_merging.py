"""Merging the runs of another database: those that are not here, and the end of those that were still going on."""

from __future__ import annotations

from sqlalchemy import select, update

from mvarena.store.database import Database
from mvarena.store.recording import insert_missing
from mvarena.store.run_history import has_runs
from mvarena.store.schema import environments, key_sets, run_keys, runs

_OF_END = ("ended", "ended_at", "n_trials")


def merge_runs(db: Database, other: Database) -> int:
    """Add what `other` holds of runs to `db`, each run in one transaction; how many of them changed anything."""
    with other.read() as source:
        theirs = source.execute(select(runs).order_by(runs.c.began_at)).fetchall() if has_runs(source) else []
    return sum(_merge_run(db, other, dict(row._mapping)) for row in theirs)


def _merge_run(db: Database, other: Database, run: dict[str, object]) -> bool:
    with db.read() as here:
        ours = here.execute(select(runs).where(runs.c.id == run["id"])).mappings().first()
    ended = {name: run[name] for name in _OF_END}
    if ours is not None and (ours["ended_at"] is not None or {name: ours[name] for name in _OF_END} == ended):
        return False
    with other.read() as source, db.write() as target:
        row = source.execute(select(environments).where(environments.c.id == run["environment_id"])).one()
        insert_missing(target, environments, dict(row._mapping))
        if ours is None:
            target.execute(runs.insert(), run)
        else:
            target.execute(update(runs).where(runs.c.id == run["id"]).values(**ended))
        known = set(target.scalars(select(run_keys.c.part).where(run_keys.c.run_id == run["id"])))
        links = source.execute(select(run_keys).where(run_keys.c.run_id == run["id"])).fetchall()
        for link in links:
            if link.part not in known:
                keys = source.execute(select(key_sets).where(key_sets.c.id == link.set_id)).one()
                insert_missing(target, key_sets, dict(keys._mapping))
                target.execute(run_keys.insert(), dict(link._mapping))
    return True
