"""Data of one site: everything that is stored as a report reads it, and the trials behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from mvarena.analysis.boards import Board, Question, conditions_in
from mvarena.analysis.default_metrics import stored_metrics
from mvarena.analysis.naming import name_contestants, names_by_content, natural_order
from mvarena.report.data import ReportData
from mvarena.store.database import Database
from mvarena.store.filters import Filter
from mvarena.store.frames import OF_TRIAL, endings_frame

_TRIAL = ["key", "dataset", "protocol"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """One database as its site sees it.

    results : what tables and figures are made of, too; its claims are made by those metrics of each data set that a
    report shows by itself or somebody named. metrics : those of the site, the first is shown first.
    everything : whether no filter leaves trials out.
    """

    db: Database
    results: ReportData
    metrics: tuple[str, ...]
    everything: bool

    @cached_property
    def boards(self) -> dict[Question, Board]:
        """Question -> its answer, over everything that is stored."""
        answers = {one: self.results.answer(one) for one in self.results.questions}
        return {one: board for one, board in answers.items() if board is not None}

    @cached_property
    def trials(self) -> pd.DataFrame:
        """One row per trial that is shown and name of its data, columns OF_TRIAL, trial_id, contestant and counts.

        Those of other scalings and fillings than the shown ones are among them; they have the names that they would
        have with these. counts : whether means count the trial.
        """
        reported, stored = self.results.reported, self.results.stored
        shown = reported.trials.assign(counts=reported.trials.index.isin(reported.kept.index))
        if stored is None or len(stored) == len(self.results.scores):
            return shown.reset_index(drop=True)
        others = stored[stored["shown"].astype(bool)]
        others = others.assign(dataset=names_by_content(stored)[others.index]).drop_duplicates(_TRIAL)
        known = shown.set_index(_TRIAL).index
        others = others[~others.set_index(_TRIAL).index.isin(known)][list(OF_TRIAL)]
        names = name_contestants(others.assign(prepare=""))["contestant"]
        others = others.assign(contestant=names, counts=False, trial_id=-1)
        return pd.concat([shown, others], ignore_index=True)

    @cached_property
    def values(self) -> pd.DataFrame:
        """Value of each trial and metric: columns key, dataset, protocol, metric, value and label_picked."""
        rows = self.results.scores if self.results.stored is None else self.results.stored
        named = rows.assign(dataset=names_by_content(rows))  # of all rows, as `trials` names them
        named = named[named["metric"].isin(self.metrics) & named["value"].notna()]
        return named[[*_TRIAL, "metric", "value", "label_picked"]]

    @cached_property
    def endings(self) -> pd.DataFrame:
        """Status of the trials (`mvarena.store.frames.endings_frame`), in the order of `trials`."""
        keys = None if self.everything else list(self.trials["key"].unique())
        return self.trials[["key"]].merge(endings_frame(self.db, keys), on="key", how="left")

    @cached_property
    def contestants(self) -> list[str]:
        """In the order of their names as texts, which is how equal ranks are ordered."""
        return sorted(self.trials["contestant"].unique())

    @cached_property
    def datasets(self) -> list[str]:
        return sorted(self.trials["dataset"].unique())

    @cached_property
    def conditions(self) -> list[tuple[str, float]]:
        """Corruptions with their rates: complete data first, then missing samples, then others."""
        specs = self.results.context.corruptions
        missing = {name for name, spec in specs.items() if spec.makes_missing}
        pairs = conditions_in(self.trials)
        return sorted(pairs, key=lambda pair: pair[0] != "none" and (1 if pair[0] in missing else 2))

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Data set -> the kind of its data, '' where unknown."""
        return dict(zip(self.trials["dataset"], self.trials["kind"].fillna(""), strict=True))

    @cached_property
    def sizes(self) -> dict[str, str]:
        """Data set -> the group of sizes that it is in, '' where unknown."""
        summary = self.results.summary
        return dict(zip(summary["dataset"], summary["size"], strict=True))

    def codes_of_conditions(self, rows: pd.DataFrame) -> list[int]:
        """Row by row, the index of its condition."""
        index = {pair: place for place, pair in enumerate(self.conditions)}
        return [index[pair] for pair in zip(rows["corruption"], rows["rate"], strict=True)]


def material_of(
    db: Database, only: Filter | None = None, *, metrics: Sequence[str] = (), highlight: Sequence[str] = ()
) -> Material:
    """Data of a site on `db`. Raises NothingToReport if there are no results.

    only : which trials; claims stay those of everything that is stored. metrics : in order; none: those that a report
    shows by itself, then all others that are stored. highlight : methods in colour.
    """
    results = ReportData.from_database(db, only, metrics=metrics, highlight=highlight)
    if not metrics:
        stored = set(results.scores["metric"].dropna())
        first = [metric for metric in results.metrics if metric in stored]
        shown = [*first, *sorted(stored - set(first), key=natural_order)] or results.metrics[:1]
        of_data = {**results.metrics_of, **stored_metrics(results.scores)}
        results = replace(results, metrics=shown, metrics_of=of_data, claimed_of=results.metrics_of)
    return Material(db=db, results=results, metrics=tuple(results.metrics), everything=not only)
