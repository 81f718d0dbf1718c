"""The stored trials that a report is made of, named and each once, and the repeats that all compared ones have."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import pandas as pd

from mvarena.analysis.naming import name_contestants, names_by_content
from mvarena.store.frames import OF_TRIAL

POINT = ["dataset", "corruption", "rate"]
ENTRY = [*POINT, "contestant"]
_ONE_TRIAL = ["key", "dataset", "protocol"]  # studies may know one key by two names
_REPEAT = ["seed", "repeat"]


class Reported(NamedTuple):
    """Rows of scores with the columns trial_id and contestant, and data sets named by their content; the trials among
    them, one row each; and those of the trials that count."""

    frame: pd.DataFrame
    trials: pd.DataFrame
    kept: pd.DataFrame


def reported_trials(frame: pd.DataFrame) -> Reported:
    """Trials and values that a report is made of.

    frame : one row per trial and metric (`mvarena.store.frames.scores_frame`).
    Of trials of one repeat that differ in nothing that names them, such as in their restarts alone, the finished one of
    most restarts counts. Cost O(rows log rows).
    """
    frame = frame.assign(dataset=names_by_content(frame))
    # in an order of its own, so that sums, and with them the last digits, do not depend on that of the rows
    frame = frame.assign(trial_id=frame.groupby(_ONE_TRIAL, dropna=False).ngroup())
    frame = frame.sort_values("trial_id", kind="stable", ignore_index=True)
    of_filter = ["shown"] if "shown" in frame else []  # of a report, which says what a filter leaves
    trials = name_contestants(frame.drop_duplicates("trial_id")[["trial_id", *OF_TRIAL, *of_filter]])
    ranked = trials.assign(done=trials["status"] == "DONE").sort_values(["done", "restarts"], kind="stable")
    kept = ranked.drop_duplicates([*ENTRY, *_REPEAT], keep="last")
    return Reported(frame, trials, trials.loc[sorted(kept.index)])


VALUE_COLUMNS = (
    "trial_id", "key", *POINT, "content", "contestant", "algorithm", "algorithm_version", "params", "choice",
    "label_picked", "corpus", "kind", "scaling", "filling", "prepare", "protocol", "pick", "restarts", "seed", "repeat",
    "status", "reason", "wall_s", "cpu_s", "fit_s", "peak_rss_mb", "metric", "value", "spread", "is_scored",
)  # fmt: skip


def trial_values(reported: Reported, metrics: Sequence[str]) -> pd.DataFrame:
    """One row per trial that counts and metric, columns VALUE_COLUMNS.

    value, spread : as stored; NaN where there is none, as for a trial that did not finish. choice : what ground truth
    chose, '' for nothing. is_scored : whether a value is stored, be it NaN. Cost O(rows log rows).
    """
    frame, _, kept = reported
    scored = frame.loc[frame["metric"].isin(list(metrics)) & (frame["status"] == "DONE")]
    scored = scored[["trial_id", "metric", "value", "spread", "choice"]].assign(is_scored=True)
    every = kept.merge(pd.DataFrame({"metric": list(metrics)}, dtype=object), how="cross")
    values = every.merge(scored, on=["trial_id", "metric"], how="left")
    values["choice"] = values["choice"].where(values["choice"].notna(), "")
    return values.assign(is_scored=values["is_scored"].eq(True))[list(VALUE_COLUMNS)]


def common_repeats(
    values: pd.DataFrame, point: Collection[str], among: str | Sequence[str] = "contestant"
) -> pd.Series:
    """Row by row, whether its repeat is one that all compared have at that point.

    values : one row per trial (and metric), with the columns seed and repeat. point : the columns within which repeats
    are compared, as data set, corruption and rate. among : the columns whose values are compared. A repeat counts that
    was run, whatever became of it: who did not finish one that all others have did not finish. Every comparison of
    means takes these repeats alone, since masks, draws and starts differ between repeats. Cost O(rows log rows).
    """
    place, compared = list(point), [among] if isinstance(among, str) else list(among)
    runs = values[[*place, *_REPEAT, *compared]].drop_duplicates()
    of_point = runs.drop_duplicates([*place, *compared]).groupby(place, dropna=False).size().rename("of_point")
    of_repeat = runs.groupby([*place, *_REPEAT], dropna=False).size().rename("of_repeat")
    counted = values[[*place, *_REPEAT]].merge(of_point.reset_index(), how="left")
    counted = counted.merge(of_repeat.reset_index(), how="left")
    return pd.Series((counted["of_repeat"] == counted["of_point"]).to_numpy(), index=values.index)
