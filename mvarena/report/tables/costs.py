"""Tables of cost and endings: seconds, memory, iterations, failures; methods by data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN, STATUS_WORDS
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table, ranked_rows
from mvarena.text import listed, without_folders

_DONE = "DONE"


@dataclass(frozen=True)
class Cost:
    """A number of each finished trial, of which the least is best: what it is called, and how it is shown."""

    kind: str
    column: str
    title: str
    measured: str
    shown: Callable[[float], str]


def shown_seconds(value: float) -> str:
    """Three significant digits, and whole numbers beyond."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


COSTS = {
    "time": Cost(
        "time",
        "wall_s",
        "Seconds per trial",
        "Wall-clock seconds of a trial: preparation, fit, assignment of all restarts, scoring",
        shown_seconds,
    ),
    "memory": Cost(
        "memory",
        "peak_rss_mb",
        "Peak memory",
        "Peak resident memory of the process (MiB), interpreter and data included",
        lambda value: f"{value:.0f}",
    ),
    "iterations": Cost("iterations", "n_iter", "Iterations", "Iterations until the method stopped", "{:.1f}".format),
}


def cost_tables(kind: str, values: pd.DataFrame, fits: pd.DataFrame, context: Context) -> list[Table]:
    """Methods by data sets, one table: mean and deviation over all rates and repeats of what finished trials took.

    values : what `mvarena.analysis.trial_values.trial_values` returns. fits : of `mvarena.store.frames.fits_frame`.
    """
    cost = COSTS[kind]
    trials = _trials(values)
    if cost.column not in trials:
        trials = trials.merge(fits[["key", "n_iter", "objective"]], on="key", how="left")
        trials["n_iter"] = trials["n_iter"].astype(float).where(trials["n_iter"].astype(float) > 0)
        trials = trials[trials.groupby("contestant")["n_iter"].transform("count") > 0]
    done = trials[(trials["status"] == _DONE) & trials[cost.column].notna()]
    if done.empty:
        return []

    def cell(part: pd.DataFrame) -> Cell:
        own = part[cost.column].to_numpy(float)[(part["status"] == _DONE).to_numpy()]
        own = own[~np.isnan(own)]
        if not own.size:
            return Cell(text=NOT_RUN, counts={"n_stored": len(part)})
        mean, std = float(own.mean()), float(own.std(ddof=1)) if own.size > 1 else math.nan
        deviation = "" if math.isnan(std) else cost.shown(std)
        share = f"{len(own)}/{len(part)}" if len(own) < len(part) else ""
        counts = {"n_trials": len(own), "n_stored": len(part)}
        return Cell(
            text=cost.shown(mean), deviation=deviation, share=share, mean=mean, std=std, status=_DONE, counts=counts
        )

    text = "Means over all rates and repeats; ± is one standard deviation (n − 1)."
    left_out = "" if kind != "iterations" else " Methods that do not iterate are not shown."
    table = _by_dataset(cost, trials, cell, f"{text}{left_out}", (), context, ranked=kind != "iterations")
    partial = any(item.share for row in table.rows for item in row.cells)
    return [replace(table, notes=("(a/b): a of b trials finished.",) if partial else ())]


def failure_tables(values: pd.DataFrame, context: Context) -> list[Table]:
    """Number of unfinished trials of each method, by data set, with reasons; no table where all finished."""
    trials = _trials(values)
    unfinished = trials[trials["status"] != _DONE]
    if unfinished.empty:
        return []

    def cell(part: pd.DataFrame) -> Cell:
        counts = part.loc[part["status"] != _DONE, "status"].value_counts()
        words = [f"{count} {STATUS_WORDS.get(status, str(status).lower())}" for status, count in counts.items()]
        failed = int(counts.sum())
        return Cell(
            text=f"{', '.join(words)} of {len(part)}" if words else "0",
            mean=float(failed),
            status=_DONE,
            counts={"n_stored": len(part), "failed": failed, "skipped": int(counts.get("SKIPPED", 0))},
        )

    shown = trials[trials["contestant"].isin(unfinished["contestant"])]
    cost = Cost("failures", "failures", "Trials that did not finish", "Number of trials", str)
    labels = context.contestants(values["contestant"].unique())
    text = "Methods whose trials all finished are not shown." if len(shown) < len(trials) else ""
    return [_by_dataset(cost, shown, cell, text, tuple(_reasons(unfinished, labels)), context, ranked=False)]


def _trials(values: pd.DataFrame) -> pd.DataFrame:
    return values.drop_duplicates(["key", "dataset", "contestant"])


def _by_dataset(
    cost: Cost,
    trials: pd.DataFrame,
    cell: Callable[[pd.DataFrame], Cell],
    setting: str,
    notes: tuple[str, ...],
    context: Context,
    *,
    ranked: bool = True,
) -> Table:
    labels = context.contestants(trials["contestant"].unique())
    groups = sorted(trials.groupby(["dataset", "corruption"]), key=lambda group: [*map(natural_order, group[0])])
    columns = tuple(
        Column(_head(dataset, corruption, trials, context), cost.column, math.nan, dataset, corruption)
        for (dataset, corruption), _ in groups
    )
    parts = {(index, name): part for index, group in groups for name, part in group.groupby("contestant")}
    rows = []
    for name in sorted(labels, key=lambda name: natural_order(labels[name])):
        own = [parts.get((index, name)) for index, _ in groups]
        cells = tuple(NO_NUMBER if part is None else cell(part) for part in own)
        rows.append(Row(name, labels[name], False, cells))
    return Table(
        kind=cost.kind,
        title=cost.title,
        heading="data set",
        columns=columns,
        rows=ranked_rows(rows, columns, {cost.column: False}) if ranked else tuple(rows),
        measured=cost.measured,
        setting=setting,
        notes=notes,
    )


def _head(dataset: str, corruption: str, trials: pd.DataFrame, context: Context) -> str:
    """The data set; with the corruption where there are several."""
    several = trials["corruption"].nunique() > 1
    return f"{context.dataset(dataset)}, {context.corruption(corruption)}" if several else context.dataset(dataset)


def _reasons(unfinished: pd.DataFrame, labels: dict[str, str]) -> Iterator[str]:
    for (name, reason), part in unfinished.fillna({"reason": ""}).groupby(["contestant", "reason"], sort=False):
        on = listed(dict.fromkeys(part["dataset"]))
        text = without_folders(str(reason)).rstrip(".") or listed(dict.fromkeys(part["status"].str.lower()))
        yield f"{labels[name]} on {on}, {len(part)} x: {text}."
