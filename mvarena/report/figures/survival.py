"""Data of survival curves: Kaplan-Meier estimates of the clusters that each method found."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mvarena.analysis.naming import by_name
from mvarena.numerics.survival import kaplan_meier
from mvarena.report.context import Context
from mvarena.report.trial_data import Followed

SURVIVAL_COLUMNS = (
    "dataset", "corruption", "rate", "contestant", "trial", "cluster", "n", "events", "time", "survival", "at_risk",
    "censored", "p", "title", "label", "time_name",
)  # fmt: skip


def survival_points(values: pd.DataFrame, followed: Mapping[str, Followed], context: Context) -> pd.DataFrame:
    """One row per data set, corruption, rate, contestant, cluster and time, of the first repeat that has survival.

    values : what `mvarena.analysis.trial_values.trial_values` returns. followed : of
    `mvarena.report.trial_data.followed_trials`. cluster : counts from 1, as `mvarena results show --labels` has it; the
    clusters of a method by mean survival up to the time that all are followed for, the longest first. n, events : of
    the cluster, of samples whose survival is known. p : of the log-rank statistic by permutations. Columns
    SURVIVAL_COLUMNS.
    """
    trials = values[values["key"].isin(list(followed))].drop_duplicates(["key", "dataset", "contestant"])
    trials = trials.sort_values(["seed", "repeat"], kind="stable")
    trials = trials.drop_duplicates(["dataset", "corruption", "rate", "contestant"])
    if trials.empty:
        return pd.DataFrame(columns=list(SURVIVAL_COLUMNS))
    labels = context.contestants(trials["contestant"].unique())
    parts = []
    for row in trials.itertuples():
        words = ", ".join(filter(None, (context.dataset(row.dataset), context.condition(row.corruption, row.rate))))
        point = {name: getattr(row, name) for name in ("dataset", "corruption", "rate", "contestant")}
        parts.append(_curves(followed[row.key]).assign(**point, title=words, label=labels[row.contestant]))
    points = pd.concat(parts, ignore_index=True).sort_values(["corruption", "rate"], kind="stable")
    return by_name(by_name(points, "label"), "dataset")[list(SURVIVAL_COLUMNS)].reset_index(drop=True)


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
    return pd.concat(ordered).assign(trial=trial.key, p=trial.p, time_name=trial.time_name)
