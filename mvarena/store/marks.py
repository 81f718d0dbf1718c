"""Marks of outcomes that others have submitted: how far they were verified before they were taken in.

A mark stands in the environment of each such attempt, beside the machine that is said to have run it. It is merged,
deleted and shown with it, and a run of the same trial here takes its place without a mark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import select, update

from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json, fingerprint
from mvarena.store.schema import attempts, environments, trials
from mvarena.store.trials import IS_CURRENT, batches
from mvarena.store.write_outcomes import insert_missing

SUBMISSION = "submission"  # the field of an environment: {"bundle": digest, "mark": one of MARKS, "by": ...}
UNVERIFIED, RERUN, SIGNED = "unverified", "re-run", "signed"
MARKS = {
    UNVERIFIED: "submitted by others and checked without running them again",
    RERUN: "submitted by others; a sample of them was run again and came out alike",
    SIGNED: "submitted by others, with the signature of somebody whom this arena trusts",
}  # in the order of trust, the least first


def marks_of(db: Database, keys: Iterable[str] | None = None) -> dict[str, str]:
    """Algorithm -> the least trusted mark of its stored trials (None: all; else of these), where any has one.

    Cost: one statement over the environments, and one over the attempts where any is marked.
    """
    found = select(environments.c.id, environments.c.json).where(environments.c.json.contains(f'"{SUBMISSION}":'))
    with db.read() as connection:
        marked = {row.id: mark for row in connection.execute(found) if (mark := _mark(row.json))}
        if not marked:
            return {}
        query = select(trials.c.algorithm, attempts.c.environment_id).select_from(attempts.join(trials)).distinct()
        query = query.where(IS_CURRENT, attempts.c.environment_id.in_(sorted(marked)))
        parts = [()] if keys is None else [(attempts.c.key.in_(batch),) for batch in batches(keys)]
        rows = [row for part in parts for row in connection.execute(query.where(*part))]
    result: dict[str, str] = {}
    for algorithm, environment_id in rows:
        marks = [marked[environment_id], *([result[algorithm]] if algorithm in result else [])]
        result[algorithm] = min(marks, key=list(MARKS).index)
    return result


def _mark(text: str) -> str:
    """The mark in an environment; one that is none of MARKS counts as the least trusted, '' where there is none."""
    submission = json.loads(text).get(SUBMISSION)
    if submission is None:
        return ""
    mark = submission.get("mark") if isinstance(submission, dict) else None
    return mark if mark in MARKS else UNVERIFIED


def remark(db: Database, submission: dict[str, Any]) -> int:
    """Give the attempts of a bundle that is here already another mark; how many changed."""
    count = 0
    with db.write() as connection:
        rows = connection.execute(select(environments).where(environments.c.json.contains(submission["bundle"]))).all()
        for row in rows:
            environment = json.loads(row.json)
            stored = environment.get(SUBMISSION)
            if not isinstance(stored, dict) or stored.get("bundle") != submission["bundle"] or stored == submission:
                continue
            text = canonical_json(environment | {SUBMISSION: submission})
            insert_missing(connection, environments, {"id": fingerprint(text), "json": text})
            changed = update(attempts).where(attempts.c.environment_id == row.id)
            count += connection.execute(changed.values(environment_id=fingerprint(text))).rowcount
    return count
