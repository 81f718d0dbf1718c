"""A metric against the rate of a corruption: a line per method, a panel per data set, or one for the mean over them."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from mvarena.analysis.naming import by_name
from mvarena.report.context import Context
from mvarena.report.drawing.canvas import (
    LONGEST_TITLE,
    Drawing,
    caption,
    drawable_words,
    fitting_panels,
    panels,
    per_row_for,
    rule,
    set_head,
)
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend, muted_style
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.style import MUTED, Looks, line_pattern
from mvarena.text import listed, plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric against the rate of a corruption, a line per method"
NEEDS = "a data set with results at two rates or more"
SPLIT = ("metric", "over")
MEAN = "mean"  # in the column `over` of panels over all data sets
PANEL = ["dataset", "corruption", "metric"]  # what one panel shows
_IN_UNIT = ["mean", "std", "low", "high", "lowest", "highest"]
CURVE_COLUMNS = (
    *PANEL, "contestant", "rate", *_IN_UNIT, "status", "label_picked", "title", "rate_axis", "metric_axis", "label",
    "over", "left_out",
)  # fmt: skip
_FEW = 8  # methods that are drawn data set by data set; of more, the mean over data sets comes first
_HIGH = 2.2  # inches
_BANDS = 5  # lines with bands; more have whiskers
_LONGEST_LINE = 34  # letters below a panel


def curves(summary: pd.DataFrame, context: Context) -> pd.DataFrame:
    """The points of every line of a metric against its rate, columns CURVE_COLUMNS.

    summary : what `mvarena.analysis.summary.summarize` returns.

    mean, std, low and high (mean minus and plus one std; the mean itself where there is no std), and the bounds
    lowest and highest of the metric, are in the unit shown, percent or the metric's own. A point that failed or was
    skipped is a row with mean NaN, which interrupts its line; a point never run is no row. Rows are ordered by panel,
    the data sets naturally (set-4 before set-10), label and rate. over, left_out : '' here.
    """
    mean, std = summary["mean"].astype(float), summary["std"].astype(float)
    spread = std.fillna(0.0)
    metrics, labels = summary["metric"], context.contestants(summary["contestant"].unique())
    points = summary.assign(
        mean=mean,
        std=std,
        low=mean - spread,
        high=mean + spread,
        lowest=_each(metrics, lambda name: context.bounds(name)[0]).astype(float),
        highest=_each(metrics, lambda name: context.bounds(name)[1]).astype(float),
        title=_each(summary["dataset"], context.dataset),
        rate_axis=_each(summary["corruption"], context.rate_axis),
        metric_axis=_each(metrics, context.metric_axis),
        label=summary["contestant"].map(labels),
        over="",
        left_out="",
    )
    unit = _each(metrics, lambda name: 100.0 if context.in_percent(name) else 1.0).astype(float)
    points[_IN_UNIT] = points[_IN_UNIT].mul(unit, axis=0)
    ordered = points.assign(panel=points.groupby(PANEL, sort=False).ngroup()).pipe(by_name, "label")
    ordered = by_name(ordered.sort_values("panel", kind="stable"), "dataset")
    return ordered[list(CURVE_COLUMNS)].reset_index(drop=True)


def _each(names: pd.Series, words: Callable[[str], object]) -> pd.Series:
    """Row by row, what is said of a name; each name is looked at once."""
    return names.map({name: words(name) for name in names.unique()})


def has_one_rate(points: pd.DataFrame) -> pd.Series:
    """Row by row, whether its data set and corruption have a single rate."""
    return points.groupby(["dataset", "corruption"])["rate"].transform("nunique") == 1


def points(results: ReportData) -> pd.DataFrame:
    """`curves` of each data set and corruption of several rates; of many methods on several data sets, the means
    over data sets before them (over : MEAN)."""
    every = curves(results.methods, results.context)
    every = every[~has_one_rate(every)].reset_index(drop=True)
    if every["contestant"].nunique() <= _FEW or every["dataset"].nunique() < 2:
        return every
    return pd.concat([_means(every), every], ignore_index=True)


def _means(every: pd.DataFrame) -> pd.DataFrame:
    """Means over the data sets of each corruption that have all of its rates, of the methods that finished on all."""
    parts = []
    for (_, _), every_set in every.groupby(["corruption", "metric"], sort=False):
        part, dropped = _of_most_rates(every_set)
        if part["dataset"].nunique() < 2:
            continue
        cells = part.pivot(index="contestant", columns=["dataset", "rate"], values="mean")
        whole = cells.index[cells.notna().all(axis=1)]
        kept = part[part["contestant"].isin(whole)]
        if kept.empty:
            continue
        words = {
            name: (name, "first")
            for name in CURVE_COLUMNS
            if name not in ("corruption", "metric", "contestant", "rate")
        }
        means = kept.groupby(["corruption", "metric", "contestant", "rate"], sort=False).agg(
            **words | {"mean": ("mean", "mean"), "label_picked": ("label_picked", "any")}
        )
        n_sets, others = part["dataset"].nunique(), len(cells) - len(whole)
        missing = f"{plural(others, 'method')} without a result on some data set at some rate are not drawn."
        missing = caption(missing if others else "", dropped)
        parts.append(
            means.reset_index().assign(
                dataset="",
                title=f"mean over {plural(n_sets, 'data set')}",
                low=means["mean"].to_numpy(),
                high=means["mean"].to_numpy(),
                std=np.nan,
                over=MEAN,
                left_out=missing,
            )
        )
    return pd.concat(parts)[list(CURVE_COLUMNS)] if parts else every.iloc[:0]


def _of_most_rates(part: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The rows of the data sets that have all rates of any, and a sentence on the others."""
    rates = part.groupby("dataset")["rate"].transform("nunique")
    kept = part[rates == part["rate"].nunique()]
    dropped = part["dataset"].nunique() - kept["dataset"].nunique()
    return kept, f"{plural(dropped, 'data set')} without all of these rates not counted." if dropped else ""


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """One panel per data set, corruption and metric; in each, one line per contestant with ± 1 standard deviation.

    Cost: some 0.2 s per panel.
    """
    points, of_names = drawable_words(
        points, ("title", "rate_axis", "metric_axis", "label"), width, title=LONGEST_TITLE
    )
    parts = [part for _, part in points.groupby(PANEL, sort=False)]
    metrics = int(points["metric"].nunique())
    per_row = min(metrics, per_row_for(metrics, width)) if metrics > 1 else per_row_for(len(parts), width)
    parts, left_out = fitting_panels(parts, per_row, _HIGH)
    drawn = points[points["contestant"].isin(points.loc[points["mean"].notna(), "contestant"])]
    labels = legend_labels(drawn, looks)
    shown = drawn["contestant"].nunique() - len(looks.muted & set(drawn["contestant"]))
    figure, axes = panels(len(parts), per_row, _HIGH, width, below=legend_height(list(labels.values()), width))
    for axis, panel in zip(axes, parts, strict=True):
        draw_panel(axis, panel, looks, bands=shown <= _BANDS)
    method_legend(figure, labels, looks)
    set_head(figure, title_of(points))
    spread = "band" if shown <= _BANDS else "whisker"
    deviation = f" with one standard deviation ({spread})" if points["std"].notna().any() else ""
    text = f"{title_of(points)}: mean{deviation}."
    nothing = sorted(set(points["label"]) - set(drawn["label"]))
    nowhere = f"No value anywhere: {listed(nothing)}." if nothing else ""
    notes = (picked_words(drawn), nowhere, *dict.fromkeys(points["left_out"]), left_out)
    return Drawing(figure, caption(text, *notes, of_names))


