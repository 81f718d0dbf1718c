"""One trial in the place of several that differ in a parameter which ground truth chooses: the best single view."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pandas as pd

from mvarena.store.encoding import canonical_json

_SAME_BUT_FOR_CHOICE = [
    "dataset", "content", "algorithm", "algorithm_version", "fixed", "prepare", "steps", "protocol", "pick", "seed",
]  # fmt: skip
_POINT = [*_SAME_BUT_FOR_CHOICE, "corruption", "rate"]


def with_label_choices(
    heads: pd.DataFrame, scores: pd.DataFrame, directions: Mapping[str, bool]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Trials and scores with the values of a parameter that is picked by labels made into one.

    heads : one row per trial, with attempt_id, params, picks_by_labels (the parameter's name, or None) and what sets
        trials apart. scores : attempt_id, metric, value and more.
    At each point (data, condition, protocol, seed) the value of the parameter whose mean over the repeats is best
    stays, metric by metric; the trials are those of what is best by the first metric, without the parameter.
    Returns `heads` with label_picked in place of picks_by_labels, and `scores` with choice, as 'view=fac' ('' where
    nothing was chosen). Where one value of the parameter is stored alone, it stays a parameter. Cost O(rows log rows).
    """
    heads = heads.assign(label_picked=heads["pick"] == "best-by-labels")
    scores = scores.assign(choice="")
    picked = heads.pop("picks_by_labels")
    open_ = np.array([isinstance(name, str) and bool(name) for name in picked], bool)
    if not open_.any():
        return heads, scores
    pairs = list(zip(heads.loc[open_, "params"], picked[open_], strict=True))
    parts = {pair: _parted(*pair) for pair in set(pairs)}
    chosen = heads[open_].assign(chosen=[parts[pair][0] for pair in pairs], fixed=[parts[pair][1] for pair in pairs])
    several = chosen.groupby(_SAME_BUT_FOR_CHOICE, dropna=False)["chosen"].transform("nunique") > 1
    chosen = chosen[several]
    chosen = chosen.assign(point=chosen.groupby(_POINT, dropna=False).ngroup())
    stays, values = _best(chosen, scores[scores["attempt_id"].isin(chosen["attempt_id"])], directions)
    others = scores[~scores["attempt_id"].isin(chosen["attempt_id"])]
    heads = pd.concat([heads.drop(chosen.index), stays[heads.columns]], ignore_index=True)
    values = pd.concat([others, values[scores.columns]]).drop_duplicates(["attempt_id", "metric"])
    return heads, values.sort_values(["attempt_id", "metric"], kind="stable", ignore_index=True)


def _best(
    trials: pd.DataFrame, scores: pd.DataFrame, directions: Mapping[str, bool]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Of each point the trials that stay, and the best value of each metric as theirs."""
    known = scores.merge(trials[["attempt_id", "point", "chosen", "repeat"]], on="attempt_id")
    means = known.groupby(["point", "metric", "chosen"])["value"].mean().reset_index()
    lower = means["metric"].map(lambda metric: not directions.get(metric, True)).astype(bool)
    means["loss"] = means["value"].where(lower, -means["value"])
    means = means.sort_values(["point", "metric", "loss", "chosen"], na_position="last", kind="stable")
    best = means.drop_duplicates(["point", "metric"])[["point", "metric", "chosen"]]
    shown = trials.groupby("point")["chosen"].min().to_dict()
    shown |= best.drop_duplicates("point").set_index("point")["chosen"].to_dict()
    stays = trials[trials["chosen"] == trials["point"].map(shown)]
    of_best = known.merge(best, on=["point", "metric", "chosen"]).drop(columns="attempt_id")
    of_best = of_best.merge(stays[["point", "repeat", "attempt_id"]], on=["point", "repeat"])
    return stays.assign(params=stays["fixed"], label_picked=True), of_best.assign(choice=of_best["chosen"])


def _parted(text: str, over: str) -> tuple[str, str]:
    """The value of a parameter, as 'view=fac' ('' where it has none), and the other parameters, as JSON."""
    params = json.loads(text)
    others = canonical_json({name: value for name, value in params.items() if name != over})
    value = params.get(over)
    shown = value if isinstance(value, str) else json.dumps(value)
    return (f"{over}={shown}" if over in params else ""), others
