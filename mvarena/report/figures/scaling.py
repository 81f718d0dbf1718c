"""Seconds and memory against the number of samples of one data source at several sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from mvarena.analysis.naming import by_name
from mvarena.report.drawing.canvas import (
    Drawing,
    caption,
    drawable_words,
    panels,
    per_row_for,
    rule,
    set_head,
)
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend, muted_style
from mvarena.report.style import Looks, line_pattern

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "seconds and peak memory against the number of samples, of one data source at several sizes"
NEEDS = "finished trials on data sets of one source and of two sizes or more, under one corruption"
SPLIT = ("corpus", "corruption")
QUANTITIES = {"wall_s": "seconds per trial", "peak_rss_mb": "peak memory of the process (MiB)"}
_ABOVE_START = "memory above start (MiB)"
_HIGH = 2.6  # inches
_RATIO = 10.0  # the ratio of peaks of memory up to which most of each is the process, and the axis begins at 0


def points(results: ReportData) -> pd.DataFrame:
    """One row per corpus, corruption, contestant, size and quantity (QUANTITIES).

    Seconds are of the whole trial. Memory is the peak of the process during the trial, above what it held before its
    first trial, the interpreter and its libraries; where that is not stored of some trials, the whole peak, as the axis
    says. value : the geometric mean over the finished trials. slope : p of seconds ~ n^p by least squares of the
    logarithms, over three sizes or more; NaN otherwise, and of memory.
    """
    values, fits = results.method_values, results.fits
    trials = values[values["status"] == "DONE"].drop_duplicates(["key", "dataset", "contestant"])
    trials = trials.merge(fits[["key", "n_samples", "started_mb"]].dropna(subset="n_samples"), on="key")
    sizes = trials.groupby(["corpus", "corruption"])["n_samples"].transform("nunique")
    trials = trials[sizes > 1].astype({"n_samples": "int64"})
    if trials.empty:
        return trials
    is_known = bool(trials["started_mb"].notna().all())
    if is_known:
        trials["peak_rss_mb"] = (trials["peak_rss_mb"] - trials["started_mb"]).clip(lower=0.1)
    entry = ["corpus", "corruption", "contestant", "n_samples"]
    long = trials[[*entry, *QUANTITIES]].melt(entry, var_name="quantity", value_name="value")
    long = long[long["value"] > 0].assign(log=lambda rows: np.log(rows["value"]))
    cells = long.groupby([*entry, "quantity"])["log"].agg(["mean", "size"]).reset_index()
    line = ["corpus", "corruption", "contestant", "quantity"]
    slopes = {name: _slope(part) for name, part in cells.groupby(line) if name[-1] == "wall_s"}
    context, named = results.context, trials.groupby(["corpus", "corruption"])["dataset"].unique().to_dict()
    words = {
        (corpus, name): f"{context.dataset(corpus)}, "
        f"{context.condition(name, 0.0, own) if name == 'none' else context.corruption(name)}"
        for (corpus, name), own in named.items()
    }
    cells = cells.assign(
        value=np.exp(cells["mean"]),
        n_trials=cells["size"],
        slope=[slopes.get(one, np.nan) for one in zip(*(cells[name] for name in line), strict=True)],
        axis=cells["quantity"].map(QUANTITIES | ({"peak_rss_mb": _ABOVE_START} if is_known else {})),
        title=[words[pair] for pair in zip(cells["corpus"], cells["corruption"], strict=True)],
        label=cells["contestant"].map(context.contestants(cells["contestant"].unique())),
    ).drop(columns=["mean", "size"])
    return by_name(cells.sort_values(["corpus", "quantity", "n_samples"], kind="stable"), "label")


def _slope(line: pd.DataFrame) -> float:
    if len(line) < 3:
        return float("nan")
    return float(np.polyfit(np.log(line["n_samples"].astype(float)), line["mean"], 1)[0])


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one corpus and corruption: a panel per quantity."""
    points, of_names = drawable_words(points, ("title", "label"), width)
    labels = {name: _with_slopes(name, label, points) for name, label in legend_labels(points, looks).items()}
    per_row = per_row_for(2, width, 2.6)
    figure, axes = panels(2, per_row, _HIGH, width, below=legend_height(list(labels.values()), width))
    for axis, quantity in zip(axes, QUANTITIES, strict=True):
        _draw(axis, points[points["quantity"] == quantity], looks)
    set_head(figure, points["title"].iloc[0])
    method_legend(figure, labels, looks)
    slopes = "In brackets: exponent of n of the seconds." if points["slope"].notna().any() else ""
    text = f"{points['title'].iloc[0]}: seconds and memory of a trial by number of samples."
    return Drawing(figure, caption(text, slopes, of_names))


def _with_slopes(name: str, label: str, points: pd.DataFrame) -> str:
    if not name:
        return label
    slopes = points[points["contestant"] == name].drop_duplicates("quantity").set_index("quantity")["slope"]
    power = float(slopes.get("wall_s", np.nan))
    return f"{label} ({power:z.1f})" if np.isfinite(power) else label


def _draw(axis: Axes, part: pd.DataFrame, looks: Looks) -> None:
    for name, line in part.groupby("contestant", sort=False):
        n, value, colour = line["n_samples"].astype(float), line["value"], looks.colour(str(name))
        if name in looks.muted:
            axis.plot(n, value, color=colour, **muted_style())
        else:
            look = looks[str(name)]
            axis.plot(n, value, color=colour, linestyle=line_pattern(look), **line_style(look) | {"linewidth": 1.1})
    axis.set_xscale("log")
    kept = _apart(np.sort(part["n_samples"].unique()))
    axis.set_xticks(kept, [f"{int(item):,}" for item in kept])
    for one in (axis.xaxis, axis.yaxis):
        one.set_minor_formatter(NullFormatter())
    low, high = part["value"].min(), part["value"].max()
    logarithmic = part["quantity"].iloc[0] == "wall_s" or high / low > _RATIO
    if logarithmic:
        axis.set_yscale("log")
        axis.set_ylim(low / 1.25, high * 1.25)
    else:
        axis.set_ylim(0.0, high * 1.08)
    if logarithmic and high / low < 30:  # within a decade or so, powers of ten are too few
        axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low > 3 else tuple(range(1, 10))))
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set(xlabel="samples n", ylabel=part["axis"].iloc[0])
    rule(axis, "both")


def _apart(sizes: np.ndarray) -> list[float]:
    """Of the sizes those that have room for a tick."""
    kept: list[float] = []
    room = np.log(sizes[-1] / sizes[0]) / 5
    for size in sizes:
        if not kept or np.log(size / kept[-1]) >= room:
            kept.append(float(size))
    return kept
