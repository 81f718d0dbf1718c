"""From tables to the trials that stand behind them: which, which of them are stored, and running the rest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from mvarena.contracts.trial import Step, Trial
from mvarena.engine.conductor import Advance
from mvarena.errors import DataUnavailable
from mvarena.files import temporary_folder
from mvarena.papers.measure import Evidence, evidence
from mvarena.papers.model import AnyItem, Facts
from mvarena.registry.catalog import installed_catalog
from mvarena.running import Preview, preview_of_plan, run_plan
from mvarena.store.database import open_database
from mvarena.study.building import RunOptions, run_options
from mvarena.study.cards import ContentFacts
from mvarena.study.file import NOWHERE, study_at
from mvarena.study.plan import Plan, plan_study
from mvarena.study.settings import Layer
from mvarena.system.openblas import can_use, processes_use


@dataclass(frozen=True, slots=True)
class Planned:
    """The trials behind some items.

    how : what one may take, as the study says. gone : sentences on data that cannot be had.
    """

    plan: Plan
    how: RunOptions
    gone: tuple[str, ...]


def planned(study: str, items: Sequence[AnyItem], upper: Layer = NOWHERE) -> Planned:
    """The trials of a shipped study that `items` are made of. upper : what is said of running them besides the study.

    Data sets that are not at hand are left out, and said. Loads each of the others once.
    """
    catalog = installed_catalog()
    file = study_at(study)
    wanted = {name for item in items for selector in item.selectors() if (name := selector.data)}
    trials: list[Trial] = []
    contents: dict[str, ContentFacts] = {}
    gone: dict[str, None] = {}
    for block in file.blocks(catalog):
        for source in block.study.datasets:
            if not isinstance(source, str) and source.name in wanted:
                try:
                    plan = plan_study(replace(block.study, datasets=(source,)), catalog, block.optional)
                except DataUnavailable as error:
                    gone[str(error)] = None
                else:
                    trials += [*plan.trials, *plan.also]
                    contents |= plan.contents
    chosen = behind(trials, items)
    unique = {trial.key: trial for trial in reversed(chosen)}
    also = tuple(trial for trial in chosen if unique[trial.key] is not trial)
    return Planned(
        Plan(tuple(reversed(unique.values())), (), also=also, contents=contents),
        run_options(file.said(upper)[0]),
        tuple(gone),
    )


def behind(trials: Iterable[Trial], items: Iterable[AnyItem]) -> tuple[Trial, ...]:
    """Subset of `trials` that some number or claim of `items` is made of, each once."""
    unique = list({(trial.key, trial.dataset, trial.protocol.name): trial for trial in trials}.values())
    if not unique:
        return ()
    table = pd.DataFrame(map(_as_row, unique))
    chosen = pd.Series(False, index=table.index)
    for item in items:
        for selector in item.selectors():
            meant = selector.chosen(table)
            if isinstance(item, Facts) and meant.any():  # any one trial knows the data; on data as they are, knows all
                as_they_are = meant & (table["corruption"] == "none")
                meant = table.index == (as_they_are if as_they_are.any() else meant).idxmax()
            chosen |= meant
    return tuple(trial for trial, wanted in zip(unique, chosen, strict=True) if wanted)


def _as_row(trial: Trial) -> dict[str, object]:
    return {
        "algorithm": trial.algorithm,
        "dataset": trial.dataset,
        "corruption": trial.corruption,
        "rate": trial.rate,
        "prepare": ",".join(map(str, trial.prepare)),
        "protocol": trial.protocol.name,
        "params": json.dumps(dict(trial.params)),
    }


# Running a few stored trials again, elsewhere, and comparing what comes out.

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
    """The quickest stored trial of each algorithm on each data set, until `budget_s` are spent.

    Each algorithm has its first trial before any has its second; among equals the quickest come first.
    """
    seconds = stored.trials.set_index("key")["cpu_s"].groupby(level=0).first()
    done = set(stored.scores.loc[stored.scores["value"].notna(), "key"])
    quickest: dict[tuple[str, str], Trial] = {}
    for trial in sorted((item for item in trials if item.key in done), key=lambda one: (seconds[one.key], one.key)):
        quickest.setdefault((trial.algorithm, trial.dataset), trial)
    places: Counter[str] = Counter()
    ranked = []
    for trial in quickest.values():
        ranked.append((places[trial.algorithm], trial))
        places[trial.algorithm] += 1
    chosen, spent = [], 0.0
    for _, trial in sorted(ranked, key=lambda one: one[0]):
        spent += seconds[trial.key]
        if spent <= budget_s and seconds[trial.key] <= _LONGEST_S:
            chosen.append(trial)
    return tuple(chosen)


def run_again(
    plan: Plan,
    expected: pd.DataFrame,
    metrics: Sequence[str],
    *,
    how: RunOptions,
    on_plan: Callable[[Preview], None] | None = None,
    on_progress: Callable[[Advance], None] | None = None,
) -> tuple[list[Again], pd.DataFrame]:
    """Run `plan` in a database of its own and compare each counted mean with the `expected` one; and the means here."""
    with temporary_folder() as folder, open_database(Path(folder) / "again.db") as db:
        ahead = preview_of_plan(db, plan, how)
        if on_plan:
            on_plan(ahead)
        run_plan(db, ahead, how, on_progress=on_progress)
        result = evidence(db, metrics)
    here = means(result)
    reasons = result.trials.groupby("key")["reason"].first()
    results = []
    for trial in plan.trials:
        if trial.key not in here.index:
            results.append(Again(trial, None, str(reasons.get(trial.key, "it was not run"))))
            continue
        differences = (here.loc[trial.key] - expected.loc[trial.key]).abs()
        factors = pd.Series({name: 1.0 if name == "entropy" else 100.0 for name in differences.index})
        results.append(Again(trial, float((differences * factors).max())))
    return results, here


STORED_WITH = "SkylakeX"  # routines of OpenBLAS that rounded the stored results
_OTHER_ROUTINES = ("Sandybridge", "Nehalem")  # of older processors, which newer ones can use
_DRAWS = 3  # of perturbed data


def depending_on_rounding(
    plan: Plan, here: pd.DataFrame, rerun: Callable[[Plan, pd.DataFrame], tuple[list[Again], pd.DataFrame]]
) -> set[str]:
    """Keys of the trials of `plan` that come out otherwise than `here` where the same is computed with other rounding:
    on perturbed data, and with other routines of OpenBLAS. rerun : `run_again`, given a plan and what is expected.
    """
    pairs = [(_perturbed(trial, seed), trial.key) for trial in plan.trials for seed in range(1, _DRAWS + 1)]
    origin = {trial.key: key for trial, key in pairs}
    expected = here.loc[list(origin.values())].set_axis(list(origin))
    results, _ = rerun(replace(plan, trials=tuple(trial for trial, _ in pairs)), expected)
    found = {origin[result.trial.key] for result in results if result.difference}
    for routines in filter(can_use, _OTHER_ROUTINES):
        if rest := tuple(trial for trial in plan.trials if trial.key not in found):
            with processes_use(routines):
                results, _ = rerun(replace(plan, trials=rest), here)
            found |= {result.trial.key for result in results if result.difference}
    return found


def _perturbed(trial: Trial, seed: int) -> Trial:
    """The trial with data changed before each transform and after the last.

    Not before one that looks at what the numbers are, such as whole: that is not for rounding to decide.
    """
    catalog = installed_catalog()
    spec = catalog.transform("perturb")
    change = Step(spec.name, spec.version, params={"seed": seed})
    steps: list[Step] = []
    for step in trial.prepare:
        steps += [step] if catalog.transform(step.name).decides else [change, step]
    return replace(trial, prepare=(*steps, change))


def means(found: Evidence) -> pd.DataFrame:
    """Key by metric: the mean of the counted values."""
    rows = found.scores[found.scores["value"].notna()]
    return rows.pivot_table(index="key", columns="metric", values="value", aggfunc="mean")
