"""Data of sensitivity: scores against the values of one parameter, or of two."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pandas as pd

from mvarena.report.context import Context
from mvarena.text import listed

LINES, GRID = "lines", "grid"
_FEWEST_OF_GRID = 3  # values that each of two parameters needs for a heat map
SENSITIVITY_COLUMNS = (
    "algorithm", "dataset", "corruption", "metric", "form", "parameter", "value", "second", "second_value", "panel",
    "line", "mean", "std", "n_rows", "over", "title", "label", "metric_axis",
)  # fmt: skip


def sensitivity_points(summary: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per algorithm, data set, metric, parameter, value and line, columns SENSITIVITY_COLUMNS.

    summary : what `mvarena.analysis.summary.summarize` returns, in which each combination of parameters is a row.

    form : 'grid' where two parameters of numbers have three values or more each (panel: the rate and whatever else
        differs); otherwise 'lines', one figure for each parameter, of which that with most values is on the axis where
        there are two: then a line for each value of the other. Of more than two parameters, each is shown alone.
    line, panel : what sets lines and panels apart, such as the rate, the other parameter and the preparation, in words.
    value, second_value : as JSON has them, so that 0.1, true and 'literal' stay apart.
    mean, std : in the unit shown; where other parameters differ, mean over the n_rows rows, and std their mean std.
    over : those parameters and how many values of each there are, in words; '' where there are none.
    What ground truth picked among values is left out.
    """
    parts = [
        _points(part, str(algorithm), context)
        for (algorithm, *_), part in summary[summary["choice"] == ""].groupby(
            ["algorithm", "dataset", "corruption"], sort=False
        )
    ]
    values = [part for part in parts if not part.empty]
    columns = list(SENSITIVITY_COLUMNS)
    return pd.concat(values)[columns].reset_index(drop=True) if values else pd.DataFrame(columns=columns)


def _points(part: pd.DataFrame, algorithm: str, context: Context) -> pd.DataFrame:
    settings = [dict(context.defaults.get(algorithm, {})) | json.loads(text) for text in part["params"]]
    varied = _varied(settings)
    other = _other_words(part)
    shown = [_shown(part, settings, names, other, varied) for names in _asked(varied)]
    if not shown:
        return pd.DataFrame()
    points = pd.concat(shown)
    unit = points["metric"].map(context.in_percent).map({True: 100.0, False: 1.0})
    return points.assign(
        mean=points["mean"] * unit,
        std=points["std"] * unit,
        algorithm=algorithm,
        title=points["dataset"].map(context.dataset),
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
    of_second = [f"{second} = {_word(value)}" if second else "" for value in second_value]
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
    return means.reset_index().assign(form=GRID if grid else LINES, parameter=first, second=second, over=over)


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


def _word(value: str) -> str:
    read = json.loads(value)
    return "none" if read is None else read if isinstance(read, str) else value
