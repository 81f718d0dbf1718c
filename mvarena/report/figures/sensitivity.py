"""A metric against the values of one parameter as lines, or of two as a heat map."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from mvarena.analysis.naming import natural_order
from mvarena.report.context import Context
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    RC,
    Drawing,
    caption,
    drawable_words,
    finish,
    fitting_panels,
    in_lines,
    panels,
    per_row_for,
    rule,
    set_head,
)
from mvarena.report.drawing.grid import draw_cells, relative
from mvarena.report.drawing.legend import draw_legend, handle, legend_height, line_style
from mvarena.report.formatting import NOT_RUN, shown_number
from mvarena.report.style import Looks, line_pattern
from mvarena.report.style import looks as new_looks
from mvarena.text import listed

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric against a parameter of several values: lines, a heat map for two"
NEEDS = "a method with several values of a parameter on one data set"
SPLIT = ("algorithm", "parameter", "second")
_LINES, _GRID = "lines", "grid"
_FEWEST_OF_GRID = 3  # values that each of two parameters needs for a heat map
_COLUMNS = (
    "algorithm", "dataset", "corruption", "metric", "form", "parameter", "value", "second", "second_value", "panel",
    "line", "mean", "std", "n_rows", "over", "title", "condition", "label", "metric_axis",
)  # fmt: skip
_HIGH = 2.2  # inches
_DECADE = 10.0  # the ratio of values beyond which the axis is logarithmic


def points(results: ReportData) -> pd.DataFrame:
    """One row per algorithm, data set, metric, parameter, value and line.

    form : 'grid' where two parameters of numbers have three values or more each (panel: the rate and whatever else
        differs); otherwise 'lines', one figure for each parameter, of which that with most values is on the axis where
        there are two: then a line for each value of the other. Of more than two parameters, each is shown alone.
    line, panel : what sets lines and panels apart, such as the rate, the other parameter and the preparation, in words.
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
    shown = [_shown(part, settings, names, other, varied) for names in _asked(varied)]
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
        condition=context.condition(corruption, rates[0]) if len(rates) == 1 else context.corruption(corruption),
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


def _asked(varied: dict[str, list[str]]) -> list[tuple[str, ...]]:
    """Parameters shown together."""
    if len(varied) == 2:
        return [tuple(varied)]
    grids = [pair for pair in combinations(varied, 2) if _is_grid(pair, varied)] if len(varied) == 3 else []
    return [*((name,) for name in varied), *grids]


def _is_grid(names: tuple[str, ...], varied: dict[str, list[str]]) -> bool:
    return len(names) == 2 and all(len(varied[name]) >= _FEWEST_OF_GRID and _is_numbers(varied[name]) for name in names)


def _shown(
    part: pd.DataFrame,
    settings: list[dict[str, Any]],
    names: tuple[str, ...],
    other: list[str],
    varied: dict[str, list[str]],
) -> pd.DataFrame:
    grid = _is_grid(names, varied)
    first, second = names[0], names[1] if len(names) > 1 else ""
    has = [all(name in params for name in names) for params in settings]
    second_value = [json.dumps(params.get(second)) if second else "" for params in settings]
    of_second = [f"{second} = {_as_text(value)}" if second else "" for value in second_value]
    lines = [", ".join(filter(None, words)) for words in zip(other, of_second, strict=True)]
    rows = part.assign(
        value=[json.dumps(params.get(first)) for params in settings],
        second_value=second_value,
        panel=other if grid else "",
        line="" if grid else lines,
    )[has]
    group = ["dataset", "corruption", "metric", "panel", "line", "value", "second_value"]
    means = rows.groupby(group, sort=False).agg(mean=("mean", "mean"), std=("std", "mean"), n_rows=("mean", "size"))
    others = [f"{len(values)} values of {name}" for name, values in varied.items() if name not in names]
    over = f"means over {listed(others)}" if others and (means["n_rows"] > 1).any() else ""
    return means.reset_index().assign(form=_GRID if grid else _LINES, parameter=first, second=second, over=over)


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


