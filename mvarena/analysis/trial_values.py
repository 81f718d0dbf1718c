"""The stored trials that a report is made of, and one value per trial and metric: what it counts under its protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

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


def reported_trials(frame: pd.DataFrame, *, defaults: Defaults | None = None) -> Reported:
    """Trials and values that a report is made of.

    frame : the long form (`mvarena.store.frames`). defaults : as in `name_contestants`, which names the trials.
    Of trials that differ in nothing but their restarts, the finished one with the most counts. Cost O(rows log rows).
    """
    frame = frame.assign(dataset=names_by_content(frame))
    # in an order of its own, so that sums, and with them the last digits, do not depend on that of the rows
    frame = frame.assign(trial_id=frame.groupby(_ONE_TRIAL, dropna=False).ngroup())
    frame = frame.sort_values("trial_id", kind="stable", ignore_index=True)
    trials = frame.drop_duplicates("trial_id")[["trial_id", *OF_TRIAL]]
    trials = name_contestants(trials, defaults=defaults)
    ranked = trials.assign(done=trials["status"] == "DONE").sort_values(["done", "restarts"], kind="stable")
    kept = ranked.drop_duplicates([*VARIANT, "seed", "repeat"], keep="last")
    return Reported(frame, trials, trials.loc[sorted(kept.index)])


# One value per trial and metric: what a trial counts for, under its protocol, beside what it took.

VALUE_COLUMNS = (
    "key", *POINT, "contestant", "algorithm", "params", "choice", "label_picked", "corpus", "scaling", "filling",
    "prepare", "protocol", "pick", "seed", "repeat", "status", "reason", "wall_s", "fit_s", "peak_rss_mb", "metric",
    "value",
)  # fmt: skip


def trial_values(reported: Reported, metrics: Sequence[str]) -> pd.DataFrame:
    """One row per trial that counts and metric, columns VALUE_COLUMNS.

    value : what the trial's protocol counts; NaN where there is none, as for a trial that did not finish.
    Cost O(rows log rows).
    """
    frame, _, kept = reported
    scored = frame["metric"].isin(list(metrics)) & (frame["status"] == "DONE")
    every = kept.merge(pd.DataFrame({"metric": list(metrics)}), how="cross")
    values = every.merge(frame.loc[scored, ["trial_id", *OF_SCORE]], on=["trial_id", "metric"], how="left")
    return values.fillna({"choice": ""})[list(VALUE_COLUMNS)].reset_index(drop=True)
