"""The data of a report: everything that is stored, what is shown of it, and each number computed once."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from mvarena.analysis.boards import (
    Board,
    Question,
    board_among,
    board_of,
    competing,
    conditions_in,
    questions,
    size_of,
)
from mvarena.analysis.choosing import with_choices
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
from mvarena.analysis.default_metrics import in_order, metrics_of_data, stored_metrics
from mvarena.analysis.naming import names_by_content
from mvarena.analysis.picking import PICKED_COLUMNS, picks_among
from mvarena.analysis.preparations import compared_preparations
from mvarena.analysis.standings import Scores
from mvarena.analysis.summary import summarize
from mvarena.analysis.trial_values import Reported, reported_trials, trial_values
from mvarena.errors import NothingToReport
from mvarena.report.context import Context, context_of
from mvarena.report.findings import Finding, findings
from mvarena.report.formatting import file_name, muted_names, without_paths
from mvarena.report.style import Looks, looks
from mvarena.report.trial_data import PATTERN_COLUMNS, DrawnTrial, Followed
from mvarena.store.cards import Cards, cards
from mvarena.store.contents import classes_by_content, number_by_content
from mvarena.store.database import Database
from mvarena.store.filters import Filter, chosen, matching_names
from mvarena.store.frames import FIT_COLUMNS, achieved_frame, fits_frame, scores_frame
from mvarena.store.trials import done_trials
from mvarena.study.cards import scoring_functions

if TYPE_CHECKING:
    from mvarena.report.tables.model import Table

# words of a filter that say what is asked about; all others say what is shown of it
_ASKING = ("scalings", "fillings", "preparations", "protocols")


def facts_beside(db: Database, scores: pd.DataFrame, *, fits: bool = False) -> dict[str, Any]:
    """Facts that a database has beside some scores, as parameters of `ReportData.of_scores`.

    fits : whether those of the figures convergence and scaling are among them.
    """
    plain = scores[(scores["corruption"] == "none") & (scores["status"] == "DONE")]
    reached = achieved_frame(db, keys=plain.drop_duplicates(["dataset", "content"])["key"])
    return {
        **({"fits": fits_frame(db, scores["key"].unique())} if fits else {}),
        "incomplete": reached.loc[reached["incomplete"] > 0, "dataset"].unique(),
        "asked": number_by_content(db, "n_clusters"),
        "samples": number_by_content(db, "n_samples"),
        "cards": cards(db),
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportData:
    """Scores, and all that tables, figures and the terminal show of them.

    Claims, ratings, intervals and places are over all scores; a filter changes what is shown of them.

    scores : one row per trial and metric (`mvarena.store.frames`); files are called by their names, without their
        folders; the column shown says which trials a filter leaves.
    stored : the same under every scaling and filling, for what compares these; None: the scores.
    context : labels, units and looks.
    metrics : which are shown, in order. metrics_of : content -> those of them that are shown of these data; all of
        what it does not name. claimed_of : content -> those that claims are made by; None: those that are shown.
    fits : of the same trials (`mvarena.store.frames.fits_frame`): what the figures convergence and scaling are made of.
    picks : what was picked among them (`mvarena.analysis.picking.picked`).
    highlight : algorithms or contestants that figures show in colour, all others in grey; none: all, or the best of
        many (`mvarena.report.formatting`).
    classes : content -> (n,) the classes of the data, for what the baselines score (`mvarena.analysis.controls`).
    asked : content -> number of clusters, for what is said of too few; known of `classes` without it.
    samples : content -> number of samples.
    patterns, drawn, followed : of `mvarena.report.trial_data`, for figures that look at single trials.

    Raises NothingToReport if there are no scores to show.
    """

    scores: pd.DataFrame
    context: Context
    metrics: Sequence[str]
    metrics_of: Mapping[str, Collection[str]] = field(default_factory=dict)
    claimed_of: Mapping[str, Collection[str]] | None = None
    fits: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(FIT_COLUMNS)))
    picks: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(PICKED_COLUMNS)))
    highlight: Sequence[str] = ()
    classes: Mapping[str, Classes] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    samples: Mapping[str, int] = field(default_factory=dict)
    stored: pd.DataFrame | None = None
    patterns: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(PATTERN_COLUMNS)))
    drawn: Sequence[DrawnTrial] = ()
    followed: Mapping[str, Followed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("scores", "stored"):
            if (rows := getattr(self, name)) is not None:
                object.__setattr__(self, name, without_paths(rows))
        if self.scores.empty or not self.scores["shown"].any():
            raise NothingToReport(
                "there are no results to report; run a study first, or name other data sets and algorithms."
            )
        if self.highlight:
            _ = self.looks  # refuses a method that there is none of, before anything is written

    @classmethod
    def of_scores(
        cls,
        scores: pd.DataFrame,
        *,
        cards: Cards,
        metrics: Sequence[str] = (),
        nmi: str = "nmi",
        incomplete: Collection[str] = (),
        every_preparation: bool = False,
        against: str | None = None,
        chosen: Sequence[str] = (),
        **more: Any,
    ) -> Self:
        """The data of a report on `scores`, one row per trial and metric; a column shown says what a filter leaves.

        cards : of methods and data sets. metrics : none for those of each data set
        (`mvarena.analysis.default_metrics`), with this nmi. incomplete : data sets that lack samples in some view as
        they come. every_preparation : keep the trials under every scaling
        and filling apart, in place of showing one of each (`mvarena.analysis.conditions`). against : the contestant
        that is compared with each other. chosen : sentences on what a picker chose. more : fields of this class.
        """
        scores = scores if "shown" in scores else scores.assign(shown=True)
        scores, versions = newest_versions(scores)
        context = replace(context_of(cards), versions=versions, against=against, chosen=tuple(chosen))
        context = replace(context, incomplete=_known_of(scores, incomplete, more.get("samples", {})))
        stored = scores
        if not every_preparation:
            scores, preparation = one_preparation(scores)
            context = replace(context, preparation=preparation)
        if not metrics:
            more["metrics_of"] = metrics_of_data(scores, nmi)
            metrics = in_order(more["metrics_of"], nmi)
        return cls(scores=scores, stored=stored, context=context, metrics=list(metrics), **more)

    @classmethod
    def from_database(
        cls,
        db: Database,
        only: Filter | None = None,
        *,
        metrics: Sequence[str] = (),
        picks: bool = False,
        choose: str | None = None,
        fits: bool = False,
        **more: Any,
    ) -> Self:
        """The data of a report on stored trials: their scores, how they were fitted, and on request what is picked.

        only : what is shown; its scalings, fillings, preparations and protocols also say what is asked about.
        picks : whether all pickers pick among the trials shown. choose : the picker that chooses among the values of
        each method's parameters (`mvarena.analysis.choosing`). fits : as in `facts_beside`. metrics, more : as for
        `of_scores`.
        """
        only = only or Filter()
        asking = chosen(db, Filter(**{name: getattr(only, name) for name in _ASKING}))
        scores = scores_frame(db, metrics=list(metrics) or None, where=asking)
        where = chosen(db, only)
        if picks:
            more["picks"] = picks_among(db, metrics, done_trials(db, where=where))
        scores = with_shown(scores, set(matching_names(db, where)) if where else None)
        if choose is not None:
            scores, more["chosen"] = with_choices(db, scores, done_trials(db, where=asking), choose)
        more["classes"] = classes_by_content(db, scores["content"].unique())
        return cls.of_scores(scores, metrics=metrics, **facts_beside(db, scores, fits=fits) | more)

    @cached_property
    def everything(self) -> Reported:
        """All trials (`mvarena.analysis.trial_values.reported_trials`)."""
        return reported_trials(self.scores)

    @cached_property
    def reported(self) -> Reported:
        """Trials that a filter shows."""
        if self.scores["shown"].all():
            return self.everything
        return Reported(*(frame[frame["shown"].astype(bool)] for frame in self.everything))

    @cached_property
    def whole(self) -> pd.DataFrame:
        """The summary of everything, one row per point, contestant and metric (`mvarena.analysis.summary.summarize`).

        Three more columns: control, control_spread : of the better baseline, NaN where classes are unknown. above :
        whether the mean is better (`mvarena.analysis.controls.above_control`). size : the group of sizes of the data,
        '' where unknown.
        """
        return self._summary_of(self.everything)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The same of what is shown."""
        return self.whole if self.reported is self.everything else self._summary_of(self.reported)

    @cached_property
    def methods(self) -> pd.DataFrame:
        """The same without baselines, for figures; with them where nothing else is shown."""
        return _without(self.summary, self.context.controls)

    @cached_property
    def baselines(self) -> pd.DataFrame:
        """The rows of `summary` that `methods` lacks."""
        apart = self.summary["algorithm"].isin(list(self.context.controls))
        return self.summary[apart & (not apart.all())]

    @cached_property
    def method_values(self) -> pd.DataFrame:
        """`values` without baselines."""
        return _without(self.values, self.context.controls)

    @property
    def only_trial(self) -> str | None:
        """The key of the first repeat, where one method is shown under one condition and took at most a minute."""
        kept = self.reported.kept
        kept = kept[~kept["algorithm"].isin(self.context.controls) & kept["n_labels"].notna() & (kept["fit_s"] <= 60.0)]
        shown = self.methods[["contestant", "dataset", "corruption", "rate"]].drop_duplicates()
        return kept.sort_values(["repeat", "seed"])["key"].iloc[0] if len(shown) == 1 and len(kept) else None

    def _summary_of(self, reported: Reported) -> pd.DataFrame:
        context, contents = self.context, self._contents
        picked = context.label_readers | context.label_pickers
        summary = self._shown_of_data(summarize(reported, self.metrics, apart=context.controls, picked=picked))
        nothing = Control(math.nan, 0.0)
        known = [
            (name, metric, *self.controls.get((content, metric), nothing))
            for name, content in contents.items()
            for metric in self.metrics
        ]
        columns = ["dataset", "metric", "control", "control_spread"]
        summary = summary.merge(pd.DataFrame(known, columns=columns), on=columns[:2], how="left")
        sizes = {name: size_of(self.samples[content]) for name, content in contents.items() if content in self.samples}
        summary = summary.assign(size=summary["dataset"].map(dict.fromkeys(contents, "") | sizes))
        return summary.assign(above=above_control(summary, context.directions))

    @cached_property
    def _contents(self) -> dict[str, str]:
        """Data set -> its content."""
        return self.everything.trials.drop_duplicates("dataset").set_index("dataset")["content"].to_dict()

    def _shown_of_data(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The rows of each data set by the metrics that are shown of it."""
        shown = set(self.metrics)
        return self._of_data(rows, {content: shown & set(own) or shown for content, own in self.metrics_of.items()})

    def _of_data(self, rows: pd.DataFrame, metrics_of: Mapping[str, Collection[str]]) -> pd.DataFrame:
        """The rows of each data set by its own metrics. metrics_of : as the field."""
        kept = pd.Series(True, index=rows.index)
        for metric in self.metrics:
            own = (name for name, content in self._contents.items() if metric in metrics_of.get(content, self.metrics))
            kept &= (rows["metric"] != metric) | rows["dataset"].isin(set(own))
        return rows[kept].reset_index(drop=True)

    @cached_property
    def controls(self) -> dict[tuple[str, str], Control]:
        """(content, metric) -> the better baseline, by the classes where they are given, else as stored.

        None by a metric for which baselines mean nothing (`mvarena.contracts.specs.MetricSpec.controls`).
        """
        scored = honest_controls(self.classes, scoring_functions(self.metrics) if self.classes else {})
        every = self.scores if self.stored is None else self.stored
        stored, pairs = stored_controls(every), ["content", "metric"]
        anew = pd.MultiIndex.from_frame(stored[pairs]).isin(pd.MultiIndex.from_frame(scored[pairs]))
        found = best_controls(pd.concat([stored[~anew], scored]), self.context.directions)
        return {pair: control for pair, control in found.items() if pair[1] not in self.context.without_controls}

    @cached_property
    def claimed(self) -> pd.DataFrame:
        """The rows of `whole` that claims are made of."""
        return self.whole if self.claimed_of is None else self._of_data(self.whole, self.claimed_of)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """All questions on everything that is stored (`mvarena.analysis.boards.questions`)."""
        known = set(self.claimed["metric"].unique())
        return tuple(questions(self.claimed, [metric for metric in self.metrics if metric in known]))

    @cached_property
    def _answers(self) -> dict[Question, Board | None]:
        return {}

    @cached_property
    def _scores_by(self) -> dict[str, Scores]:
        return {}

    def answer(self, question: Question) -> Board | None:
        """The answer to a question over everything that is stored; None where it takes two methods on two data sets."""
        if question not in self._answers:
            metric = question.metric
            if metric not in self._scores_by:
                self._scores_by[metric] = Scores.of(competing(self.claimed, metric), metric)
            self._answers[question] = board_among(question, self._scores_by[metric], self.context.directions)
        return self._answers[question]

    def board(self, metric: str) -> Board | None:
        """The board over all conditions."""
        return self.answer(Question(metric=metric))

    @cached_property
    def place_tables(self) -> list[Table]:
        """Of each metric the places of the methods over all conditions, where two methods can be compared."""
        from mvarena.report.tables.ranks import ranks_table  # which looks at this class

        boards = [self.board(metric) for metric in self.metrics]
        return [ranks_table(board, self) for board in boards if board is not None]

    @cached_property
    def result_tables(self) -> list[Table]:
        """The tables of kind results (`mvarena.report.tables.results`)."""
        from mvarena.report.tables.results import tables  # which looks at this class

        return tables(self)

    def claim(self, board: Board) -> str:
        """Sentences on what may be claimed, with the question that they answer."""
        labels = self.context.contestants(board.standings.contestants)
        return board.claim(self.context.question(board.question), labels, self.context.against)

    def shown_ranks(self, question: Question) -> Board | None:
        """The answer over what is shown, for mean ranks beside a table; no claim rests on it."""
        if self.summary is self.whole:
            return self.answer(question)
        return board_of(question, self.summary, self.context.directions)

    @cached_property
    def conditions(self) -> list[tuple[str, float]]:
        """Corruptions and rates of what is shown, complete data first."""
        return conditions_in(self.summary)

    @cached_property
    def collapsed(self) -> pd.DataFrame:
        """The contestants with labellings of too few clusters (`mvarena.analysis.controls.cluster_counts`)."""
        asked = dict(self.asked)
        asked |= {content: len(set(classes[classes >= 0].tolist())) for content, classes in self.classes.items()}
        kept = self.reported.kept
        return cluster_counts(kept[~kept["algorithm"].isin(self.context.controls)], asked)

    @cached_property
    def values(self) -> pd.DataFrame:
        """One row per trial that is shown and metric (`mvarena.analysis.trial_values.trial_values`)."""
        return self._values_of(self.reported)

    def _values_of(self, reported: Reported) -> pd.DataFrame:
        values = self._shown_of_data(trial_values(reported, self.metrics))
        reads = values["algorithm"].isin(self.context.label_readers) | values["metric"].isin(self.context.label_pickers)
        return values.assign(label_picked=values["label_picked"].astype(bool) | reads)

    @cached_property
    def preparations(self) -> pd.DataFrame:
        """Methods under each scaling and filling (`mvarena.analysis.preparations`)."""
        scores = self.scores if self.stored is None else self.stored
        scores = scores.assign(dataset=names_by_content(scores))  # of all rows, before they are parted
        scores = scores[~scores["algorithm"].isin(self.context.controls) & scores["shown"]]
        if len(scores[["scaling", "filling"]].drop_duplicates()) < 2:
            return compared_preparations(self.values.iloc[:0], ("", ""), {})
        parts = [
            self._values_of(
                reported_trials(rows[(rows["scaling"] == how.scaling) & rows["filling"].isin(["", how.filling])])
            ).assign(scaling=how.scaling, filling=how.filling)
            for rows, how in all_preparations(scores)
        ]
        first = (str(parts[0]["scaling"].iloc[0]), str(parts[0]["filling"].iloc[0])) if len(parts[0]) else ("", "")
        return compared_preparations(pd.concat(parts, ignore_index=True), first, self.context.directions)

    def findings(self, metric: str | None = None) -> list[Finding]:
        """Findings on the quality of the results, by the metric that is shown first unless another is named."""
        return findings(self.summary, self.collapsed, metric or self.main_metric, self.context)

    @cached_property
    def main_metric(self) -> str:
        """The metric that is shown first."""
        there = set(self.summary["metric"].unique())
        return next(metric for metric in self.metrics if metric in there)

    @cached_property
    def looks(self) -> Looks:
        """The look of each contestant, the same in every figure."""
        muted = muted_names(self.summary, self.highlight, self.context.directions)
        return looks(self.summary["contestant"].unique(), self.context.looks, muted)


def _known_of(
    scores: pd.DataFrame, datasets: Collection[str], samples: Mapping[str, int]
) -> dict[str, tuple[str, str, set[str]]]:
    """Data set by `file_name` -> kind, group of sizes and stored metrics. samples : content -> number of samples."""
    rows = scores[scores["dataset"].isin(list(datasets))]
    metrics = stored_metrics(rows)
    return {
        file_name(row.dataset): (
            row.kind or "",
            size_of(samples[row.content]) if row.content in samples else "",
            metrics.get(row.content, set()),
        )
        for row in rows.drop_duplicates("dataset").itertuples()
    }


def _without(rows: pd.DataFrame, algorithms: Collection[str]) -> pd.DataFrame:
    apart = rows["algorithm"].isin(list(algorithms))
    return rows if apart.all() else rows[~apart].reset_index(drop=True)


def with_shown(scores: pd.DataFrame, names: Collection[tuple[str, str, str]] | None) -> pd.DataFrame:
    """`scores` with the column shown. names : key, data set and protocol of the trials that are shown; None: all."""
    if names is None:
        return scores.assign(shown=True)
    places = zip(scores["key"], scores["dataset"], scores["protocol"], strict=True)
    return scores.assign(shown=[place in names for place in places])
