"""A metric against the values of one parameter, with a line for each value of a second."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from mvarena.analysis.naming import natural_order
from mvarena.report.context import Context
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    Drawing,
    caption,
    drawable_words,
    fitting_panels,
    in_lines,
    panels,
    per_row_for,
    rule,
    set_head,
)
from mvarena.report.drawing.legend import draw_legend, handle, legend_height, line_style
from mvarena.report.style import Looks, line_pattern
from mvarena.report.style import looks as new_looks
from mvarena.text import listed

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric against a parameter of several values, a line for each value of a second"
NEEDS = "a method with several values of a parameter on one data set"
SPLIT = ("algorithm", "parameter", "second")
_COLUMNS = (
    "algorithm", "dataset", "corruption", "metric", "parameter", "value", "second", "second_value", "line", "mean",
    "std", "n_rows", "over", "title", "condition", "label", "metric_axis",
)  # fmt: skip
_HIGH = 2.2  # inches
_MOST_TICKS = 8  # values that have a tick each
_DECADE = 10.0  # the ratio of values beyond which the axis is logarithmic


def points(results: ReportData) -> pd.DataFrame:
    """One row per algorithm, data set, metric, parameter, value and line.

    parameter, second : of two parameters, that with most values is on the axis, and there is a line for each value of
        the other. Of more than two, each is shown alone.
    line : what sets lines apart, such as the rate, the other parameter and the preparation, in words.
    value, second_value : as JSON has them, so that 0.1, true and 'literal' stay apart; a default stands as its value.
    mean, std : in the unit shown; where other parameters differ, mean over the n_rows rows, and std their mean std.
    condition : the corruption, with its rate where there is one, in words.
    over : those parameters and how many values of each there are, in words; '' where there are none.
    What ground truth picked among values is left out.
    """
    rows = results.methods[results.methods["choice"] == ""]
    groups = rows.groupby(["algorithm", "dataset", "corruption"], sort=False)
    parts = [_points(part, str(algorithm), results.context) for (algorithm, *_), part in groups]
    values = [part for part in parts if not part.empty]
    columns = list(_COLUMNS)
    return pd.concat(values)[columns].reset_index(drop=True) if values else pd.DataFrame(columns=columns)


def _points(part: pd.DataFrame, algorithm: str, context: Context) -> pd.DataFrame:
    defaults = context.cards.method(algorithm).defaults or {}
    given = [json.loads(text) for text in part["params"]]
    changed = {name for params in given for name in params}
    settings = [{name: defaults[name] for name in changed if name in defaults} | params for params in given]
    varied = _varied(settings)
    other = _other_words(part)
    together = [tuple(varied)] if len(varied) == 2 else [(name,) for name in varied]
    shown = [_shown(part, settings, names, other, varied) for names in together]
    if not shown:
        return pd.DataFrame()
    points = pd.concat(shown)
    corruption, rates = str(part["corruption"].iloc[0]), sorted(part["rate"].unique())
    unit = points["metric"].map(context.in_percent).map({True: 100.0, False: 1.0})
    return points.assign(
        mean=points["mean"] * unit,
        std=points["std"] * unit,
        algorithm=algorithm,
        title=points["dataset"].map(context.dataset),
        condition=context.condition(corruption, rates[0], part["dataset"].unique())
        if len(rates) == 1
        else context.corruption(corruption),
        label=context.contestant(algorithm),
        metric_axis=points["metric"].map(context.metric_axis),
    )


def _varied(settings: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Parameter -> its values as JSON, those parameters that have several, the one of most values first."""
    values: dict[str, dict[str, None]] = {}
    for params in settings:
        for name, value in params.items():
            values.setdefault(name, {})[json.dumps(value)] = None
    several = {name: list(seen) for name, seen in values.items() if len(seen) > 1}
    return dict(sorted(several.items(), key=lambda item: (-_is_numbers(item[1]), -len(item[1]), item[0])))


def _shown(
    part: pd.DataFrame,
    settings: list[dict[str, Any]],
    names: tuple[str, ...],
    other: list[str],
    varied: dict[str, list[str]],
) -> pd.DataFrame:
    first, second = names[0], names[1] if len(names) > 1 else ""
    has = [all(name in params for name in names) for params in settings]
    second_value = [json.dumps(params.get(second)) if second else "" for params in settings]
    of_second = [f"{second} = {_word(value)}" if second else "" for value in second_value]
    rows = part.assign(
        value=[json.dumps(params.get(first)) for params in settings],
        second_value=second_value,
        line=[", ".join(filter(None, words)) for words in zip(other, of_second, strict=True)],
    )[has]
    group = ["dataset", "corruption", "metric", "line", "value", "second_value"]
    means = rows.groupby(group, sort=False).agg(mean=("mean", "mean"), std=("std", "mean"), n_rows=("mean", "size"))
    others = [f"{len(values)} values of {name}" for name, values in varied.items() if name not in names]
    over = f"means over {listed(others)}" if others and (means["n_rows"] > 1).any() else ""
    return means.reset_index().assign(parameter=first, second=second, over=over)


