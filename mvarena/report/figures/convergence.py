"""Data of convergence curves: the objective of each method, iteration by iteration."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mvarena.analysis.naming import by_name
from mvarena.report.context import Context

MOST_POINTS = 1000  # of one trace; a longer one is thinned
CONVERGENCE_COLUMNS = (
    "dataset", "corruption", "rate", "contestant", "seed", "repeat", "iteration", "objective", "converged",
    "stopped_because", "title", "label", "line",
)  # fmt: skip


def convergence_points(values: pd.DataFrame, fits: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per data set, corruption, rate, contestant and iteration of the first repeat that has an objective.

    values : what `mvarena.analysis.trial_values.trial_values` returns. fits : of `mvarena.store.frames.fits_frame`.
    iteration : counts from 0 where the objective before the first is known, from 1 otherwise. Traces of more than 1,000
    values are thinned evenly, the ends kept. Columns CONVERGENCE_COLUMNS; line says the rate.
    """
    trials = values[values["status"] == "DONE"].drop_duplicates(["key", "dataset", "contestant"])
    trials = trials.merge(fits, on="key")
    trials = trials[trials["objective"].map(len) > 1].sort_values(["seed", "repeat"], kind="stable")
    trials = trials.drop_duplicates(["dataset", "corruption", "rate", "contestant"])
    if trials.empty:
        return pd.DataFrame(columns=list(CONVERGENCE_COLUMNS))
    trials = trials.assign(
        title=trials["dataset"].map(context.dataset),
        label=trials["contestant"].map(context.contestants(trials["contestant"].unique())),
        line=[
            "" if corruption == "none" else f"{rate:g}"
            for corruption, rate in zip(trials["corruption"], trials["rate"], strict=True)
        ],
    )
    courses = [_course(row.objective, int(row.n_iter)) for row in trials.itertuples()]
    trials = trials.assign(iteration=[item for item, _ in courses], objective=[item for _, item in courses])
    points = trials.explode(["iteration", "objective"])
    points = points.astype({"iteration": "int64", "objective": "float64"})
    points = by_name(points.sort_values(["corruption", "rate"], kind="stable"), "label")
    return by_name(points, "dataset")[list(CONVERGENCE_COLUMNS)].reset_index(drop=True)


def _course(objective: tuple[float, ...], n_iter: int) -> tuple[list[int], list[float]]:
    """The iterations that are shown and their values."""
    first = 0 if len(objective) == n_iter + 1 else 1
    count = len(objective)
    places = np.unique(np.linspace(0, count - 1, min(count, MOST_POINTS)).round().astype(int))
    return [int(path) + first for path in places], [objective[path] for path in places]
