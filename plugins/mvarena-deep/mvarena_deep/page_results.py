"""The numbers of the page on deep methods: what the study asks for, and what a database holds of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
from mvarena import Results
from mvarena.errors import InvalidData

from mvarena_deep.specs import ALGORITHMS

DEEP = tuple(spec.name for spec in ALGORITHMS)
CONTROL = "ae-km"
METRICS = ("acc", "nmi", "acc-best-epoch")
CELL = ["dataset", "rate", "algorithm", "size"]


@dataclass(frozen=True)
class Wanted:
    """A cell of the study. size : "default" or "paper", and "" for a method that has no such setting."""

    dataset: str
    rate: float
    algorithm: str
    size: str

    @property
    def key(self) -> tuple[str, float, str, str]:
        return self.dataset, self.rate, self.algorithm, self.size


@dataclass(frozen=True)
class StudyCells:
    """The cells that a study file asks for, in its order, and the number of its repeats."""

    cells: tuple[Wanted, ...]
    repeats: int

    @property
    def datasets(self) -> list[str]:
        return list(dict.fromkeys(cell.dataset for cell in self.cells))

    @property
    def algorithms(self) -> list[str]:
        """Deep methods first."""
        named = dict.fromkeys(cell.algorithm for cell in self.cells)
        return sorted(named, key=lambda name: name not in DEEP)

    def rates(self, dataset: str) -> list[float]:
        """Rates at which a data set takes part with the default size."""
        return sorted({cell.rate for cell in self.cells if cell.dataset == dataset and cell.size != "paper"})

    @property
    def n_trials(self) -> int:
        return len(self.cells) * self.repeats


def read_study(path: Path) -> StudyCells:
    """The cells of a study file whose blocks name algorithms, data and rates, and sizes by `param`."""
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    cells: dict[Wanted, None] = {}
    for block in file["run"]:
        cells |= dict.fromkeys(_cells_of(file | block))
    return StudyCells(tuple(cells), int(file["repeats"]))


def _cells_of(block: Mapping[str, Any]) -> Iterator[Wanted]:
    sizes = dict(text.split(".size=") for text in block.get("param", ()))
    for dataset, rate, algorithm in product(block["data"], block["rates"], block["algo"]):
        own = "default" if algorithm in DEEP else ""
        yield Wanted(dataset, float(rate), algorithm, sizes.get(algorithm, own))


@dataclass(frozen=True)
class Found:
    """What a database holds of a study.

    values : cell and metric -> mean (a share), std over repeats (n - 1), n_trials. cost : cell -> mean CPU seconds of a
    trial. ended : cell -> status -> trials. above : cell -> whether ACC is above the better control, so far as known.
    """

    study: StudyCells
    values: pd.DataFrame
    cost: pd.Series
    ended: pd.DataFrame
    above: Mapping[tuple[str, float, str, str], bool]

    def value(self, cell: Wanted, metric: str) -> pd.Series | None:
        """mean, std and n_trials; None where nothing of it has finished."""
        key = (*cell.key, metric)
        return self.values.loc[key] if key in self.values.index else None

    def mean(self, cell: Wanted, metric: str) -> float | None:
        row = self.value(cell, metric)
        return None if row is None else float(row["mean"])

    @cached_property
    def n_ended(self) -> int:
        """Trials of the study that have ended, however they did."""
        wanted = {cell.key for cell in self.study.cells}
        return int(self.ended[[key in wanted for key in self.ended.index]].to_numpy().sum())

    def n_of(self, dataset: str) -> tuple[int, int]:
        """Ended and wanted trials of a data set."""
        wanted = [cell.key for cell in self.study.cells if cell.dataset == dataset]
        ended = self.ended.reindex(pd.MultiIndex.from_tuples(wanted, names=CELL)).to_numpy()
        return int(pd.DataFrame(ended).sum().sum()), len(wanted) * self.study.repeats

    def whole(self, cell: Wanted) -> bool:
        """True if all repeats have finished."""
        row = self.value(cell, "acc")
        return row is not None and row["n_trials"] >= self.study.repeats


def found_in(database: Path, study: StudyCells) -> Found:
    """What `database` holds of the study. Cost: one reading of its scores.

    Raises InvalidData where it holds one cell under several settings.
    """
    results = Results(database)
    summary = results.showing(*METRICS).summary()
    summary = summary.assign(size=[_size(row.algorithm, row.params) for row in summary.itertuples()])
    values = summary.set_index([*CELL, "metric"])[["mean", "std", "n_trials"]].dropna(subset=["mean"]).sort_index()
    if (twice := values.index.duplicated()).any():
        dataset, rate, algorithm, *_ = values.index[twice][0]
        raise InvalidData(
            f"{database} holds {algorithm} on {dataset} at rate {rate:g} under several settings; keep those of the "
            "study alone: mvarena results list --trials shows them, mvarena results delete --param takes some away."
        )
    acc = summary[summary["metric"] == "acc"].set_index(CELL)
    trials = results.scores.drop_duplicates("key")
    trials = trials.assign(size=[_size(row.algorithm, row.params) for row in trials.itertuples()])
    done = trials[trials["status"] == "DONE"]
    trials = trials[trials["status"] != "INTERRUPTED"]  # the same command runs these again
    ended = trials.groupby([*CELL, "status"]).size().unstack(fill_value=0)
    return Found(study, values, done.groupby(CELL)["cpu_s"].mean(), ended, acc["above"].to_dict())


def _size(algorithm: str, params: str) -> str:
    return str(json.loads(params).get("size", "default")) if algorithm in DEEP else ""
