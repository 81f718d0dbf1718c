"""Data of scaling: seconds and memory of each method against the number of samples, with fitted slopes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mvarena.analysis.naming import by_name
from mvarena.report.context import Context

QUANTITIES = {"wall_s": "seconds per trial", "peak_rss_mb": "peak memory of the process (MiB)"}
ABOVE_START = "memory above start (MiB)"
_FITTED = ("wall_s",)  # a power of n; most of the memory is the same for every n
SCALING_COLUMNS = (
    "corruption", "contestant", "dataset", "n_samples", "quantity", "value", "n_trials", "slope", "axis", "title",
    "label",
)  # fmt: skip


def scaling_points(values: pd.DataFrame, fits: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per corruption, contestant, data set and quantity (QUANTITIES), columns SCALING_COLUMNS.

    values : what `mvarena.analysis.trial_values.trial_values` returns. fits : of `mvarena.store.frames.fits_frame`.
    Seconds are of the whole trial. Memory is the peak of the process during the trial, above what it held before its
    first trial, the interpreter and its libraries; where that is not stored of some trials, the whole peak, as the axis
    says.
    value : the mean over the finished trials. slope : p of seconds ~ n^p by least squares of the logarithms, over the
    contestant's data sets; NaN below two different n, and of memory. Corruptions under which there are fewer than
    two n are left out.
    """
    trials = values[values["status"] == "DONE"].drop_duplicates(["key", "dataset", "contestant"])
    trials = trials.merge(fits[["key", "n_samples", "started_mb"]].dropna(subset="n_samples"), on="key")
    is_known = bool(trials["started_mb"].notna().all())
    if is_known:
        trials["peak_rss_mb"] = (trials["peak_rss_mb"] - trials["started_mb"]).clip(lower=0.1)
    axes = QUANTITIES | ({"peak_rss_mb": ABOVE_START} if is_known else {})
    trials["n_samples"] = trials["n_samples"].astype("int64")
    sizes = trials.groupby("corruption")["n_samples"].nunique()
    trials = trials[trials["corruption"].map(sizes) > 1]
    if trials.empty:
        return pd.DataFrame(columns=list(SCALING_COLUMNS))
    entry = ["corruption", "contestant", "dataset", "n_samples"]
    long = trials[[*entry, *QUANTITIES]].melt(entry, var_name="quantity", value_name="value")
    points = long.groupby([*entry, "quantity"])["value"].agg(value="mean", n_trials="size").reset_index()
    points = points[points["value"] > 0]
    slopes = {
        name: _slope(part["n_samples"], part["value"]) if name[-1] in _FITTED else float("nan")
        for name, part in points.groupby(["corruption", "contestant", "quantity"])
    }
    lines = zip(points["corruption"], points["contestant"], points["quantity"], strict=True)
    points = points.assign(
        slope=[slopes[line] for line in lines],
        axis=points["quantity"].map(axes),
        title=points["dataset"].map(context.dataset),
        label=points["contestant"].map(context.contestants(points["contestant"].unique())),
    )
    return by_name(points.sort_values(["quantity", "n_samples"], kind="stable"), "label")[list(SCALING_COLUMNS)]


def _slope(n: pd.Series, value: pd.Series) -> float:
    if n.nunique() < 2:
        return float("nan")
    return float(np.polyfit(np.log(n.astype(float)), np.log(value), 1)[0])
