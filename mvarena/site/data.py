"""Data of one site: the stored scores as every report reads them, and the catalog's texts beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement

from mvarena.analysis.conditions import all_preparations
from mvarena.analysis.default_metrics import default_metrics, metrics_of_data, stored_metrics
from mvarena.analysis.naming import name_contestants, natural_order
from mvarena.analysis.trial_values import Reported
from mvarena.registry.catalog import Catalog
from mvarena.report.data import ReportData
from mvarena.store.contents import classes_by_content
from mvarena.store.database import Database
from mvarena.store.frames import endings_frame, environments_by_id, scores_frame
from mvarena.study.families import families

MOST_VALUES = 800_000  # numbers of single trials: what a browser opens without a wait


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """One database as its site sees it.

    results : what tables and figures are made of, too: one scaling and filling. parts : the same under each scaling and
    filling, `results` first. reported : all trials, named as in the parts. everything : whether it is all that is
    stored.
    metrics : those of the site, the first is shown first. left_out : those that are stored and have no place here.
    """

    db: Database
    catalog: Catalog
    results: ReportData
    parts: tuple[ReportData, ...]
    reported: Reported
    everything: bool
    metrics: tuple[str, ...]
    left_out: tuple[str, ...]

    @cached_property
    def trials(self) -> pd.DataFrame:
        """One row per trial and name of its data, those that no longer count among them."""
        return self.reported.trials.reset_index(drop=True)

    @property
    def keys(self) -> list[str] | None:
        """Of the trials; None where these are all that there are, which databases answer sooner."""
        return None if self.everything else list(self.trials["key"].unique())

    @cached_property
    def endings(self) -> pd.DataFrame:
        """Status of the trials (`mvarena.store.frames`), in the order of `trials`."""
        frame = endings_frame(self.db, self.keys)
        return self.trials[["key"]].merge(frame, on="key", how="left")

    @cached_property
    def environments(self) -> dict[int, dict[str, object]]:
        return environments_by_id(self.db)

    @cached_property
    def contestants(self) -> list[str]:
        """In the order of their names as texts, which is how equal ranks are ordered."""
        return sorted(self.trials["contestant"].unique())

    @cached_property
    def datasets(self) -> list[str]:
        return sorted(self.trials["dataset"].unique())

    @cached_property
    def corruptions(self) -> list[str]:
        return sorted(self.trials["corruption"].unique())

    @cached_property
    def families(self) -> dict[str, str]:
        """Algorithm -> its family, for those that are installed."""
        return families(self.catalog)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Selection of what a site shows.

    where : which trials (`mvarena.store.filters.chosen`). metrics : in order; none: those that a report shows by
    itself, then all others that are stored, as long as a browser can hold them. highlight : as
    `mvarena.report.data.ReportData` has it.
    """

    where: Sequence[ColumnElement[bool]] = ()
    metrics: tuple[str, ...] = ()
    highlight: tuple[str, ...] = ()


def material_of(db: Database, catalog: Catalog, wanted: Wanted) -> Material:
    """The material of what is wanted of `db`. Raises NothingToReport if there are no results."""
    frame = scores_frame(db, metrics=wanted.metrics or None, where=wanted.where)
    shown, left_out = (wanted.metrics, ()) if wanted.metrics else _that_fit(frame)
    if left_out:
        frame = frame[frame["metric"].isna() | frame["metric"].isin(shown)]
    more: dict[str, Any] = {"highlight": wanted.highlight}
    if not wanted.metrics:
        more["metrics_of"] = {**metrics_of_data(frame), **stored_metrics(frame)}
    more |= {"classes": classes_by_content(db, frame["content"].unique())}
    whole = ReportData.of_scores(frame, metrics=shown, every_preparation=True, **more)
    parts = parts_of(whole)
    return Material(
        db=db,
        catalog=catalog,
        results=parts[0],
        parts=parts,
        reported=named_as_shown(whole.reported, parts),
        everything=not wanted.where,
        metrics=shown,
        left_out=left_out,
    )


def parts_of(whole: ReportData) -> tuple[ReportData, ...]:
    """The same results under each scaling and filling, first those that a report shows."""
    return tuple(
        replace(whole, scores=rows, context=replace(whole.context, preparation=how))
        for rows, how in all_preparations(whole.scores)
    )


_TRIAL = ["key", "dataset", "protocol"]


def named_as_shown(reported: Reported, parts: Sequence[ReportData]) -> Reported:
    """All trials with the names that they have in the first part that shows them, and those that some part counts.

    A trial that no part shows is named without its preparation, which is a condition and has columns of its own.
    """
    every = pd.concat([part.reported.trials for part in parts]).drop_duplicates(_TRIAL).set_index(_TRIAL)
    counted = set(map(tuple, pd.concat([part.reported.kept for part in parts])[_TRIAL].to_numpy()))
    named = name_contestants(reported.trials.assign(prepare=""))
    trials = reported.trials.assign(contestant=named["contestant"])
    places = list(map(tuple, trials[_TRIAL].to_numpy()))
    values = every["contestant"].to_dict()
    trials["contestant"] = [values.get(place, own) for place, own in zip(places, trials["contestant"], strict=True)]
    kept = trials[[place in counted for place in places]]
    return Reported(reported.frame, trials, kept)


def _that_fit(frame: pd.DataFrame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The metrics that there is room for, those that a report shows first; and the others."""
    stored = set(frame["metric"].dropna())
    defaults = default_metrics(frame)
    first = [metric for metric in defaults if metric in stored]
    ordered = [*first, *sorted(stored - set(first), key=natural_order)] or defaults[:1]
    room = max(2, MOST_VALUES // max(1, frame["key"].nunique()))
    return tuple(ordered[:room]), tuple(ordered[room:])
