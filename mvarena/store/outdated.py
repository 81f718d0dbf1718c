"""Stored trials that a plan does not use, because what they ran has another version, parameters or data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import func, select

from mvarena.contracts.trial import Trial
from mvarena.store.database import Database
from mvarena.store.schema import names
from mvarena.store.schema import trials as stored


def outdated(db: Database, trials: Sequence[Trial]) -> list[str]:
    """One sentence for each reason why stored trials of the plan's algorithms, on its data, run again.

    Data whose name stands for other numbers in the store are among the reasons. Cost: two statements, O(distinct
    parameter settings and contents).
    """
    now = {trial.algorithm: (trial.algorithm_version, set(trial.params)) for trial in trials}
    query = select(stored.c.algorithm, stored.c.algorithm_version, stored.c.params, func.count())
    query = query.where(stored.c.algorithm.in_(list(now)), stored.c.content.in_({trial.content for trial in trials}))
    query = query.group_by(stored.c.algorithm, stored.c.algorithm_version, stored.c.params)
    with db.read() as connection:
        rows = connection.execute(query).fetchall()
    reasons: Counter[tuple[str, str]] = Counter()
    for algorithm, version, params, count in rows:
        version_now, names_now = now[algorithm]
        gone = sorted(set(json.loads(params)) - names_now)
        new = sorted(names_now - set(json.loads(params)))
        if version != version_now:
            reasons[algorithm, f"are of version {version}, and it is version {version_now} here"] += count
        elif gone:
            reasons[algorithm, f"set {', '.join(gone)}, which it does not have here"] += count
        elif new:
            reasons[algorithm, f"do not know its {', '.join(new)}"] += count
    return [
        f"{count} stored {'trial' if count == 1 else 'trials'} of {algorithm} {why}: they stay, and it runs again."
        for (algorithm, why), count in sorted(reasons.items())
    ] + _of_other_content(db, trials)


def _of_other_content(db: Database, trials: Sequence[Trial]) -> list[str]:
    """One sentence for each data set of the plan whose name stands for other numbers in the store, too."""
    now: dict[str, set[str]] = {}
    for trial in trials:
        now.setdefault(trial.dataset, set()).add(trial.content)
    query = select(names.c.dataset, stored.c.content, func.count(stored.c.key.distinct())).select_from(
        stored.join(names)
    )
    query = query.where(names.c.dataset.in_(list(now))).group_by(names.c.dataset, stored.c.content)
    with db.read() as connection:
        rows = connection.execute(query).fetchall()
    others: Counter[str] = Counter()
    for dataset, content, count in rows:
        others[dataset] += 0 if content in now[dataset] else count
    return [
        f"{count} stored {'trial' if count == 1 else 'trials'} of {dataset} {'was' if count == 1 else 'were'} of "
        "another content: reports show the two apart."
        for dataset, count in sorted(others.items())
        if count
    ]
