"""From tables to the trials that stand behind them: which, which of them are stored, and running the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files

import pandas as pd

from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Advance, Conductor, Tally
from mvarena.engine.local import LocalEngine
from mvarena.errors import DataUnavailable
from mvarena.papers.model import Facts, Figure, Table
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database
from mvarena.study.file import read_study_file
from mvarena.study.plan import plan_study
from mvarena.study.values import parse_duration

Item = Table | Facts | Figure


@dataclass(frozen=True, slots=True)
class Planned:
    """The trials behind some items.

    timeout_s : how long one may take, as the study says. gone : sentences on data that cannot be had.
    """

    trials: tuple[Trial, ...]
    timeout_s: float | None
    gone: tuple[str, ...]


def planned(study: str, items: Sequence[Item]) -> Planned:
    """The trials of a shipped study that `items` are made of.

    Runs of the study whose data are not at hand are left out, data set by data set, and said. Loads each data set once.
    """
    catalog = installed_catalog()
    file = read_study_file(study_path(study), shown=study)
    wanted = {name for item in items for selector in item.selectors() if (name := selector.data)}
    trials: list[Trial] = []
    gone: dict[str, None] = {}
    for block in file.blocks(catalog):
        for source in block.study.datasets:
            if not isinstance(source, str) and source.name in wanted:
                try:
                    trials += plan_study(replace(block.study, datasets=(source,)), catalog, block.optional).trials
                except DataUnavailable as error:
                    gone[str(error)] = None
    timeout = file.options().settings.get("timeout")
    chosen = behind(trials, items)
    return Planned(chosen, parse_duration(str(timeout)) if timeout else None, tuple(gone))


def study_path(name: str) -> str:
    """Where the shipped study of that name is."""
    with as_file(files("mvarena.studies") / f"{name}.toml") as path:
        return str(path)


def behind(trials: Iterable[Trial], items: Iterable[Item]) -> tuple[Trial, ...]:
    """Those of `trials` that some number or claim of `items` is made of, each once."""
    unique = list({(trial.key, trial.dataset, trial.protocol.name): trial for trial in trials}.values())
    if not unique:
        return ()
    table = pd.DataFrame(map(_as_row, unique))
    chosen = pd.Series(False, index=table.index)
    for item in items:
        for selector in item.selectors():
            chosen |= selector.chosen(table)
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


def run(
    db: Database,
    trials: Sequence[Trial],
    *,
    jobs: int = 1,
    timeout_s: float | None = None,
    on_progress: Callable[[Advance], None] | None = None,
) -> Tally:
    """Run what `db` does not hold of `trials`."""
    with LocalEngine(jobs, timeout_s) as engine:
        return Conductor(db, engine, on_progress=on_progress).run(trials)
