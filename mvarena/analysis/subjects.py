"""What two sides of a comparison are: contestants of one database by name, or all contestants of two databases."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from mvarena.analysis.contestants import name_contestants, natural_order
from mvarena.analysis.picks import counted_runs
from mvarena.errors import InvalidSetting, unknown_name
from mvarena.store.frames import OF_TRIAL

_VERSIONED = re.compile(r"(?P<name>[^@]+)@(?P<version>.+)")
_POINT = ["dataset", "content", "corruption", "rate", "contestant"]


def side_named(
    frame: pd.DataFrame, name: str, metric: str, directions: Mapping[str, bool], subject: str
) -> pd.DataFrame:
    """The rows of one contestant, with `subject` in the column of that name, for `two_sides`.

    name : as tables show it, 'apmc' or 'apmc (n_neighbors=7)', or 'apmc@2' for a version. Of an algorithm one of whose
        parameters is picked by labels, the best value on each data set and condition is kept.

    Raises UnknownName for what is not stored, InvalidSetting for a name of several contestants.
    """
    versioned = _VERSIONED.fullmatch(name)
    if versioned:
        of_version = (frame["algorithm"] == versioned["name"]) & (frame["algorithm_version"] == versioned["version"])
        return (
            _one(_named(frame[of_version]), name, metric, directions, subject)
            if of_version.any()
            else _unknown(frame, name)
        )
    named = _named(frame)
    exact = named[named["contestant"] == name]
    rows = exact if len(exact) else named[named["algorithm"] == name]
    return _one(rows, name, metric, directions, subject) if len(rows) else _unknown(frame, name)


def sides_of_two(
    before: pd.DataFrame, after: pd.DataFrame, metric: str, directions: Mapping[str, bool]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of two databases, whose subjects are the contestants; an algorithm's version is no part of a name."""
    plain = [frame.assign(algorithm_version="") for frame in (before, after)]
    both = _named(pd.concat(plain, keys=("before", "after"), names=["side"]).reset_index(level="side"))
    best = [_best_choice(both[both["side"] == side], metric, directions) for side in ("before", "after")]
    return best[0].assign(subject=best[0]["contestant"]), best[1].assign(subject=best[1]["contestant"])


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    sides = ["side"] if "side" in frame.columns else []
    trials = frame.drop_duplicates([*sides, "key", "dataset", "protocol"])[[*sides, *OF_TRIAL]]
    named = name_contestants(trials)[[*sides, "key", "dataset", "protocol", "contestant", "label_choice", "choice"]]
    return frame.merge(named, on=[*sides, "key", "dataset", "protocol"])


def _one(rows: pd.DataFrame, name: str, metric: str, directions: Mapping[str, bool], subject: str) -> pd.DataFrame:
    contestants = sorted(rows["contestant"].unique(), key=natural_order)
    if len(contestants) > 1:
        raise InvalidSetting(
            f"'{name}' stands for {len(contestants)} contestants; name one of them: "
            f"{', '.join(repr(one) for one in contestants)}."
        )
    return _best_choice(rows, metric, directions).assign(subject=subject)


def _best_choice(rows: pd.DataFrame, metric: str, directions: Mapping[str, bool]) -> pd.DataFrame:
    """Of each contestant that is picked by labels, the choice of best mean at each point."""
    picked = rows[rows["label_choice"].astype(bool) & (rows["metric"] == metric)]
    if picked.empty:
        return rows
    counted = counted_runs(picked.assign(trial_id=picked["key"]), directions)
    means = counted.groupby([*_POINT, "choice"])["value"].mean().fillna(-np.inf)
    signed = means if directions.get(metric, True) else -means
    best = signed.reset_index().sort_values("value", kind="stable").drop_duplicates(_POINT, keep="last")
    chosen = rows.merge(best[[*_POINT, "choice"]].rename(columns={"choice": "chosen"}), on=_POINT, how="left")
    return chosen[~chosen["label_choice"].astype(bool) | (chosen["choice"] == chosen["chosen"])]


def _unknown(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    stored = {*frame["algorithm"].unique(), *_named(frame)["contestant"].unique()}
    stored |= (
        {f"{row.algorithm}@{row.algorithm_version}" for row in frame.itertuples(index=False)} if "@" in name else set()
    )
    known = sorted(stored, key=natural_order)
    raise unknown_name(
        "contestant", name, known, f"Stored are {', '.join(known[:12])}{' ...' if len(known) > 12 else ''}."
    )
