"""Survival of the clusters of each method: Kaplan-Meier curves, one panel per method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from mvarena.analysis.naming import by_name
from mvarena.numerics.survival import FEWEST, kaplan_meier
from mvarena.report.drawing.canvas import (
    SMALL,
    Drawing,
    caption,
    drawable_words,
    fitting_panels,
    panels,
    per_row_for,
    rule,
    set_head,
)
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.style import COLOURS, DASHES, Looks
from mvarena.report.trial_data import Followed

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "survival of the clusters that each method found, as Kaplan-Meier curves"
NEEDS = "finished trials on available data with survival times"
SPLIT = ("dataset", "corruption", "rate")
_COLUMNS = (
    "dataset", "corruption", "rate", "contestant", "trial", "cluster", "n", "events", "time", "survival", "at_risk",
    "censored", "p", "p_of_larger", "title", "label", "time_name",
)  # fmt: skip
_HIGH = 2.3  # inches
_LONGEST_TITLE = 28  # letters
_MOST_NAMED = 5  # clusters that a panel names
_STYLES: list[dict[str, Any]] = [
    {"color": colour, "linestyle": (0.0, dash) if dash else "-"}
    for colour, dash in zip([*COLOURS.values()][1:], [*DASHES.values(), *DASHES.values()], strict=False)
]


def points(results: ReportData) -> pd.DataFrame:
    """One row per data set, corruption, rate, contestant, cluster and time, of the first repeat that has survival.

    cluster : counts from 1, as `mvarena results show --labels` has it; the clusters of a method by mean survival up to
    the time that all are followed for, the longest first. n, events : of the cluster, of samples whose survival is
    known. p : of the log-rank statistic by permutations; p_of_larger : over the clusters of five samples and more.
    """
    values, followed, context = results.method_values, results.followed, results.context
    trials = values[values["key"].isin(list(followed))].drop_duplicates(["key", "dataset", "contestant"])
    trials = trials.sort_values(["seed", "repeat"], kind="stable")
    trials = trials.drop_duplicates(["dataset", "corruption", "rate", "contestant"])
    if trials.empty:
        return pd.DataFrame(columns=list(_COLUMNS))
    labels = context.contestants(trials["contestant"].unique())
    parts = []
    for row in trials.itertuples():
        words = f"{context.dataset(row.dataset)}, {context.condition(row.corruption, row.rate, [row.dataset])}"
        point = {name: getattr(row, name) for name in ("dataset", "corruption", "rate", "contestant")}
        parts.append(_curves(followed[row.key]).assign(**point, title=words, label=labels[row.contestant]))
    rows = pd.concat(parts, ignore_index=True).sort_values(["corruption", "rate"], kind="stable")
    return by_name(by_name(rows, "label"), "dataset")[list(_COLUMNS)].reset_index(drop=True)


def _curves(trial: Followed) -> pd.DataFrame:
    shared = min(float(trial.time[trial.labels == cluster].max()) for cluster in np.unique(trial.labels))
    parts = []
    for cluster in np.unique(trial.labels):
        member = trial.labels == cluster
        curve = kaplan_meier(trial.time[member], trial.event[member])
        steps = np.diff(np.minimum(np.append(curve.time, np.inf), shared))
        mean = float(curve.survival @ steps)
        part = pd.DataFrame(
            {"time": curve.time, "survival": curve.survival, "at_risk": curve.at_risk, "censored": curve.censored}
        )
        counts = {"n": int(member.sum()), "events": int(trial.event[member].sum())}
        parts.append((-mean, part.assign(cluster=int(cluster) + 1, **counts)))
    ordered = [part for _, part in sorted(parts, key=lambda item: item[0])]
    return pd.concat(ordered).assign(
        trial=trial.key, p=trial.p, p_of_larger=trial.p_of_larger, time_name=trial.time_name
    )


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one data set and condition: a panel for each method that does not stand back, a curve for each
    cluster, the longest survival first, with a stroke where samples were censored."""
    if not set(points["contestant"]) <= looks.muted:
        points = points[~points["contestant"].isin(looks.muted)]
    points, of_names = drawable_words(points, ("title", "label", "time_name"), width, label=_LONGEST_TITLE)
    parts = [part for _, part in points.groupby("contestant", sort=False)]
    per_row = per_row_for(len(parts), width, 2.2)
    stroke = Line2D([], [], color="0.3", linestyle="none", marker="|", markersize=6)
    parts, no_room = fitting_panels(parts, per_row, _HIGH)
    figure, axes = panels(len(parts), per_row, _HIGH, width, below=legend_height(["censored"], width))
    for axis, part in zip(axes, parts, strict=True):
        _draw(axis, part, float(points["time"].max()))
    set_head(figure, points["title"].iloc[0])
    draw_legend(figure, [stroke], ["censored"])
    numbers = "Numbers: events of samples; p: log-rank, by permutations."
    if any(_words_of_larger(part) for part in parts):
        numbers += f" {FEWEST}+: p of the clusters of {FEWEST} samples and more."
    text = f"Survival of the clusters on {points['title'].iloc[0]}. {numbers}"
    return Drawing(figure, caption(text, no_room, of_names))


def _draw(axis: Axes, part: pd.DataFrame, longest: float) -> None:
    clusters = [curve for _, curve in part.groupby("cluster", sort=False)]
    for index, curve in enumerate(clusters):
        style = _STYLES[index % len(_STYLES)]
        name = f"cluster {curve['cluster'].iloc[0]}: {curve['events'].iloc[0]} of {curve['n'].iloc[0]}"
        label = name if index < _MOST_NAMED else None
        axis.step(curve["time"], curve["survival"], where="post", linewidth=1.3, label=label, **style)
        censored = curve[curve["censored"] > 0]
        axis.plot(censored["time"], censored["survival"], "|", color=style["color"], markersize=5)
    more = f"and {len(clusters) - _MOST_NAMED} more" if len(clusters) > _MOST_NAMED else None
    axis.legend(frameon=False, fontsize=SMALL, loc="best", title=more, title_fontsize=SMALL, handlelength=2.4)
    p = part["p"].iloc[0]
    words = f", p = {p:.2g}{_words_of_larger(part)}" if p == p else ""
    axis.set(
        title=f"{part['label'].iloc[0]}{words}",
        xlabel=f"time ({part['time_name'].iloc[0]})",
        ylabel="survival",
        xlim=(0.0, 1.02 * longest),
        ylim=(0.0, 1.03),
    )
    axis.xaxis.set_major_locator(MaxNLocator(5))
    rule(axis)


def _words_of_larger(part: pd.DataFrame) -> str:
    """The p-value of the larger clusters where a smaller one can dominate that of all; '' elsewhere."""
    p = part["p_of_larger"].iloc[0]
    return f" ({FEWEST}+: {p:.2g})" if part["n"].min() < FEWEST and p == p else ""
