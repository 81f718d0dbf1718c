"""Results under version 2 of `auto` taken over as results under version 3, where both decide the same.

    mvarena run arena-lite --algo concat --no-controls --db probe.db
    python reports/audit/take_over.py whole.db probe.db

With each trial is stored what `auto` took every view for and which scalings followed. Where version 3 says of a data
set, corruption and repeat what version 2 said, both make the same numbers, and a finished trial need not run again: it
gets the key of version 3. Only whole.db is changed; keep a copy. probe.db holds trials under version 3, of any method,
on the same data and conditions. Trials that did not finish keep their keys, since limits are counted otherwise now.
Cost: the keys of all trials of whole.db are computed.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.store.database import Database, open_database
from mvarena.store.descriptions import DESCRIBED, condition_row, described_trials
from mvarena.store.encoding import canonical_json
from mvarena.store.numbering import Numbers
from mvarena.store.readonly import open_to_read
from mvarena.store.schema import attempts, conditions, texts, trials
from mvarena.store.trials import IS_CURRENT

STEP, OLD, NEW = "scale-auto", "2", "3"
Place = tuple[Any, ...]


def take_over(db: Database, probe: Database) -> tuple[int, int]:
    """Give finished trials under OLD the keys of NEW where the decisions are equal; how many of how many."""
    old, new = decisions(db, OLD), decisions(probe, NEW)
    equal = {place for place, decided in old.items() if len(decided) == 1 and decided == new.get(place)}
    with db.write() as connection:
        finished = set(connection.scalars(select(trials.c.key).join(attempts).where(IS_CURRENT, _IS_DONE)))
        known = set(connection.scalars(select(trials.c.key)))
        under_old = [(key, trial) for key, trial in described_trials(connection) if key in finished and _under(trial)]
        numbers, taken = Numbers(connection), 0
        for key, trial in under_old:
            prepare = tuple(replace(step, version=NEW) if step.name == STEP else step for step in trial.prepare)
            moved = replace(trial, prepare=prepare)
            if _place(trial) in equal and moved.key not in known:
                condition = numbers.of(conditions, **condition_row(moved))
                changed = update(trials).where(trials.c.key == key)
                connection.execute(changed.values(key=moved.key, condition=condition))
                taken += 1
    return taken, len(under_old)


_IS_DONE = attempts.c.status == Status.DONE.value


def decisions(db: Database, version: str) -> dict[Place, set[str]]:
    """(content, corruptions, seed, repeat) -> what this version of STEP decided there, as JSON."""
    result: dict[Place, set[str]] = defaultdict(set)
    query = select(trials.c.key, texts.c.text).select_from(
        DESCRIBED.join(attempts, attempts.c.trial == trials.c.id).join(texts, texts.c.id == attempts.c.achieved)
    )
    with db.read() as connection:
        achieved = {row.key: row.text for row in connection.execute(query.where(IS_CURRENT, _IS_DONE))}
        for key, trial in described_trials(connection):
            if _under(trial, version) and key in achieved:
                decided = json.loads(achieved[key]).get("decided", {}).get(STEP)
                if decided is not None:
                    result[_place(trial)].add(canonical_json(decided))
    return result


def _under(trial: Trial, version: str = OLD) -> bool:
    return any(step.name == STEP and step.version == version for step in trial.prepare)


def _place(trial: Trial) -> Place:
    corruptions = canonical_json([step.identity() for step in trial.corruptions])
    return trial.content, corruptions, trial.seed, trial.repeat


def main(whole: str, probe: str) -> None:
    """Take over what can be, and say how much."""
    with open_database(Path(whole), create=False) as db, open_to_read(Path(probe)) as other:
        taken, total = take_over(db, other)
    print(f"{taken} of {total} finished trials under {STEP} {OLD} are results under {STEP} {NEW} now.")


if __name__ == "__main__":
    main(*sys.argv[1:])