def title_of(points: pd.DataFrame) -> str:
    """'ACC (%) and NMI (%) by missing rate (missing-even)'."""
    return f"{listed(dict.fromkeys(points['metric_axis']))} by {listed(dict.fromkeys(points['rate_axis']))}"


def picked_words(points: pd.DataFrame) -> str:
    """Explanation of the mark of names in a legend, where one has it."""
    return f"{PICKED_MARK} chosen by ground truth." if points["label_picked"].any() else ""


_MARGIN = 0.03  # how far an axis may reach past the range of its metric, as a share of what it shows: half a marker


def draw_panel(axis: Axes, panel: pd.DataFrame, looks: Looks, *, bands: bool) -> None:
    """Draw the rows of one panel of `curves`, of several rates."""
    rates = np.sort(panel["rate"].unique())
    lines = list(panel.groupby("contestant", sort=False))
    axis.set_title(panel["title"].iloc[0])
    axis.set_xlabel(fill(panel["rate_axis"].iloc[0], _LONGEST_LINE, break_long_words=False, break_on_hyphens=False))
    axis.set_ylabel(panel["metric_axis"].iloc[0])
    rule(axis)
    _draw_muted(axis, [line for name, line in lines if name in looks.muted])
    for name, line in lines:
        if name not in looks.muted:
            _draw_line(axis, line, str(name), looks, bands=bands)
    _set_rate_ticks(axis, rates)
    set_limits(axis, panel)


