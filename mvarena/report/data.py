"""The data of a report: one set of scores with all that is shown of it, each part computed once."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from sqlalchemy import ColumnElement

from mvarena.analysis.choosing import with_choices
from mvarena.analysis.claims import claim
from mvarena.analysis.conditions import all_preparations, newest_versions, one_preparation
from mvarena.analysis.controls import (
    Classes,
    Control,
    above_control,
    best_controls,
    cluster_counts,
    honest_controls,
    stored_controls,
)
from mvarena.analysis.default_metrics import in_order, metrics_of_data
from mvarena.analysis.picking import PICKED_COLUMNS, picks_among
from mvarena.analysis.significance import LEAST_CORPORA, Worse, worse_than_best
from mvarena.analysis.standings import Standings
from mvarena.analysis.summary import over_rates, repeats_over_rates, summarize
from mvarena.analysis.trial_values import POINT, Reported, reported_trials, trial_values
from mvarena.errors import NothingToReport
from mvarena.registry.catalog import installed_catalog
from mvarena.report.context import Context, context_of
from mvarena.report.figures.preparations import preparation_points
from mvarena.report.figures.rate import curves
from mvarena.report.figures.standings import standings_of
from mvarena.report.findings import Finding, findings
from mvarena.report.formatting import muted_names, scaling_words, without_paths
from mvarena.report.notes import collapse_notes
from mvarena.report.style import Looks, looks
from mvarena.report.tables.model import Table
from mvarena.report.tables.overview import overview_table, rows_at_main_condition
from mvarena.report.tables.quality import quality_tables
from mvarena.report.tables.ranks import finished_only
from mvarena.report.tables.scores import tabulate_summary
from mvarena.report.trial_data import PATTERN_COLUMNS, DrawnTrial, Followed
from mvarena.store.contents import classes_by_content, clusters_by_content
from mvarena.store.database import Database
from mvarena.store.frames import FIT_COLUMNS, fits_frame, scores_frame
from mvarena.store.trials import done_trials


def facts_beside(db: Database, scores: pd.DataFrame) -> dict[str, Any]:
    """Facts that a database has beside some scores, as fields of `ReportData`: fits and asked."""
    keys = list(scores["key"].unique())
    asked = clusters_by_content(db, scores["content"].unique())
    return {"fits": fits_frame(db, keys), "asked": asked}


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportData:
    """Scores, and all that tables, figures and the terminal show of them.

    scores : the long form (`mvarena.store.frames`), one row per trial x restart x metric; files are called by their
        names, without their folders.
    stored : the same under every scaling and filling, for what compares these; None: the scores.
    context : what the components say of themselves.
    metrics : which are shown, in order. metrics_of : content -> those of them that are shown of these data; all of
    what it does not name.
    every_variant : shows each value of a parameter that is picked by labels, not the best alone.
    fits : of the same trials (`mvarena.store.frames.fits_frame`): what convergence, scaling and the words on automatic
        scaling are made of; without rows: none of these.
    picks : what was picked among them (`mvarena.analysis.picking.picked`).
    highlight : algorithms or contestants that figures show in colour, all others in grey; none: all, or the best of
        many (`mvarena.report.formatting`).
    classes : content -> (n,) the classes of the data, for what the controls score (`mvarena.analysis.controls`).
    asked : content -> number of clusters, for what is said of too few; known of `classes` without it.
    above_control : whether scores are shown as the share of the way from the better control to the best value.
    patterns, drawn : of `mvarena.report.trial_data`, for figures that are drawn on request only. followed : likewise,
    for curves of survival.

    Raises NothingToReport if there are no scores to show.
    """

    scores: pd.DataFrame
    context: Context
    metrics: Sequence[str]
    metrics_of: Mapping[str, Collection[str]] = field(default_factory=dict)
    every_variant: bool = False
    fits: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(FIT_COLUMNS)))
    picks: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(PICKED_COLUMNS)))
    highlight: Sequence[str] = ()
    classes: Mapping[str, Classes] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    above_control: bool = False
    stored: pd.DataFrame | None = None
    patterns: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(PATTERN_COLUMNS)))
    drawn: Sequence[DrawnTrial] = ()
    followed: Mapping[str, Followed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.scores.empty:
            raise NothingToReport(
                "there are no results to report; run a study first, or name other data sets and algorithms."
            )
        object.__setattr__(self, "scores", without_paths(self.scores))
        if self.stored is not None:
            object.__setattr__(self, "stored", without_paths(self.stored))
        if self.above_control and not self.context.above_control:  # a copy without controls holds shares already
            known = frozenset(metric for _, metric in self.controls if self.context.in_percent(metric))
            object.__setattr__(self, "scores", self._relative(self.scores, known))
            if self.stored is not None:
                object.__setattr__(self, "stored", self._relative(self.stored, known))
            object.__setattr__(self, "context", replace(self.context, above_control=known))
        if not self.fits.empty:
            words = scaling_words(self.scores, self.fits)
            object.__setattr__(self, "context", replace(self.context, scaled=words))

    @classmethod
    def of_scores(
        cls,
        scores: pd.DataFrame,
        *,
        metrics: Sequence[str] = (),
        nmi: str = "nmi",
        every_preparation: bool = False,
        every_version: bool = False,
        against: str | None = None,
        chosen: Sequence[str] = (),
        **more: Any,
    ) -> Self:
        """The data of a report on `scores`, with what the installed components say of themselves.

        metrics : none for those of each data set (`mvarena.analysis.default_metrics`), with this nmi.
        every_preparation : keep the trials under every scaling and filling apart, in place of showing one of each
        (`mvarena.analysis.conditions`). every_version : keep the trials of older versions of methods that declare none.
        against : the contestant that is compared with each other. chosen : sentences on what a picker chose.
        more : fields of this class.
        """
        context = context_of(installed_catalog(), scores["dataset"], scores["algorithm"])
        if not every_version:
            scores, versions = newest_versions(scores)
            context = replace(context, versions=versions)
        stored = scores
        if not every_preparation:
            scores, preparation = one_preparation(scores)
            context = replace(context, preparation=preparation)
        context = replace(context, against=against, chosen=tuple(chosen))
        if not metrics:
            more["metrics_of"] = metrics_of_data(scores, nmi)
            metrics = in_order(more["metrics_of"], nmi)
        return cls(scores=scores, stored=stored, context=context, metrics=list(metrics), **more)

    @classmethod
    def from_database(
        cls,
        db: Database,
        where: Sequence[ColumnElement[bool]] = (),
        *,
        metrics: Sequence[str] = (),
        count: str | None = None,
        picks: bool = False,
        choose: str | None = None,
        **more: Any,
    ) -> Self:
        """The data of a report on stored trials: their scores, how they were fitted, and on request what is picked.

        where : the condition of a filter (`mvarena.store.filters.chosen`). count : which restarts count, in place of
        what the trials' protocols say. picks : whether all pickers pick among the trials. choose : the picker that
        chooses among the values of each method's parameters (`mvarena.analysis.choosing`). metrics, more : as for
        `of_scores`.
        """
        scores = scores_frame(db, metrics=list(metrics) or None, where=where)
        keys = list(scores["key"].unique())
        if picks:
            more["picks"] = picks_among(db, metrics, done_trials(db, where=where))
        if choose is not None:
            scores, more["chosen"] = with_choices(db, scores, done_trials(db, where=where), choose)
            keys = list(scores["key"].unique())
        if count is not None:
            scores = scores.assign(pick=count)
        classes = classes_by_content(db, scores["content"].unique())
        more |= {"fits": fits_frame(db, keys), "classes": classes}
        return cls.of_scores(scores, metrics=metrics, **more)

    @cached_property
    def reported(self) -> Reported:
        """The trials that the results are made of (`mvarena.analysis.trial_values.reported_trials`)."""
        return reported_trials(self.scores, defaults=self.context.defaults)

    @cached_property
    def without_controls(self) -> ReportData:
        """The same of the methods alone, for figures."""
        controls = self.scores["algorithm"].isin(self.context.controls)
        return self if not controls.any() or controls.all() else replace(self, scores=self.scores[~controls])

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per point, contestant and metric (`mvarena.analysis.summary.summarize`), with three more columns.

        control, control_spread : of the better control, NaN where classes are unknown. above : whether the mean is
        better (`mvarena.analysis.controls.above_control`).
        """
        directions = self.context.directions
        summary = self._shown_of_data(summarize(self.reported, self.metrics, directions=directions))
        contents = self._contents
        pairs = [(contents.get(row.dataset, ""), row.metric) for row in summary[["dataset", "metric"]].itertuples()]
        found = [self._shown_control(*pair) for pair in pairs]
        reads = summary["algorithm"].isin(self.context.label_readers)
        summary = summary.assign(
            control=[one.value for one in found],
            control_spread=[one.spread for one in found],
            label_picked=summary["label_picked"] | reads | summary["metric"].isin(self.context.label_pickers),
        )
        return summary.assign(above=above_control(summary, directions))

    @cached_property
    def _contents(self) -> dict[str, str]:
        """Data set -> its content."""
        return self.reported.trials.drop_duplicates("dataset").set_index("dataset")["content"].to_dict()

    def _shown_of_data(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The rows of each data set by the metrics that are shown of it."""
        left_out = {
            (dataset, metric)
            for dataset, content in self._contents.items()
            for metric in set(self.metrics) - self._metrics_of(content)
        }
        if not left_out:
            return rows
        kept = [pair not in left_out for pair in zip(rows["dataset"], rows["metric"], strict=True)]
        return rows[kept].reset_index(drop=True)

    def _metrics_of(self, content: str) -> set[str]:
        shown = set(self.metrics)
        return shown & set(self.metrics_of.get(content, shown)) or shown

    @cached_property
    def preparations(self) -> pd.DataFrame:
        """Methods under each scaling and filling (`mvarena.report.figures.preparations`)."""
        scores = self.scores if self.stored is None else self.stored
        if len(scores[["scaling", "filling"]].drop_duplicates()) < 2:
            return preparation_points([], self.context)
        summaries = [
            (preparation, replace(self, scores=rows, stored=None).summary)
            for rows, preparation in all_preparations(scores)
        ]
        return preparation_points(summaries, self.context)

    def _shown_control(self, content: str, metric: str) -> Control:
        """The better control in the unit in which scores are shown."""
        known = self.controls.get((content, metric))
        if metric not in self.context.above_control:
            return known or Control(math.nan, 0.0)
        room = abs(self._best_value(metric) - known.value) if known else 0.0
        return Control(0.0, known.spread / room if known and room else 0.0)

    def _best_value(self, metric: str) -> float:
        """Largest value that a metric in percent takes, or the smallest where less is better."""
        return 1.0 if self.context.directions.get(metric, True) else 0.0

    @cached_property
    def controls(self) -> dict[tuple[str, str], Control]:
        """(content, metric) -> the better control, by the classes where they are given, else as stored.

        None by a metric for which controls mean nothing (`mvarena.contracts.specs.MetricSpec.controls`).
        """
        scored = honest_controls(self.classes, self.metrics, installed_catalog())
        stored = stored_controls(self.scores[~self.scores["content"].isin(list(self.classes))])
        found = best_controls(pd.concat([stored, scored]), self.context.directions)
        return {pair: control for pair, control in found.items() if pair[1] not in self.context.without_controls}

    @cached_property
    def collapsed(self) -> pd.DataFrame:
        """The contestants with labellings of too few clusters (`mvarena.analysis.controls.cluster_counts`)."""
        asked = dict(self.asked)
        asked |= {content: len(set(classes[classes >= 0].tolist())) for content, classes in self.classes.items()}
        kept = self.reported.kept
        methods = kept[~kept["algorithm"].isin(self.context.controls)]
        return cluster_counts(self.reported.frame, methods, asked)

    def _relative(self, scores: pd.DataFrame, metrics: frozenset[str]) -> pd.DataFrame:
        """Scores of `metrics` as the share of the way from the better control to the best value; others as they are.

        NaN on data without a control, and where the control has the best value.
        """
        pairs = zip(scores["content"], scores["metric"], strict=True)
        floors = np.array([self.controls[pair].value if pair in self.controls else math.nan for pair in pairs])
        tops = scores["metric"].map(self._best_value)
        rooms = tops.to_numpy(float) - floors
        shares = (scores["value"].to_numpy(float) - floors) / np.where(np.abs(rooms) > 1e-12, rooms, np.nan)
        return scores.assign(value=np.where(scores["metric"].isin(metrics), shares, scores["value"]))

    @cached_property
    def values(self) -> pd.DataFrame:
        """One row per trial and metric (`mvarena.analysis.trial_values.trial_values`)."""
        values = self._shown_of_data(trial_values(self.reported, self.metrics))
        reads = values["algorithm"].isin(self.context.label_readers) | values["metric"].isin(self.context.label_pickers)
        return values.assign(label_picked=values["label_picked"].astype(bool) | reads)

    @cached_property
    def over_rates(self) -> pd.DataFrame:
        """One row per data set, corruption, contestant and metric (`mvarena.analysis.summary.over_rates`)."""
        return over_rates(self.values)

    def findings(self, stale: Mapping[str, int], metric: str | None = None) -> list[Finding]:
        """Findings on the quality of the results; stale : method -> trials of other code."""
        return findings(self.summary, self.collapsed, stale, metric or self.main_metric, self.context)

    @property
    def main_metric(self) -> str:
        """The metric that is shown first."""
        there = set(self.summary["metric"])
        return next(metric for metric in self.metrics if metric in there)

    @cached_property
    def overviews(self) -> list[Table]:
        """Methods by data sets at the condition with the most results (`mvarena.report.tables.overview`).

        Data sets that lack the metric that is shown first have a table of their own, by the first that they have.
        """
        there = self.summary.drop_duplicates(["dataset", "metric"]).groupby("dataset")["metric"].agg(set)
        firsts = {dataset: next(one for one in self.metrics if one in have) for dataset, have in there.items()}
        return [
            self._overview(metric, [dataset for dataset, first in firsts.items() if first == metric])
            for metric in self.metrics
            if metric in firsts.values()
        ]

    def _overview(self, metric: str, datasets: Sequence[str]) -> Table:
        summary = self.summary[self.summary["dataset"].isin(datasets)]
        ranks = standings_of(rows_at_main_condition(summary, metric), self.context).get(metric)
        collapsed = self.collapsed[self.collapsed["dataset"].isin(datasets)]
        return self._noted(overview_table(summary, metric, ranks, self.context), collapsed)

    @cached_property
    def quality(self) -> list[Table]:
        """The tables of quality, of data sets and of methods (`mvarena.report.tables.quality`)."""
        trials = self.reported.trials.drop_duplicates("dataset")
        sizes = {
            dataset: (len(known), len(set(known[known >= 0].tolist())))
            for dataset, content in zip(trials["dataset"], trials["content"], strict=True)
            if (known := self.classes.get(content)) is not None
        }
        return quality_tables(self.summary, self.collapsed, sizes, self.context)

    @cached_property
    def main_standings(self) -> Standings | None:
        """Standings by the metric that is shown first at the condition with the most results, where there are any."""
        rows = rows_at_main_condition(self.summary, self.main_metric)
        return standings_of(rows, self.context).get(self.main_metric)

    @cached_property
    def claim(self) -> str:
        """Sentences on what may be claimed from `main_standings`; '' where nothing can be compared."""
        table = self.main_standings
        if table is None:
            return ""
        against = self.context.against if self.context.against in table.contestants else None
        return claim(table, labels=self.context.contestants(table.contestants), against=against)

    @cached_property
    def tables(self) -> list[Table]:
        """Per data set and corruption one table for each metric, or a single one at a single rate."""
        tables, found = tabulate_summary(self.summary, self.context, self.worse), self.collapsed
        of_table = [
            found[(found["dataset"] == table.dataset) & (found["corruption"] == table.corruption)] for table in tables
        ]
        return [self._noted(table, part) for table, part in zip(tables, of_table, strict=True)]

    def _noted(self, table: Table, collapsed: pd.DataFrame) -> Table:
        """The table with the sentences on its contestants that gave too few clusters ahead of its other warnings."""
        return replace(table, warnings=(*collapse_notes(collapsed, self.context), *table.warnings))

    @cached_property
    def worse(self) -> Worse:
        """Contestants that are worse than the best, by data set, corruption, rate and metric."""
        return self._worse(self._methods_values, [*POINT, "metric"])

    @cached_property
    def worse_over_rates(self) -> Worse:
        """The same of the means over the rates, by data set, corruption and metric."""
        return self._worse(repeats_over_rates(self._methods_values), ["dataset", "corruption", "metric"])

    @property
    def _methods_values(self) -> pd.DataFrame:
        """`values` without those of controls, which are neither the best nor tested."""
        return self.values[~self.values["algorithm"].isin(self.context.controls)]

    def _worse(self, values: pd.DataFrame, columns: list[str]) -> Worse:
        """Marks in results on LEAST_CORPORA corpora or more, of columns in which some method is above the control."""
        if self._methods_values["corpus"].nunique() < LEAST_CORPORA:
            return Worse()
        rows = self.summary[~self.summary["label_picked"].astype(bool)]
        rows = rows[rows["above"] & rows["mean"].notna() & ~rows["algorithm"].isin(self.context.controls)]
        separated = set(rows[columns].itertuples(index=False, name=None))
        margins = {name: self.context.margin(name) for name in self.context.metrics}
        found = worse_than_best(values, columns, self.context.directions, margins)
        tested, worse = (
            frozenset(one for one in part if one[:-1] in separated) for part in (found.tested, found.worse)
        )
        return Worse(tested, worse)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The points of every line of a metric against its rate (`mvarena.report.figures.rate.curves`)."""
        return curves(self.summary, self.context)

    @cached_property
    def standings(self) -> dict[str, Standings]:
        """Metric -> how contestants stand over data sets (`mvarena.report.figures.standings.standings_of`)."""
        return standings_of(self.summary, self.context)

    @cached_property
    def finished_standings(self) -> dict[str, Standings]:
        """The same of what finished, by the metrics in which something did not."""
        return finished_only(self.summary, self.standings, self.context)

    @cached_property
    def looks(self) -> Looks:
        """The look of each contestant, the same in every figure."""
        muted = muted_names(self.summary, self.highlight, self.context.directions)
        shown = self.summary.drop_duplicates("contestant").set_index("contestant")["algorithm"]
        families = {str(name): self.context.families.get(algorithm, "other") for name, algorithm in shown.items()}
        return replace(looks(shown.index, self.context.looks, muted), families=families)