def _as_text(value: str) -> str:
    read = json.loads(value)
    return "none" if read is None else read if isinstance(read, str) else value


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one algorithm and parameter, or pair.

    Lines are settings of one algorithm, so they have looks of their own.
    """
    del looks
    points, of_names = drawable_words(points, ("title", "condition", "label", "line", "panel", "metric_axis"), width)
    parts = [part for _, part in points.groupby(["dataset", "corruption", "panel", "metric"], sort=False)]
    metrics = listed(dict.fromkeys(points["metric_axis"]))
    names = " and ".join(filter(None, (points["parameter"].iloc[0], points["second"].iloc[0])))
    title = f"{points['label'].iloc[0]}: {metrics} by {names}"
    over = [f"{text[:1].upper()}{text[1:]}." for text in dict.fromkeys(points["over"]) if text]
    with rc_context(RC):
        if points["form"].iloc[0] == _GRID:
            figure, left_out = _draw_grids(parts, width)
            text = f"{title}; lighter is higher."
        else:
            figure, left_out = _draw_lines(points, parts, width)
            text = f"{title}; mean{' and one standard deviation (band)' if points['std'].notna().any() else ''}."
        set_head(figure, title)
        return Drawing(finish(figure), caption(text, *over, left_out, of_names))


def _draw_lines(points: pd.DataFrame, parts: list[pd.DataFrame], width: float) -> tuple[Figure, str]:
    names = sorted(points["line"].unique(), key=natural_order)
    own = new_looks(names, {})
    labels = [name for name in names if name]
    per_row = per_row_for(len(parts), width)
    parts, left_out = fitting_panels(parts, per_row, _HIGH)
    figure, axes = panels(len(parts), per_row, _HIGH, width, below=legend_height(labels, width))
    for axis, part in zip(axes, parts, strict=True):
        _draw_panel(axis, part, own, width / per_row)
    draw_legend(figure, [handle(name, own) for name in labels], labels)
    return figure, left_out


def _draw_panel(axis: Axes, part: pd.DataFrame, looks: Looks, width: float) -> None:
    values = [json.loads(value) for value in part["value"]]
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
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
        _number_ticks(axis, np.unique(list(places.values())))
    else:
        labels = [_word(text) for text in places]
        axis.set_xticks(list(places.values()), labels, **_slanted(labels, width))
    axis.set(title=in_lines(_title(part), width), xlabel=part["parameter"].iloc[0], ylabel=part["metric_axis"].iloc[0])
    rule(axis)


def _number_ticks(axis: Axes, values: Any) -> None:
    """A logarithmic axis over decades, on which zero, if it is asked for, stands at the left end; a linear one for even
    steps."""
    positive = values[values > 0]
    shown = values
    even = len(values) > 2 and np.allclose(np.diff(values), np.diff(values)[0])
    if not even and len(positive) > 1 and values[0] >= 0 and positive[-1] / positive[0] > _DECADE:
        least = float(positive[0])
        has_zero = values[0] == 0
        axis.set_xscale("symlog", linthresh=least, linscale=0.5)
        axis.set_xlim(-0.15 * least if has_zero else least / 1.3, 1.3 * float(positive[-1]))
        powers = 10.0 ** np.arange(np.ceil(np.log10(least) - 1e-9), np.floor(np.log10(positive[-1]) + 1e-9) + 1)
        if len(values) > 6 and len(powers) > 1:
            shown = np.concatenate([[0.0], powers]) if has_zero else powers
    kept = _with_room(axis, shown)
    axis.set_xticks(kept, [f"{tick:g}" for tick in kept])
    axis.xaxis.set_minor_locator(NullLocator())


def _with_room(axis: Axes, ticks: Any) -> list[float]:
    """Of the ticks those whose labels do not touch: both ends, and from the left what fits between."""
    to_axes = axis.transData + axis.transAxes.inverted()
    inches = {float(tick): 2.4 * float(to_axes.transform((tick, 0.0))[0]) for tick in ticks}
    widths = {tick: CELL_LETTER * (len(f"{tick:g}") + 1.5) for tick in inches}
    kept = [min(inches)]
    last = max(inches)
    for tick in sorted(inches)[1:]:
        far = inches[tick] - inches[kept[-1]] >= (widths[tick] + widths[kept[-1]]) / 2
        free = tick == last or inches[last] - inches[tick] >= (widths[tick] + widths[last]) / 2
        if far and free:
            kept.append(tick)
    return kept


def _slanted(labels: list[str], width: float) -> dict[str, Any]:
    """Rotation of tick labels on an axis of this width: slanted where they would touch side by side."""
    touching = max(map(len, labels)) * CELL_LETTER * len(labels) > width - 0.9
    return {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if touching else {}


def _draw_grids(parts: list[pd.DataFrame], width: float) -> tuple[Figure, str]:
    """Panels as large as their cells need."""
    across = max(part["value"].nunique() for part in parts)
    down = max(part["second_value"].nunique() for part in parts)
    per_row = per_row_for(len(parts), width, max(2.1, 0.7 + 0.34 * across))
    height = max(_HIGH, 1.0 + 0.22 * down)
    parts, left_out = fitting_panels(parts, per_row, height)
    figure, axes = panels(len(parts), per_row, height, width)
    for axis, part in zip(axes, parts, strict=True):
        _draw_grid(axis, part, width / per_row)
    return figure, left_out


def _draw_grid(axis: Axes, part: pd.DataFrame, width: float) -> None:
    table = part.pivot(index="second_value", columns="value", values="mean").astype(float)
    table = table.reindex(index=sorted(table.index, key=_number)[::-1], columns=sorted(table.columns, key=_number))
    every = relative(pd.DataFrame(table.to_numpy().reshape(-1, 1))).to_numpy().reshape(table.shape)
    share = pd.DataFrame(every, table.index, table.columns)
    in_percent = part["metric_axis"].iloc[0].endswith("(%)")
    words = table.map(lambda value: NOT_RUN if np.isnan(value) else _cell(value, in_percent=in_percent))
    draw_cells(axis, share, words)
    heads = [_word(value) for value in table.columns]
    axis.set_xticks(range(table.shape[1]), heads, **_slanted(heads, width))
    axis.set_yticks(range(table.shape[0]), [_word(value) for value in table.index])
    title = in_lines(f"{part['metric_axis'].iloc[0]}, {_title(part)}", width)
    axis.set(title=title, xlabel=part["parameter"].iloc[0], ylabel=part["second"].iloc[0])


def _cell(value: float, *, in_percent: bool) -> str:
    return f"{value:.1f}" if in_percent and np.isfinite(value) else shown_number(value, percent=False)


def _title(part: pd.DataFrame) -> str:
    """'digits, missing-even at rate 0.3', and what else sets the panel apart."""
    return ", ".join(str(part[column].iloc[0]) for column in ("title", "condition", "panel") if part[column].iloc[0])


def _number(text: str) -> float:
    return float(json.loads(text))


def _word(text: str) -> str:
    value = json.loads(text)
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
