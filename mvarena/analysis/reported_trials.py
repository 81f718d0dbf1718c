"""Which stored trials a report is made of: named by content and by what sets them apart, one for each repeat."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from mvarena.analysis.contestants import name_contestants
from mvarena.analysis.datasets import names_by_content
from mvarena.store.frames import OF_TRIAL

POINT = ["dataset", "corruption", "rate"]
VARIANT = [*POINT, "contestant", "params"]
_ONE_TRIAL = ["key", "dataset", "protocol"]  # studies may know one key by two names


class Reported(NamedTuple):
    """The long form with the column trial_id and data sets named by their content; its trials; those that count."""

    frame: pd.DataFrame
    trials: pd.DataFrame
    kept: pd.DataFrame


def reported_trials(frame: pd.DataFrame, *, every_variant: bool = False) -> Reported:
    """What a report is made of.

    frame : the long form (`mvarena.store.frames`). every_variant : as in `name_contestants`, which names the trials.
    Of trials that differ in nothing but their restarts, the finished one with the most counts. Cost O(rows log rows).
    """
    frame = frame.assign(dataset=names_by_content(frame))
    # in an order of its own, so that sums, and with them the last digits, do not depend on that of the rows
    frame = frame.assign(trial_id=frame.groupby(_ONE_TRIAL, dropna=False).ngroup())
    frame = frame.sort_values(["trial_id", "restart"], kind="stable", ignore_index=True)
    trials = name_contestants(frame.drop_duplicates("trial_id")[["trial_id", *OF_TRIAL]], every_variant=every_variant)
    trials["restarts"] = trials["trial_id"].map(frame.groupby("trial_id")["restart"].nunique())
    ranked = trials.assign(done=trials["status"] == "DONE").sort_values(["done", "restarts"], kind="stable")
    kept = ranked.drop_duplicates([*VARIANT, "seed", "repeat"], keep="last")
    return Reported(frame, trials, trials.loc[sorted(kept.index)])
