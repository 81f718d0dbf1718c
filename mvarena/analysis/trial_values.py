"""The stored trials that a report is made of, and one value per trial and metric: what it counts under its protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from mvarena.analysis.counted_restarts import signs_of, trial_means
from mvarena.analysis.naming import Defaults, name_contestants, names_by_content
from mvarena.store.frames import OF_SCORE, OF_TRIAL

# Trials are named by content and by what sets them apart, one for each repeat.

POINT = ["dataset", "corruption", "rate"]
VARIANT = [*POINT, "contestant", "params"]
_ONE_TRIAL = ["key", "dataset", "protocol"]  # studies may know one key by two names


class Reported(NamedTuple):
    """The long form with the column trial_id and data sets named by their content; its trials; those that count."""

    frame: pd.DataFrame
    trials: pd.DataFrame
    kept: pd.DataFrame


def reported_trials(frame: pd.DataFrame, *, every_variant: bool = False, defaults: Defaults | None = None) -> Reported:
    """Trials and values that a report is made of.

    frame : the long form (`mvarena.store.frames`). every_variant, defaults : as in `name_contestants`, which names the
    trials.
    Of trials that differ in nothing but their restarts, the finished one with the most counts. Cost O(rows log rows).
    """
    frame = frame.assign(dataset=names_by_content(frame))
    # in an order of its own, so that sums, and with them the last digits, do not depend on that of the rows
    frame = frame.assign(trial_id=frame.groupby(_ONE_TRIAL, dropna=False).ngroup())
    frame = frame.sort_values(["trial_id", "restart"], kind="stable", ignore_index=True)
    trials = frame.drop_duplicates("trial_id")[["trial_id", *OF_TRIAL]]
    trials = name_contestants(trials, every_variant=every_variant, defaults=defaults)
    trials["restarts"] = trials["trial_id"].map(frame.groupby("trial_id")["restart"].nunique())
    ranked = trials.assign(done=trials["status"] == "DONE").sort_values(["done", "restarts"], kind="stable")
    kept = ranked.drop_duplicates([*VARIANT, "seed", "repeat"], keep="last")
    return Reported(frame, trials, trials.loc[sorted(kept.index)])


# One value per trial and metric: what a trial counts for, under its protocol, beside what it took.

VALUE_COLUMNS = (
    "key", *POINT, "contestant", "algorithm", "params", "choice", "label_picked", "corpus", "scaling", "filling",
    "prepare", "protocol", "pick", "seed", "repeat", "status", "reason", "wall_s", "fit_s", "peak_rss_mb", "metric",
    "value",
)  # fmt: skip


def trial_values(reported: Reported, metrics: Sequence[str], *, directions: Mapping[str, bool]) -> pd.DataFrame:
    """One row per trial that counts and metric, columns VALUE_COLUMNS.

    value : the mean of what the trial's protocol counts; NaN where there is none, as for a trial that did not finish.
    Of variants that differ in a parameter picked by labels, at each point the one of best mean stays: label_picked.
    reported, directions : as for `mvarena.analysis.summary.summarize`, whose means these are, where a protocol counts
    one restart. Cost O(rows log rows).
    """
    frame, _, kept = reported
    runs = frame.loc[frame["metric"].isin(list(metrics)) & (frame["status"] == "DONE"), ["trial_id", *OF_SCORE]]
    means = trial_means(runs.merge(kept[["trial_id", "pick"]], on="trial_id"), directions).reset_index()
    every = kept.merge(pd.DataFrame({"metric": list(metrics)}), how="cross")
    values = every.merge(means, on=["trial_id", "metric"], how="left")
    values["label_picked"] = values["label_choice"] | (values["pick"] == "best-by-labels")
    return _best_variants(values, directions)[list(VALUE_COLUMNS)].reset_index(drop=True)


def _best_variants(values: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    if not values["label_choice"].any():
        return values
    group = [*VARIANT, "metric"]
    means = values.groupby(group, dropna=False)["value"].mean().reset_index()
    means["badness"] = -means["value"] * signs_of(means["metric"], directions)
    means = means.sort_values(["badness", "params"], kind="stable", na_position="last")
    best = means.drop_duplicates([name for name in group if name != "params"])[group].assign(best=True)
    marked = values.merge(best, on=group, how="left")
    return marked[~marked["label_choice"] | marked["best"].eq(True)]
