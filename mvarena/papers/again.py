"""Running a few stored trials again, elsewhere, and comparing what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Advance
from mvarena.papers.evidence import Evidence, evidence
from mvarena.papers.reproduce import run
from mvarena.running import Preview
from mvarena.store.database import open_database
from mvarena.study.options import RunOptions
from mvarena.study.plan import Plan
from mvarena.system.temporary import temporary_folder

_LONGEST_S = 10.0  # of one trial, as it was stored


@dataclass(frozen=True, slots=True)
class Again:
    """One trial that was run again. difference : the largest of its metrics, in points; None where it did not end."""

    trial: Trial
    difference: float | None
    reason: str = ""

    def agrees(self, points: float) -> bool:
        return self.difference is not None and self.difference <= points


def sample(trials: Iterable[Trial], stored: Evidence, budget_s: float) -> tuple[Trial, ...]:
    """The quickest stored trial of each algorithm on each data set, the quickest first, until `budget_s` are spent."""
    seconds = stored.trials.set_index("key")["cpu_s"].groupby(level=0).first()
    done = set(stored.scores.loc[stored.scores["value"].notna(), "key"])
    quickest: dict[tuple[str, str], Trial] = {}
    for trial in sorted((one for one in trials if one.key in done), key=lambda one: (seconds[one.key], one.key)):
        quickest.setdefault((trial.algorithm, trial.dataset), trial)
    chosen, spent = [], 0.0
    for trial in quickest.values():
        spent += seconds[trial.key]
        if spent <= budget_s and seconds[trial.key] <= _LONGEST_S:
            chosen.append(trial)
    return tuple(chosen)


def run_again(
    plan: Plan,
    stored: Evidence,
    metrics: Sequence[str],
    *,
    how: RunOptions,
    on_plan: Callable[[Preview], None] | None = None,
    on_progress: Callable[[Advance], None] | None = None,
) -> list[Again]:
    """Run `plan` in a database of their own and compare each counted mean with the stored one."""
    with temporary_folder() as folder, open_database(Path(folder) / "again.db") as db:
        run(db, plan, how=how, on_plan=on_plan, on_progress=on_progress)
        found = evidence(db, metrics)
    old, new = _means(stored), _means(found)
    reasons = found.trials.groupby("key")["reason"].first()
    results = []
    for trial in plan.trials:
        if trial.key not in new.index:
            results.append(Again(trial, None, str(reasons.get(trial.key, "it did not run"))))
            continue
        differences = (new.loc[trial.key] - old.loc[trial.key]).abs()
        factors = pd.Series({name: 1.0 if name == "entropy" else 100.0 for name in differences.index})
        results.append(Again(trial, float((differences * factors).max())))
    return results


def _means(found: Evidence) -> pd.DataFrame:
    """Key by metric: the mean of the counted values."""
    rows = found.scores[found.scores["value"].notna()]
    return rows.pivot_table(index="key", columns="metric", values="value", aggfunc="mean")