def _draw_line(axis: Axes, line: pd.DataFrame, name: str, looks: Looks, *, bands: bool) -> None:
    rate, mean = line["rate"].to_numpy(), line["mean"].to_numpy()
    low, high = line["low"].to_numpy(), line["high"].to_numpy()
    colour = looks.colour(name)
    if bands:
        axis.fill_between(rate, low, high, color=colour, alpha=0.16, linewidth=0.0)
    axis.plot(rate, mean, color=colour, linestyle=line_pattern(looks[name]), **line_style(looks[name]))
    known = np.isfinite(np.concatenate([[np.nan], mean, [np.nan]]))
    alone = known[1:-1] & ~known[:-2] & ~known[2:] if bands else np.isfinite(mean)  # no band has any width there
    if alone.any():
        axis.vlines(rate[alone], low[alone], high[alone], color=colour, alpha=0.5, linewidth=0.9)


def _draw_muted(axis: Axes, lines: list[pd.DataFrame]) -> None:
    """All lines that stand back as one, a gap between any two: of very many, each alone would take its time."""
    if lines:
        x, y = (
            np.concatenate([[*line[column].to_numpy(dtype=float), np.nan] for line in lines])
            for column in ("rate", "mean")
        )
        axis.plot(x, y, color=MUTED, **muted_style())


def _set_rate_ticks(axis: Axes, rates: np.ndarray[Any, Any]) -> None:
    """A tick at each rate where their labels have room."""
    logarithmic = rates[0] > 0 and rates[-1] / rates[0] > 50  # signal-to-noise ratios and the like
    if logarithmic:
        axis.set_xscale("log")
    places = np.log(rates) if logarithmic else rates
    margin = 0.05 * (places[-1] - places[0])
    ends = np.array([places[0] - margin, places[-1] + margin])
    axis.set_xlim(*(np.exp(ends) if logarithmic else ends))
    if np.diff(places).min() >= (places[-1] - places[0]) / 9:
        axis.xaxis.set_major_locator(FixedLocator(list(rates)))
    elif not logarithmic:
        axis.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_locator(NullLocator())


def set_limits(axis: Axes, panel: pd.DataFrame) -> None:
    """No band is drawn past what the metric can be."""
    finite = panel.loc[np.isfinite(panel["mean"]), "mean"]
    if finite.empty:
        axis.set_yticks([])
        axis.text(0.5, 0.5, "no trial gave a value", transform=axis.transAxes, ha="center", va="center", color="0.4")
        return
    low, high = axis.get_ylim()
    # whatever a metric announces, every mean stays in sight
    lowest, highest = min(panel["lowest"].iloc[0], finite.min()), max(panel["highest"].iloc[0], finite.max())
    margin = _MARGIN * (min(high, highest) - max(low, lowest))
    axis.set_ylim(max(low, lowest - margin), min(high, highest + margin))
