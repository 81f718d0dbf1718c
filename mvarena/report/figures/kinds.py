"""The kinds of figures: what each shows, what it needs, and which modules compute and draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.report.figures.bars import bar_points
from mvarena.report.figures.convergence import convergence_points
from mvarena.report.figures.embedding import affinity_points, embedding_points
from mvarena.report.figures.heatmap import score_points
from mvarena.report.figures.missing import missing_points
from mvarena.report.figures.pareto import pareto_points
from mvarena.report.figures.rate import PANEL, rate_points
from mvarena.report.figures.regret import regret_points
from mvarena.report.figures.scaling import scaling_points
from mvarena.report.figures.sensitivity import sensitivity_points
from mvarena.report.figures.standings import comparison_points, standing_points, win_points
from mvarena.report.figures.subsets import subset_points
from mvarena.report.figures.survival import survival_points
from mvarena.report.files import file_stems
from mvarena.report.tables.kinds import PREPARATIONS, Kind, kinds_named
from mvarena.report.tables.ranks import FINISHED_ONLY

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from mvarena.report.data import ReportData
    from mvarena.report.style import Looks


MOST, MOST_PANELS = 12, 36  # what a report draws unasked of one kind: figures, panels of the figure of everything


@dataclass(frozen=True, kw_only=True)
class FigureKind(Kind):
    """One kind of figure.

    drawing : module of `mvarena.report.drawing` and the function in it that draws the points, as 'rate:by_rate'.
    points : everything that it shows, at once; no rows where there is nothing. split : the columns whose values each
    have a figure of their own. whole : a figure of everything beside those, where there are several.
    """

    drawing: str
    points: Callable[[ReportData], pd.DataFrame]
    split: tuple[str, ...] = ()
    whole: bool = False
    stem: str = ""

    def figures(self, results: ReportData) -> Iterator[tuple[str, pd.DataFrame]]:
        """File stem and points of each figure, without controls; none where there is nothing to show."""
        points = self.points(results.without_controls)
        if points.empty:
            return
        pattern = self.stem or f"figure-{self.name}-{{}}"
        full = pattern.replace("-{}", "")
        if not self.split:
            yield full, points
            return
        parts = points.groupby(list(self.split), sort=False)
        named = {" ".join(filter(None, map(str, values))): part for values, part in parts}
        for name, stem in file_stems(named).items():
            yield pattern.format(stem), named[name]
        if self.whole and len(named) > 1:
            yield full, points

    def first_figures(self, results: ReportData) -> tuple[list[tuple[str, pd.DataFrame]], int]:
        """`figures` as far as a report draws them unasked, and how many there are.

        At most MOST, and no figure of everything that has more than MOST_PANELS panels: those beside it show the same.
        """
        every = list(self.figures(results))
        first = every[:MOST]
        if self.whole and len(every) > 1 and len(every[-1][1].drop_duplicates(PANEL)) > MOST_PANELS:
            first = every[:-1][:MOST]
        return first, len(every)


def _several(scores: pd.DataFrame) -> pd.DataFrame:
    """Of each corruption and metric that has two methods and two data sets or more."""
    group = scores.groupby(["corruption", "metric"])
    return scores[(group["contestant"].transform("nunique") > 1) & (group["dataset"].transform("nunique") > 1)]


def _both(points: Callable[..., pd.DataFrame], results: ReportData) -> pd.DataFrame:
    """Of all, who did not finish being ranked last, and beside it of what finished, where something did not."""
    result = points(results.standings, results.context)
    finished = results.finished_standings
    return pd.concat([result, points(finished, results.context, FINISHED_ONLY)]) if finished else result


_TRIAL = "the key of a finished trial (mvarena results list --trials) whose data are available"
_STANDINGS = "two methods or more with the same metric on the same two data sets or more, under the same conditions"

KINDS = (
    FigureKind(
        name="rate",
        drawing="rate:by_rate",
        summary="each metric against the missing rate, a line per method",
        needs="a data set with results at two rates or more",
        points=lambda results: rate_points(results.summary, results.context),
        split=("metric",),
        whole=True,
        stem="figure-{}-by-rate",
    ),
    FigureKind(
        name="bars",
        drawing="bars:draw_bars",
        summary="each metric by data set, at a single condition",
        needs="a data set with results at a single rate, or without corruption",
        points=lambda results: bar_points(results.summary, results.context),
    ),
    FigureKind(
        name="heatmap",
        drawing="heatmap:draw_heatmap",
        summary="methods by data sets, the mean over the rates in each cell",
        needs="two methods or more on two data sets or more under one corruption",
        points=lambda results: score_points(_several(results.over_rates), results.context),
        split=("metric", "corruption"),
    ),
    FigureKind(
        name="subsets",
        drawing="subsets:draw_subsets",
        summary="methods by subset of a data set's views, the mean over the rates",
        needs="results on three subsets of a data set's views or more under one corruption",
        points=lambda results: subset_points(results.over_rates, results.context),
        split=("base", "corruption", "metric"),
    ),
    FigureKind(
        name="preparations",
        drawing="preparations:draw_preparations",
        summary="methods by scalings and fillings, over the conditions common to all",
        needs=PREPARATIONS,
        points=lambda results: results.preparations,
        split=("metric",),
    ),
    FigureKind(
        name="critical-difference",
        drawing="critical_difference:draw_critical_difference",
        summary="mean ranks over data sets, and which methods do not differ significantly",
        needs=_STANDINGS,
        points=lambda results: _both(standing_points, results),
        split=("metric", "counted"),
    ),
    FigureKind(
        name="comparison",
        drawing="comparison:draw_comparison",
        summary="every method against every other: mean gain, wins, ties, losses, Wilcoxon's p-value",
        needs=_STANDINGS,
        points=lambda results: _both(comparison_points, results),
        split=("metric", "counted"),
    ),
    FigureKind(
        name="win-rates",
        drawing="comparison:draw_win_rates",
        summary="share of data sets on which each method is ahead of each other",
        needs=_STANDINGS,
        points=lambda results: win_points(results.standings, results.context),
        split=("metric",),
    ),
    FigureKind(
        name="pareto",
        drawing="pareto:draw_pareto",
        summary="each metric against the seconds of a trial, with the Pareto front",
        needs="two methods or more with a score and a time on one data set",
        points=lambda results: _crowded(pareto_points(results.over_rates, results.context)),
        split=("metric", "corruption"),
    ),
    FigureKind(
        name="scaling",
        drawing="scaling:draw_scaling",
        summary="seconds and peak memory against the number of samples, with fitted slopes",
        needs="finished trials on data sets of two sizes or more under one corruption",
        points=lambda results: scaling_points(results.values, results.fits, results.context),
        split=("corruption",),
    ),
    FigureKind(
        name="convergence",
        drawing="convergence:draw_convergence",
        summary="the objective of each method by iteration",
        needs="finished trials of a method that reports an objective (mvarena show NAME says which)",
        points=lambda results: convergence_points(results.values, results.fits, results.context),
        split=("dataset", "corruption"),
    ),
    FigureKind(
        name="sensitivity",
        drawing="sensitivity:draw_sensitivity",
        summary="each metric against a parameter of several values: lines, a heat map for two",
        needs="a method with several values of a parameter on one data set",
        points=lambda results: sensitivity_points(results.summary, results.context),
        split=("algorithm", "parameter", "second"),
    ),
    FigureKind(
        name="regret",
        drawing="regret:draw_regret",
        summary="what each picker loses against the best candidate by labels",
        needs="a method with several values of a parameter on one data set that has classes",
        points=lambda results: regret_points(results.picks, results.context),
    ),
    FigureKind(
        name="survival",
        drawing="survival:draw_survival",
        summary="survival of the clusters that each method found, as Kaplan-Meier curves",
        needs="finished trials on available data with survival times",
        points=lambda results: survival_points(results.values, results.followed, results.context),
        split=("dataset", "corruption", "rate"),
    ),
    FigureKind(
        name="missing",
        drawing="missing:draw_missing",
        summary="samples by the views that they have, as they are and under each corruption and rate",
        needs="to be named, and finished trials on available data in which views are missing",
        points=lambda results: missing_points(results.patterns, results.context),
        split=("dataset", "corruption"),
    ),
    FigureKind(
        name="embedding",
        drawing="embedding:draw_embedding",
        summary="the samples of a trial in two dimensions, by class and by cluster",
        needs=_TRIAL,
        points=lambda results: embedding_points(results.drawn, results.context),
        split=("trial",),
    ),
    FigureKind(
        name="affinity",
        drawing="embedding:draw_affinity",
        summary="the similarities of a trial's samples, ordered by class and by cluster",
        needs=_TRIAL,
        points=lambda results: affinity_points(results.drawn, results.context),
        split=("trial",),
    ),
)


def figure_kinds(names: Sequence[str]) -> list[FigureKind]:
    """The kinds of these names, in order. Raises UnknownName for any other."""
    return kinds_named("figure", KINDS, names)


def draw(kind: str, points: pd.DataFrame, looks: Looks) -> Figure:
    """The figure of `kind` from its points. Imports matplotlib."""
    module, _, function = figure_kinds([kind])[0].drawing.partition(":")
    figure: Figure = getattr(import_module(f"mvarena.report.drawing.{module}"), function)(points, looks)
    return figure


def _crowded(points: pd.DataFrame) -> pd.DataFrame:
    """The panels of two methods or more."""
    return points[points.groupby(["dataset", "corruption", "metric"])["contestant"].transform("nunique") > 1]