def _other_words(part: pd.DataFrame) -> list[str]:
    """Other settings that distinguish rows, in words: the rate, the preparation, the version, the protocol."""
    words: list[list[str]] = [[] for _ in range(len(part))]
    for column, called in (("rate", "rate"), ("prepare", "prepared by"), ("algorithm_version", "version"),
                           ("protocol", "protocol")):  # fmt: skip
        if part[column].nunique(dropna=False) > 1:
            for item, value in zip(words, part[column], strict=True):
                item.append(f"{called} {value:g}" if isinstance(value, float) else f"{called} {value or 'none'}")
    return [", ".join(word) for word in words]


def _is_numbers(values: Iterable[str]) -> bool:
    return all(
        isinstance(result := json.loads(value), (int, float)) and not isinstance(result, bool) for value in values
    )


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one algorithm and parameter, or pair.

    Lines are settings of one algorithm, so they have looks of their own.
    """
    del looks
    points, of_names = drawable_words(points, ("title", "condition", "label", "line", "metric_axis"), width)
    parts = [part for _, part in points.groupby(["dataset", "corruption", "metric"], sort=False)]
    metrics = listed(dict.fromkeys(points["metric_axis"]))
    names = " and ".join(filter(None, (points["parameter"].iloc[0], points["second"].iloc[0])))
    title = f"{points['label'].iloc[0]}: {metrics} by {names}"
    over = [f"{text[:1].upper()}{text[1:]}." for text in dict.fromkeys(points["over"]) if text]
    lines = sorted(points["line"].unique(), key=natural_order)
    own = new_looks(lines, {})
    labels = [name for name in lines if name]
    per_row = per_row_for(len(parts), width)
    parts, left_out = fitting_panels(parts, per_row, _HIGH)
    figure, axes = panels(len(parts), per_row, _HIGH, width, below=legend_height(labels, width))
    for axis, part in zip(axes, parts, strict=True):
        _draw_panel(axis, part, own, width / per_row)
    draw_legend(figure, [handle(name, own) for name in labels], labels)
    set_head(figure, title)
    text = f"{title}; mean{' and one standard deviation (band)' if points['std'].notna().any() else ''}."
    return Drawing(figure, caption(text, *over, left_out, of_names))


def _draw_panel(axis: Axes, part: pd.DataFrame, looks: Looks, width: float) -> None:
    values = [json.loads(value) for value in part["value"]]
    numbers = _is_numbers(part["value"])
    if numbers:
        places = {text: float(value) for text, value in zip(part["value"], values, strict=True)}
    else:
        ordered = sorted(dict.fromkeys(part["value"]), key=natural_order)
        places = {text: float(index) for index, text in enumerate(ordered)}
    for name, line in part.groupby("line", sort=False):
        line = line.assign(x=line["value"].map(places)).sort_values("x")
        spread = line["std"].fillna(0.0)
        look, colour = looks[str(name)], looks.colour(str(name))
        axis.fill_between(
            line["x"], line["mean"] - spread, line["mean"] + spread, color=colour, alpha=0.12, linewidth=0.0
        )
        axis.plot(line["x"], line["mean"], color=colour, linestyle=line_pattern(look), **line_style(look))
    if numbers:
        _number_ticks(axis, np.unique(list(places.values())), width)
    else:
        labels = [_word(text) for text in places]
        axis.set_xticks(list(places.values()), labels, **_slanted(labels, width))
    axis.set(title=in_lines(_title(part), width), xlabel=part["parameter"].iloc[0], ylabel=part["metric_axis"].iloc[0])
    rule(axis)


def _number_ticks(axis: Axes, values: Any, width: float) -> None:
    """A logarithmic axis over decades, on which zero, if it is asked for, stands at the left end; a linear one for even
    steps."""
    positive = values[values > 0]
    even = len(values) > 2 and np.allclose(np.diff(values), np.diff(values)[0])
    if not even and len(positive) > 1 and values[0] >= 0 and positive[-1] / positive[0] > _DECADE:
        least = float(positive[0])
        axis.set_xscale("symlog", linthresh=least, linscale=0.5)
        axis.set_xlim(-0.15 * least if values[0] == 0 else least / 1.3, 1.3 * float(positive[-1]))
    if len(values) <= _MOST_TICKS:
        labels = [f"{tick:g}" for tick in values]
        axis.set_xticks(values, labels, **_slanted(labels, width))
    axis.xaxis.set_minor_locator(NullLocator())


def _slanted(labels: list[str], width: float) -> dict[str, Any]:
    """Rotation of tick labels on an axis of this width: slanted where they would touch side by side."""
    touching = max(map(len, labels)) * CELL_LETTER * len(labels) > width - 0.9
    return {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if touching else {}


def _title(part: pd.DataFrame) -> str:
    """'digits, missing-even at rate 0.3'."""
    return ", ".join(str(part[column].iloc[0]) for column in ("title", "condition") if part[column].iloc[0])


def _word(text: str) -> str:
    """A value as an axis and a legend name it: without quotation marks, and 10.0 as 10."""
    value = json.loads(text)
    if isinstance(value, float):
        return f"{value:g}"
    return "none" if value is None else value if isinstance(value, str) else text
