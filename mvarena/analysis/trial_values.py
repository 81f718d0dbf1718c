"""One value per trial and metric: what a trial counts for, under its protocol, beside what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from mvarena.analysis.picks import counted_runs
from mvarena.analysis.reported_trials import POINT, VARIANT, Reported, reported_trials
from mvarena.store.frames import OF_SCORE

VALUE_COLUMNS = (
    "key", *POINT, "contestant", "algorithm", "params", "choice", "label_picked", "prepare", "protocol", "pick",
    "seed", "repeat", "status", "reason", "wall_s", "fit_s", "peak_rss_mb", "metric", "value",
)  # fmt: skip


def trial_values(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    *,
    directions: Mapping[str, bool],
    every_variant: bool = False,
    reported: Reported | None = None,
) -> pd.DataFrame:
    """One row per trial that counts and metric, columns VALUE_COLUMNS.

    value : the mean of what the trial's protocol counts; NaN where there is none, as for a trial that did not finish.
    Of variants that differ in a parameter picked by labels, at each point the one of best mean stays: label_picked.
    frame, directions, every_variant, reported : as for `mvarena.analysis.aggregates.summarize`, whose means these are,
    where a protocol counts one restart. Cost O(rows log rows).
    """
    if frame.empty:
        return pd.DataFrame(columns=list(VALUE_COLUMNS))
    frame, _, kept = reported or reported_trials(frame, every_variant=every_variant)
    runs = frame.loc[frame["metric"].isin(list(metrics)) & (frame["status"] == "DONE"), ["trial_id", *OF_SCORE]]
    runs = counted_runs(runs.merge(kept[["trial_id", "pick"]], on="trial_id"), directions)
    means = runs.astype({"value": float}).groupby(["trial_id", "metric"])["value"].mean().reset_index()
    every = kept.merge(pd.DataFrame({"metric": list(metrics)}), how="cross")
    values = every.merge(means, on=["trial_id", "metric"], how="left")
    values["label_picked"] = values["label_choice"] | (values["pick"] == "best-by-labels")
    return _best_variants(values, directions)[list(VALUE_COLUMNS)].reset_index(drop=True)


def _best_variants(values: pd.DataFrame, directions: Mapping[str, bool]) -> pd.DataFrame:
    if not values["label_choice"].any():
        return values
    group = [*VARIANT, "metric"]
    means = values.groupby(group, dropna=False)["value"].mean().reset_index()
    means["badness"] = means["value"] * [-1.0 if directions.get(one, True) else 1.0 for one in means["metric"]]
    means = means.sort_values(["badness", "params"], kind="stable", na_position="last")
    best = means.drop_duplicates([name for name in group if name != "params"])[group].assign(best=True)
    marked = values.merge(best, on=group, how="left")
    return marked[~marked["label_choice"] | marked["best"].eq(True)]
